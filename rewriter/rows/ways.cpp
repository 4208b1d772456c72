/* SPDX-License-Identifier: BSD-3-Clause
 * The counters, conditions and calls around an expression, on each way to it. */
#include "index/linear.h"
#include "rows/reach.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

enum { MaxCallDepth = 4, MaxWays = 16 };

/* -- what the loop assigns */

Reaches::Reaches(Analysis &analysis, const Survey &survey, const LoopUses &uses)
    : analysis(analysis), survey(survey), uses(uses)
{
    for (const Stmt *body : uses.bodies)
        collect(body);
}

void Reaches::addStore(const Expr *target, const Expr *value, const Expr *given)
{
    const Expr *bare = target->IgnoreParenImpCasts();
    if (const auto *member = dyn_cast<MemberExpr>(bare))
        return addStore(member->getBase(), value, given);
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(bare);
    if (subscript == nullptr)
        return;
    const VarDecl *variable = pointerIn(subscript->getBase());
    if (variable != nullptr)
        stores.push_back({variable, subscript->getBase(), subscript->getIdx(), value, given});
    else
        addStore(subscript->getBase(), value, given);
}

void Reaches::collect(const Stmt *statement)
{
    const Expr *target = nullptr, *value = nullptr, *given = nullptr;
    if (const auto *binary = dyn_cast<BinaryOperator>(statement)) {
        target = binary->isAssignmentOp() ? binary->getLHS() : nullptr;
        given = target != nullptr ? binary->getRHS() : nullptr;
        value = binary->getOpcode() == BO_Assign ? given : nullptr;
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(statement))
        if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf)
            target = unary->getSubExpr();
    if (target != nullptr) {
        if (const VarDecl *variable = variableIn(target))
            writes[variable].push_back(statement);
        const auto *address = dyn_cast<UnaryOperator>(statement);
        if (address == nullptr || address->getOpcode() != UO_AddrOf)
            addStore(target, value, given);
    }
    for (const Stmt *child : partsIn(statement))
        collect(child);
}

/* -- what is around it */

static bool takesAddress(const Stmt *write)
{
    const auto *unary = dyn_cast<UnaryOperator>(write);
    return unary != nullptr && unary->getOpcode() == UO_AddrOf;
}

/* The variable that the head of LOOP, and nothing else, steps by a constant; or null. */
const VarDecl *Reaches::counterOf(const ForStmt *loop) const
{
    const VarDecl *counter = nullptr;
    if (const auto *unary = dyn_cast_or_null<UnaryOperator>(loop->getInc()))
        counter = unary->isIncrementDecrementOp() ? variableIn(unary->getSubExpr()) : nullptr;
    if (const auto *binary = dyn_cast_or_null<BinaryOperator>(loop->getInc())) {
        bool constant =
            (binary->getOpcode() == BO_AddAssign || binary->getOpcode() == BO_SubAssign) &&
            constantInteger(binary->getRHS(), analysis.context).value_or(0) > 0;
        counter = constant ? variableIn(binary->getLHS()) : nullptr;
    }
    if (counter == nullptr || counter->hasGlobalStorage())
        return nullptr;
    auto known = writes.find(counter);
    if (known == writes.end())
        return counter;
    for (const Stmt *write : known->second) { /* in the heads of loops, or elsewhere */
        const Stmt *parent = analysis.structure.parent(write);
        const auto *head = dyn_cast_or_null<ForStmt>(parent);
        if ((head == nullptr || (head->getInit() != write && head->getInc() != write)) &&
            (!analysis.telling || takesAddress(write) || analysis.structure.encloses(loop, write)))
            return nullptr;
    }
    return counter;
}

/* What STATEMENT gives COUNTER: int i = FIRST or i = FIRST; or null. */
static const Expr *firstOf(const Stmt *statement, const VarDecl *counter)
{
    if (const auto *declaration = dyn_cast_or_null<DeclStmt>(statement))
        for (const Decl *declared : declaration->decls())
            if (declared->getCanonicalDecl() == counter)
                return cast<VarDecl>(declared)->getInit();
    const auto *binary = dyn_cast_or_null<BinaryOperator>(statement);
    const bool sets = binary != nullptr && binary->getOpcode() == BO_Assign &&
                      variableIn(binary->getLHS()) == counter;
    return sets ? binary->getRHS() : nullptr;
}

Reaches::Head Reaches::headOf(const ForStmt *loop) const
{
    const VarDecl *counter = counterOf(loop);
    if (counter == nullptr)
        return {};
    const auto *unary = dyn_cast<UnaryOperator>(loop->getInc());
    const auto *binary = dyn_cast<BinaryOperator>(loop->getInc());
    const bool falls = unary ? unary->isDecrementOp() : binary->getOpcode() == BO_SubAssign;
    return {counter, counter, firstOf(loop->getInit(), counter), loop->getCond(), falls};
}

/* The variable that STATEMENT makes one more; or null. */
static const VarDecl *raisedBy(const Stmt *statement)
{
    const auto *unary = dyn_cast_or_null<UnaryOperator>(statement);
    return unary != nullptr && unary->isIncrementOp() ? variableIn(unary->getSubExpr()) : nullptr;
}

/* `while (next < n) { int i = next++; ... }`, or with `i++;` at its end, right behind the statement
 * that says where it begins: nobody else sets the counter, so that it runs as that of a for. */
Reaches::Head Reaches::headOf(const WhileStmt *loop) const
{
    const auto *body = dyn_cast<CompoundStmt>(loop->getBody());
    const auto *around = dyn_cast_or_null<CompoundStmt>(analysis.structure.parent(loop));
    if (body == nullptr || body->body_empty() || around == nullptr)
        return {};
    const auto *declared = dyn_cast<DeclStmt>(body->body_front());
    const auto *copy = declared && declared->isSingleDecl()
                           ? dyn_cast<VarDecl>(declared->getSingleDecl())
                           : nullptr;
    const auto *step = copy && copy->getInit()
                           ? dyn_cast<UnaryOperator>(copy->getInit()->IgnoreParenImpCasts())
                           : nullptr;
    const VarDecl *next = step != nullptr && step->isPostfix() ? raisedBy(step) : nullptr;
    if (next == nullptr) {
        copy = nullptr;
        step = dyn_cast<UnaryOperator>(body->body_back());
        next = raisedBy(step);
    }
    const auto at = llvm::find(around->body(), loop);
    const Stmt *before = at != around->body_begin() ? *(at - 1) : nullptr;
    const VarDecl *counter = copy != nullptr ? copy->getCanonicalDecl() : next;
    const Expr *first = next != nullptr ? firstOf(before, next) : nullptr;
    if (first == nullptr || !next->hasLocalStorage() || !counter->hasLocalStorage() ||
        (copy != nullptr && writes.count(counter) != 0))
        return {};
    const auto known = writes.find(next);
    if (known == writes.end() || llvm::any_of(known->second, [&](const Stmt *write) {
            return write != step && write != before;
        }))
        return {};
    return {counter, next, first, loop->getCond(), false};
}

/* What comes behind STATEMENT is not reached by way of it. */
static bool leaves(const Stmt *statement)
{
    const auto *block = dyn_cast_or_null<CompoundStmt>(statement);
    if (block != nullptr)
        return !block->body_empty() && leaves(block->body_back());
    return isa_and_nonnull<ContinueStmt, BreakStmt, ReturnStmt>(statement);
}

/* The conditions of BLOCK under which INNER is not come to: if (...) continue; */
static std::vector<const Expr *> leftBefore(const CompoundStmt *block, const Stmt *inner)
{
    std::vector<const Expr *> left;
    for (const Stmt *statement : block->body()) {
        const bool entered = isa<SwitchCase, LabelStmt>(statement);
        if (entered)
            left.clear(); /* by a jump, behind the conditions */
        if (statement == inner)
            return left;
        const auto *choice = dyn_cast<IfStmt>(statement);
        if (choice != nullptr && choice->getElse() == nullptr && leaves(choice->getThen()))
            left.push_back(choice->getCond());
    }
    return {};
}

/* What statements of BLOCK in front of INNER have set a number to, where nothing sets it again up
 * to what is in INNER: `row = last; for (...) u[row * m + j] = ...`. */
void Reaches::addSet(const CompoundStmt *block, const Stmt *inner, Frames &frames) const
{
    const auto at = llvm::find(block->body(), inner);
    const auto isSetIn = [&](const VarDecl *variable, const Stmt *statement) {
        const auto known = writes.find(variable);
        return known != writes.end() && llvm::any_of(known->second, [&](const Stmt *write) {
                   return takesAddress(write) || analysis.structure.encloses(statement, write);
               });
    };
    if (!analysis.telling || at == block->body_end())
        return;
    for (auto one = at; one != block->body_begin() && !isa<SwitchCase, LabelStmt>(*one);) {
        const auto *set = dyn_cast<BinaryOperator>(*--one);
        const VarDecl *variable =
            set != nullptr && set->getOpcode() == BO_Assign ? variableIn(set->getLHS()) : nullptr;
        if (variable == nullptr || !variable->hasLocalStorage() ||
            !variable->getType()->isIntegerType() || mentionsAny(set->getRHS(), {variable}) ||
            std::any_of(one + 1, at + 1,
                        [&](const Stmt *behind) { return isSetIn(variable, behind); }))
            continue;
        frames.push_back({Frame::Kind::Set, variable, nullptr, set->getRHS(), true});
    }
}

void Reaches::addFrames(const Stmt *inner, const Stmt *outer, Frames &frames) const
{
    auto guard = [&](const Expr *condition, bool holds) {
        frames.push_back({Frame::Kind::Guard, nullptr, nullptr, condition, holds});
    };
    if (const auto *block = dyn_cast<CompoundStmt>(outer)) {
        addSet(block, inner, frames); /* behind the conditions, wherever these stand */
        for (const Expr *condition : leftBefore(block, inner))
            guard(condition, false);
    }
    auto count = [&](const Head &head) {
        if (head.counter != nullptr)
            frames.push_back({Frame::Kind::Counter, head.counter, outer, nullptr, true, head});
    };
    if (const auto *loop = dyn_cast<ForStmt>(outer)) {
        if (inner != loop->getInit())
            count(headOf(loop));
    } else if (const auto *loop = dyn_cast<WhileStmt>(outer)) {
        if (inner == loop->getBody())
            count(headOf(loop));
    } else if (const auto *choice = dyn_cast<IfStmt>(outer)) {
        if (inner == choice->getThen() || inner == choice->getElse())
            guard(choice->getCond(), inner == choice->getThen());
    } else if (const auto *choice = dyn_cast<ConditionalOperator>(outer)) {
        if (inner != choice->getCond())
            guard(choice->getCond(), inner == choice->getTrueExpr());
    } else if (const auto *both = dyn_cast<BinaryOperator>(outer)) {
        if (both->isLogicalOp() && inner == both->getRHS())
            guard(both->getLHS(), both->getOpcode() == BO_LAnd);
    }
}

/* All ways from the loop to PLACE, through the calls of the functions that it is in. */
std::vector<Reaches::Frames> Reaches::waysTo(const Stmt *place, int depth) const
{
    Frames frames;
    const Stmt *root = place;
    for (; llvm::find(uses.bodies, root) == uses.bodies.end();) {
        const Stmt *outer = analysis.structure.parent(root);
        if (outer == nullptr)
            return {};
        addFrames(root, outer, frames);
        root = outer;
    }
    std::reverse(frames.begin(), frames.end());
    if (root == analysis.loop)
        return {frames};
    std::vector<Frames> ways;
    for (const Stmt *body : uses.bodies)
        for (const CallExpr *call : analysis.finder.of(body).calls) {
            const FunctionDecl *callee = nullptr;
            for (const FunctionDecl *possible : analysis.finder.callees(call))
                if (possible->getBody() == root)
                    callee = possible;
            if (callee == nullptr)
                continue;
            bool foreign = call->getDirectCallee() != nullptr &&
                           call->getDirectCallee()->getDefinition() != callee;
            if (depth >= MaxCallDepth || ways.size() >= MaxWays || foreign)
                return {};
            for (Frames &way : waysTo(call, depth + 1)) {
                for (const auto &[parameter, argument] : passedBy(call, callee))
                    way.push_back({Frame::Kind::Parameter, parameter->getCanonicalDecl(), nullptr,
                                   argument, true});
                way.insert(way.end(), frames.begin(), frames.end());
                ways.push_back(way);
            }
        }
    return ways;
}

/* Along FRAMES parameters that nobody sets are what calls have been given. */
bool Reaches::mayLeadTo(const Arrays &arrays, const Expr *base, const Frames &frames) const
{
    const VarDecl *named = pointerIn(base);
    for (auto frame = frames.rbegin(); named != nullptr && frame != frames.rend(); ++frame)
        if (frame->kind == Frame::Kind::Parameter && frame->variable == named->getCanonicalDecl())
            named = writes.count(frame->variable) == 0 ? pointerIn(frame->value) : nullptr;
    return named == nullptr ||
           llvm::any_of(arrays, [&](const VarDecl *array) { return uses.means(named, array); });
}

std::optional<std::vector<Reach>> Reaches::find(const Expr *base, const Expr *index, bool choices,
                                                const Arrays *arrays) const
{
    const std::optional<Ways> ways = onEachWay(base, index, arrays, choices);
    return ways ? together(*ways) : std::nullopt;
}

std::optional<std::vector<Reach>> Reaches::of(const Expr *base, const Expr *index) const
{
    const Expr *key = index != nullptr ? index : base;
    auto found = known.find(key);
    return found != known.end() ? found->second : known[key] = find(base, index, false);
}

std::optional<std::vector<Reach>> Reaches::anyOf(const Expr *base, const Expr *index) const
{
    auto found = knownAny.find(index);
    return found != knownAny.end() ? found->second : knownAny[index] = find(base, index, true);
}

std::optional<std::vector<Reach>> Reaches::of(const Expr *base, const Expr *index,
                                              const Arrays &arrays) const
{
    if (!isa_and_nonnull<ParmVarDecl>(pointerIn(base)))
        return of(base, index);
    const std::pair key = {index != nullptr ? index : base, arrays};
    auto found = knownOfArrays.find(key);
    return found != knownOfArrays.end() ? found->second
                                        : knownOfArrays[key] = find(base, index, false, &arrays);
}

std::optional<std::vector<Reach>> Reaches::anyOf(const Expr *base, const Expr *index,
                                                 const Arrays &arrays) const
{
    return isa_and_nonnull<ParmVarDecl>(pointerIn(base)) ? find(base, index, true, &arrays)
                                                         : anyOf(base, index);
}

void narrow(BinaryOperatorKind kind, long long value, Reach &range)
{
    if (kind == BO_LT || kind == BO_LE)
        range.high = std::min(range.high, kind == BO_LT ? value - 1 : value);
    if (kind == BO_GT || kind == BO_GE)
        range.low = std::max(range.low, kind == BO_GT ? value + 1 : value);
    if (kind == BO_EQ) {
        range.low = std::max(range.low, value);
        range.high = std::min(range.high, value);
    }
    if (kind == BO_NE && value == range.low)
        range.low++;
    if (kind == BO_NE && (value == range.high || range.high == LLONG_MAX))
        range.high = value - 1; /* i != n is the end of a loop that counts up to n */
}

/* What VARIABLE is wherever the loop reads it: set where it is declared, or by one assignment.
 * (Global ones functions of other files may set.) */
const Expr *Reaches::onlyValueOf(const VarDecl *variable) const
{
    auto set = writes.find(variable);
    if (set == writes.end())
        return variable->getInit();
    auto [found, isNew] = onlyValues.try_emplace(variable, nullptr);
    const bool once = isNew && set->second.size() == 1 && variable->hasLocalStorage() &&
                      variable->getInit() == nullptr;
    const auto *only = once ? dyn_cast<BinaryOperator>(set->second.front()) : nullptr;
    if (only != nullptr && only->getOpcode() == BO_Assign && isReadBehind(variable, {only}) &&
        !mentionsAny(only->getRHS(), {variable}))
        found->second = only->getRHS();
    return found->second;
}

/* The statement of a block, no loop, that WRITE is in, on its way there by branches; or null. */
const Stmt *Reaches::settingBy(const Stmt *write) const
{
    const auto *binary = dyn_cast<BinaryOperator>(write);
    const auto *unary = dyn_cast<UnaryOperator>(write);
    if (binary == nullptr && (unary == nullptr || unary->getOpcode() == UO_AddrOf))
        return nullptr;
    const Stmt *at = write;
    for (const Stmt *outer = analysis.structure.parent(at);;
         outer = analysis.structure.parent(at)) {
        const auto *choice = dyn_cast_or_null<IfStmt>(outer);
        if (choice == nullptr && !isa_and_nonnull<CompoundStmt>(outer))
            return nullptr;
        if (choice != nullptr && choice->getCond() == at)
            return nullptr;
        if (choice == nullptr && !isa_and_nonnull<IfStmt>(analysis.structure.parent(outer)))
            return at;
        at = outer;
    }
}

/* The statements of one block that set VARIABLE, and in front of which nothing reads it: what they
 * make of it is what it is wherever the loop reads it behind them. Empty: there are other ones. */
std::vector<const Stmt *> Reaches::settingsOf(const VarDecl *variable) const
{
    auto set = writes.find(variable);
    std::vector<const Stmt *> settings;
    if (set == writes.end() || !variable->hasLocalStorage() || isa<ParmVarDecl>(variable))
        return {};
    for (const Stmt *write : set->second) {
        const Stmt *setting = settingBy(write);
        if (setting == nullptr || (!settings.empty() && analysis.structure.parent(setting) !=
                                                            analysis.structure.parent(settings[0])))
            return {};
        if (settings.empty() || settings.back() != setting)
            settings.push_back(setting);
    }
    return isReadBehind(variable, settings) ? settings : std::vector<const Stmt *>();
}

/* VARIABLE begins with its initial value each time that SETTING is come to. */
bool Reaches::isDeclaredBeside(const VarDecl *variable, const Stmt *setting) const
{
    const auto *block = cast<CompoundStmt>(analysis.structure.parent(setting));
    return llvm::any_of(block->body(), [&](const Stmt *one) {
        return llvm::any_of(declaredBy(one), [&](const VarDecl *declared) {
            return declared->getCanonicalDecl() == variable;
        });
    });
}

/* All that the loop reads of VARIABLE is in SETTINGS or behind them, in the block that they are
 * statements of, and into which nothing jumps. */
bool Reaches::isReadBehind(const VarDecl *variable, const std::vector<const Stmt *> &settings) const
{
    const auto *block =
        settings.empty()
            ? nullptr
            : dyn_cast_or_null<CompoundStmt>(analysis.structure.parent(settings.front()));
    const bool entered = block != nullptr && llvm::any_of(block->body(), [](const Stmt *one) {
                             return isa<SwitchCase, LabelStmt>(one);
                         });
    if (block == nullptr || entered)
        return false;
    int elsewhere = 0, behind = 0;
    for (const Stmt *body : uses.bodies)
        elsewhere += namesOf(body, variable);
    auto next = settings.begin();
    for (const Stmt *statement : block->body()) {
        const bool setting = next != settings.end() && *next == statement;
        if (setting || next == settings.end())
            behind += namesOf(statement, variable);
        next += setting;
    }
    return elsewhere == behind;
}

std::optional<std::vector<Reach>> Reaches::together(const Ways &ways) const
{
    if (ways.empty())
        return std::nullopt;
    std::vector<Reach> all(survey.samples.size());
    for (const std::vector<Reach> &way : ways)
        for (size_t i = 0; i < way.size(); i++)
            all[i].add(way[i]);
    return all;
}

} // namespace xmpi
