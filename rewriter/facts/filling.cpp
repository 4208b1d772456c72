/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts/filling.h"
#include "source/loops.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

Filling::Filling(const Analysis &analysis, const VarDecl *variable, const FieldDecl *field)
    : analysis(analysis), variable(variable->getCanonicalDecl()), field(field)
{
}

bool Filling::isIt(const Place &place) const
{
    return place.base->getCanonicalDecl() == variable &&
           (field == nullptr || place.field == nullptr || place.field == field);
}

bool Filling::mayBeIt(const Place &place) const
{
    return analysis.members.meaning(place.base).count(variable) != 0;
}

static size_t distinct(const std::vector<Filling::Access> &accesses)
{
    size_t count = 0;
    for (auto access = accesses.begin(); access != accesses.end(); ++access)
        count += std::none_of(accesses.begin(), access, [&](const Filling::Access &earlier) {
            return earlier.index == access->index;
        });
    return count;
}

/* A pass of the loop around STATEMENT may end inside it. */
static bool leaves(const Stmt *statement)
{
    return anyWithin(statement, [](const Stmt *one) {
        return isa<BreakStmt, ContinueStmt, GotoStmt, ReturnStmt>(one);
    });
}

static bool names(const Expr *expression, const VarDecl *variable)
{
    return variableNamed(expression) == variable;
}

static const VarDecl *counterOf(const ForStmt *loop)
{
    const auto *compared = dyn_cast_or_null<BinaryOperator>(loop->getCond());
    if (compared == nullptr || !compared->isRelationalOp())
        return nullptr;
    for (const Expr *side : {compared->getLHS(), compared->getRHS()})
        if (const auto *name = dyn_cast<DeclRefExpr>(side->IgnoreParenImpCasts()))
            return dyn_cast<VarDecl>(name->getDecl());
    return nullptr;
}

/* The expression at WHERE inside STATEMENT. */
static const Stmt *find(const Stmt *statement, SourceLocation where)
{
    if (const auto *expression = dyn_cast<Expr>(statement))
        if (expression->getExprLoc() == where)
            return statement;
    for (const Stmt *child : partsIn(statement))
        if (const Stmt *found = find(child, where))
            return found;
    return nullptr;
}

/* Every element of the array that STATEMENT names; false when it is named without an index. */
bool Filling::collect(const Stmt *statement, std::vector<Access> &accesses, bool written) const
{
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(statement)) {
        std::optional<Place> place = placeOf(subscript);
        if (place && isIt(*place)) {
            accesses.push_back(accessOf(subscript, written));
            return collect(subscript->getIdx(), accesses, false);
        }
    }
    if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
        std::optional<Place> place = placeOf(reference);
        return !place || (place->base->getCanonicalDecl() != variable && !mayBeIt(*place));
    }
    const auto *binary = dyn_cast<BinaryOperator>(statement);
    if (binary != nullptr && binary->isAssignmentOp())
        return collect(binary->getRHS(), accesses, false) &&
               collect(binary->getLHS(), accesses, !binary->isCompoundAssignmentOp());
    return llvm::all_of(partsIn(statement),
                        [&](const Stmt *child) { return collect(child, accesses, false); });
}

Filling::Access Filling::accessOf(const ArraySubscriptExpr *subscript, bool written) const
{
    Access access{written, {}, subscript->getIdx()->IgnoreParenImpCasts(), true, false};
    while (subscript != nullptr) {
        access.wanders = access.wanders || followsIteration(subscript->getIdx(), 0);
        subscript->getIdx()->Profile(access.index, analysis.context, true);
        subscript = dyn_cast<ArraySubscriptExpr>(subscript->getBase()->IgnoreParenImpCasts());
        access.only = access.only && subscript == nullptr;
    }
    return access;
}

/* A loop that runs over indices of the array, and reads only what it has written: `b[i] = x`,
 * or `b[2 * i] = x; b[2 * i + 1] = y;`. */
bool Filling::fills(const ForStmt *loop) const
{
    std::vector<Access> accesses;
    if (!collect(loop->getBody(), accesses, false) || accesses.empty())
        return false;
    for (auto access = accesses.begin(); access != accesses.end(); ++access) {
        bool known = std::any_of(accesses.begin(), access, [&](const Access &earlier) {
            return earlier.index == access->index;
        });
        if (!known && (!access->write || access->wanders || !runsOver(loop, access->last)))
            return false;
    }
    return stepOf(loop) <= distinct(accesses) && !leaves(loop->getBody()) &&
           isAlways(loop->getBody());
}

const Expr *Filling::indexSetBy(const ForStmt *loop) const
{
    std::vector<Access> accesses;
    const Access *set = nullptr;
    if (!collect(loop->getBody(), accesses, false) || leaves(loop->getBody()) ||
        !isAlways(loop->getBody()))
        return nullptr;
    for (const Access &access : accesses) {
        if (!access.write)
            continue;
        if (!access.only || (set != nullptr && !(set->index == access.index)))
            return nullptr;
        set = &access;
    }
    return set != nullptr ? set->last : nullptr;
}

bool Filling::variesInLength(const ForStmt *loop) const
{
    const Expr *begin = firstSetBy(loop).second;
    return (begin != nullptr && followsIteration(begin, 0)) || followsIteration(loop->getCond(), 0);
}

bool Filling::staysInIteration(const Expr *value) const
{
    const Effects effects = analysis.finder.of(value);
    return llvm::all_of(effects.mentions, [&](const Mention &mention) {
        return llvm::count_if(analysis.inLoop.writes, [&](const Write &write) {
                   return overlap(write.place, mention.place);
               }) <= 1;
    });
}

bool Filling::isSetBeside(const Stmt *setting) const
{
    const SourceManager &manager = analysis.context.getSourceManager();
    return llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
        return isIt(write.place) && write.how != Write::How::Declared &&
               !manager.isPointWithin(write.where, setting->getBeginLoc(), setting->getEndLoc());
    });
}

/* What VALUE depends on is another in each iteration, beside counters of loops inside it: what
 * is written at such places is a further part each time, as in t[k * w + j]. */
bool Filling::followsIteration(const Stmt *value, int depth) const
{
    enum { MaxDepth = 5 };
    if (depth > MaxDepth)
        return true;
    const Effects effects = analysis.finder.of(value);
    return llvm::any_of(effects.mentions, [&](const Mention &mention) {
        return followsIteration(mention.place.base->getCanonicalDecl(), depth);
    });
}

bool Filling::followsIteration(const VarDecl *named, int depth) const
{
    if (named == variable || isCounter(named))
        return false;
    if (const auto *parameter = dyn_cast<ParmVarDecl>(named))
        if (parameter->getDeclContext() != analysis.loopStep().function)
            return llvm::any_of(analysis.inLoop.calls, [&](const CallExpr *call) {
                const Expr *given = argumentFor(call, parameter);
                return given && followsIteration(given, depth + 1);
            });
    const bool inside = isInIteration(named);
    if (inside && named->getInit() != nullptr && followsIteration(named->getInit(), depth + 1))
        return true;
    return llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
        return write.place.base->getCanonicalDecl() == named &&
               (!inside || (write.value != nullptr && followsIteration(write.value, depth + 1)));
    });
}

/* Declared in the body of the loop, or in a function that it calls. */
bool Filling::isInIteration(const VarDecl *named) const
{
    if (!named->hasLocalStorage())
        return false;
    if (named->getDeclContext() != analysis.loopStep().function)
        return true;
    const SourceManager &manager = analysis.context.getSourceManager();
    const Stmt *body = bodyOf(analysis.loop);
    return !manager.isBeforeInTranslationUnit(named->getLocation(), body->getBeginLoc()) &&
           manager.isBeforeInTranslationUnit(named->getLocation(), body->getEndLoc());
}

/* Of a loop inside the iteration. */
bool Filling::isCounter(const VarDecl *named) const
{
    if (!counters) {
        counters.emplace();
        collectCounters(bodyOf(analysis.loop));
        for (const FunctionDecl *function : analysis.finder.reachable(analysis.inLoop))
            collectCounters(function->getBody());
    }
    return counters->count(named) != 0;
}

void Filling::collectCounters(const Stmt *statement) const
{
    eachWithin(statement, [&](const Stmt *one) {
        const auto *counted = dyn_cast<ForStmt>(one);
        if (const VarDecl *counter = counted != nullptr ? counterOf(counted) : nullptr)
            counters->insert(counter->getCanonicalDecl());
    });
}

/* How far LOOP counts in each pass. */
size_t Filling::stepOf(const ForStmt *loop) const
{
    if (isa_and_nonnull<UnaryOperator>(loop->getInc()))
        return 1;
    const auto *binary = dyn_cast_or_null<BinaryOperator>(loop->getInc());
    Expr::EvalResult step;
    if (binary == nullptr || !binary->isCompoundAssignmentOp() ||
        !binary->getRHS()->EvaluateAsInt(step, analysis.context) || step.Val.getInt().isNegative())
        return SIZE_MAX;
    return static_cast<size_t>(step.Val.getInt().getExtValue());
}

/* x[i] from x[i - 1], or from x[i + 1]: the first element has been written before. */
bool Filling::runsAlong(const ForStmt *loop) const
{
    std::vector<Access> accesses;
    const VarDecl *counter = counterOf(loop);
    const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
    if (!collect(loop->getBody(), accesses, false) || counter == nullptr || step == nullptr)
        return false;
    bool written = false;
    for (const Access &access : accesses) {
        const Expr *index = access.last;
        bool fits =
            access.only && (access.write ? names(index, counter) : isBefore(index, counter, step));
        if (!fits)
            return false;
        written = written || access.write;
    }
    return written && isAlways(loop->getBody());
}

/* counter - 1 where it counts up, counter + 1 where it counts down. */
bool Filling::isBefore(const Expr *index, const VarDecl *counter, const UnaryOperator *step) const
{
    const auto *binary = dyn_cast<BinaryOperator>(index);
    Expr::EvalResult one;
    return binary != nullptr && binary->getOpcode() == (step->isIncrementOp() ? BO_Sub : BO_Add) &&
           names(binary->getLHS(), counter) &&
           binary->getRHS()->EvaluateAsInt(one, analysis.context) && one.Val.getInt() == 1;
}

bool Filling::runsOver(const ForStmt *loop, const Expr *index) const
{
    const VarDecl *counter = counterOf(loop);
    const Effects effects = analysis.finder.of(index);
    return counter != nullptr && llvm::any_of(effects.mentions, [&](const Mention &mention) {
               return mention.place.base == counter || isFrom(mention.place.base, counter, loop);
           });
}

/* VARIABLE is declared in LOOP with a value from COUNTER: int at = j * m + i; */
bool Filling::isFrom(const VarDecl *variable, const VarDecl *counter, const ForStmt *loop) const
{
    const Effects effects = analysis.finder.of(loop->getBody());
    if (variable->getInit() == nullptr || !llvm::is_contained(effects.declared, variable))
        return false;
    const Effects from = analysis.finder.of(variable->getInit());
    return llvm::any_of(from.mentions,
                        [&](const Mention &mention) { return mention.place.base == counter; });
}

/* The first write in the body does not depend on a condition of one side only. */
bool Filling::isAlways(const Stmt *body) const
{
    for (const Write &write : analysis.finder.of(body).writes) {
        if (!isIt(write.place))
            continue;
        const Stmt *next = nullptr;
        for (const Stmt *at = find(body, write.where); at != nullptr && at != body;
             next = at, at = analysis.structure.parent(at)) {
            const auto *choice = dyn_cast<IfStmt>(at);
            if (isa<WhileStmt, SwitchStmt, ConditionalOperator>(at))
                return false;
            if (choice != nullptr && next != choice->getCond() &&
                (choice->getElse() == nullptr || !writesIn(choice->getThen()) ||
                 !writesIn(choice->getElse())))
                return false;
        }
        return true;
    }
    return false;
}

bool Filling::writesIn(const Stmt *statement) const
{
    const Effects effects = analysis.finder.of(statement);
    return llvm::any_of(effects.writes, [&](const Write &write) { return isIt(write.place); });
}

} // namespace xmpi
