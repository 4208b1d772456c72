/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the counters, parameters and conditions around an index, and tries it at their ends. Sums
 * and products of counters have their extremes there; of anything else nothing is said. */
#include "index/linear.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"
#include "rows/reach.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

enum { MaxSubstitutions = 4, MaxCounters = 5 };

void Reach::add(long long value)
{
    low = std::min(low, value);
    high = std::max(high, value);
}

void Reach::add(const Reach &other)
{
    if (other.empty())
        return;
    add(other.low);
    add(other.high);
}

/* -- one sample, along one way */

struct Reaches::Walk {
    const Reaches &whole;
    const Frames &frames;
    const Expr *base, *index;
    Trial &trial;
    std::set<const VarDecl *> bound;  /* counters and parameters that have a value */
    std::set<const VarDecl *> moving; /* those of them that a counter stands behind */
    std::map<const VarDecl *, std::optional<long long>>
        shifts;                          /* of parameters: how far into their arrays */
    std::set<const VarDecl *> following; /* pointers that shiftOf looks at */
    Pin pin;
    Reach reach;
    bool choices = false; /* numbers that guards choose may be any that they let through */
    bool exact = false;   /* what guards do not let through is left out */
    std::set<const Expr *> held = {}, missed = {}; /* guards that let through, and that do not */
    int counters = 0;
    long long turns = 0; /* most values that the counter of PIN has, less one */

    /* Tries INDEX within the frames from AT on; false where it is not known. */
    bool explore(size_t at)
    {
        if (at == frames.size()) {
            std::optional<long long> value = index != nullptr ? evaluate(index, true) : 0;
            std::optional<long long> shift = !value ? std::nullopt : base ? shiftOf(base) : 0;
            if (shift)
                reach.add(*value + *shift);
            return shift.has_value();
        }
        const Frame &frame = frames[at];
        if (frame.kind == Frame::Kind::Counter)
            return count(frame, at);
        if (frame.kind == Frame::Kind::Set) {
            const bool good = with(frame.variable, evaluate(frame.value, true),
                                   mentionsAny(frame.value, moving), at);
            bound.erase(frame.variable);
            moving.erase(frame.variable);
            return good;
        }
        if (frame.kind == Frame::Kind::Parameter) {
            std::optional<long long> value;
            if (frame.variable->getType()->isIntegerType())
                value = evaluate(frame.value, true);
            if (frame.variable->getType()->isPointerType())
                shifts[frame.variable] = shiftOf(frame.value);
            const bool table = isTable(frame);
            if (table || structIn(whole.analysis.context, frame.variable->getType()) != nullptr)
                trial.bind(cast<ParmVarDecl>(frame.variable), frame.value);
            return with(frame.variable, value, mentionsAny(frame.value, moving), at, table);
        }
        if (const VarDecl *chosen = choices ? chosenBy(at) : nullptr)
            return choose(chosen, at);
        return isPassed(frame) || explore(at + 1);
    }

    /* GUARD is known not to let this process through, whatever the counters are. */
    bool isPassed(const Frame &guard)
    {
        if (!exact || mentionsAny(guard.value, moving))
            return false;
        const std::optional<long long> value = evaluate(guard.value, false);
        if (!value)
            return false;
        const bool through = (*value != 0) == guard.holds;
        (through ? held : missed).insert(guard.value);
        return !through;
    }

    /* A number that nothing here changes, of which INDEX is made, and that the guards from AT on
     * let be no more than some range: `if (row >= first && row < last)`. */
    const VarDecl *chosenBy(size_t at)
    {
        if (index == nullptr)
            return nullptr;
        for (const Mention &mention : whole.analysis.finder.of(index).mentions) {
            const VarDecl *variable = mention.place.base->getCanonicalDecl();
            Reach range{LLONG_MIN, LLONG_MAX};
            if (!variable->getType()->isIntegerType() || bound.count(variable) != 0 ||
                whole.writes.count(variable) != 0 || isInner(variable))
                continue;
            clamp(variable, at - 1, range);
            if (range.low != LLONG_MIN && range.high != LLONG_MAX)
                return variable;
        }
        return nullptr;
    }

    /* The rest, with CHOSEN at the ends of what the guards let it be. */
    bool choose(const VarDecl *chosen, size_t at)
    {
        Reach range{LLONG_MIN, LLONG_MAX};
        clamp(chosen, at - 1, range);
        const Value before = trial.valueAt(Cell{chosen});
        const bool good = range.empty() ||
                          (with(chosen, range.low, true, at) && with(chosen, range.high, true, at));
        trial.memory[Cell{chosen}] = before;
        bound.erase(chosen);
        moving.erase(chosen);
        return good;
    }

    /* What is handed to PARAMETER is where a table of whole numbers is, and known: `starts[rank]`
     * means the same in the function as where it is called. */
    bool isTable(const Frame &parameter)
    {
        const QualType type = parameter.variable->getType();
        return type->isPointerType() && type->getPointeeType()->isIntegerType() &&
               whole.writes.count(parameter.variable) == 0 && isKnown(parameter.value, 0) &&
               !mentionsAny(parameter.value, moving);
    }

    /* The rest, with VARIABLE set to VALUE, or of unknown value unless it has one ALREADY. */
    bool with(const VarDecl *variable, std::optional<long long> value, bool moves, size_t at,
              bool already = false)
    {
        bound.erase(variable);
        moving.erase(variable);
        if (already)
            bound.insert(variable);
        if (value) {
            bound.insert(variable);
            trial.memory[Cell{variable}] = Value::of(*value);
            if (moves)
                moving.insert(variable);
        }
        return explore(at + 1);
    }

    bool count(const Frame &frame, size_t at)
    {
        std::optional<Reach> range = rangeOf(frame);
        if (!range || ++counters > MaxCounters)
            return with(frame.variable, std::nullopt, false, at);
        clamp(frame.variable, at, *range);
        bool good = true;
        const bool pinned = frame.loop == pin.loop;
        if (pinned && !range->empty()) {
            turns = std::max(turns, range->high - range->low);
            good = with(frame.variable, pin.high ? range->high : range->low, true, at);
        } else if (!range->empty()) {
            good = with(frame.variable, range->low, true, at) &&
                   (range->low == range->high || with(frame.variable, range->high, true, at));
        }
        bound.erase(frame.variable);
        moving.erase(frame.variable);
        counters--;
        return good;
    }

    std::optional<Reach> rangeOf(const Frame &frame)
    {
        const Head &head = frame.head;
        const bool down = head.falls;
        std::optional<long long> begin = head.first ? evaluate(head.first, true) : std::nullopt;
        if (head.first != nullptr && !begin)
            begin = least(head.first);
        if (!begin || head.condition == nullptr)
            return std::nullopt;
        Reach range{LLONG_MIN, LLONG_MAX};
        (down ? range.high : range.low) = *begin;
        limit(head.tested, head.condition, true, range);
        if ((down ? range.low : range.high) == (down ? LLONG_MIN : LLONG_MAX))
            return std::nullopt;
        return range;
    }

    /* The least that a sum with remainders may be, as where every other column is looked at, in
     * turn: 1 + (i + color) % 2, or & 1. */
    std::optional<long long> least(const Expr *expression)
    {
        const auto *binary = dyn_cast<BinaryOperator>(expression->IgnoreParenCasts());
        if (binary != nullptr && (binary->getOpcode() == BO_Rem || binary->getOpcode() == BO_And))
            return constantInteger(binary->getRHS(), whole.analysis.context).value_or(0) > 0
                       ? std::optional<long long>(0)
                       : std::nullopt;
        if (binary == nullptr || binary->getOpcode() != BO_Add)
            return evaluate(expression, true);
        std::optional<long long> left = least(binary->getLHS()), right = least(binary->getRHS());
        return left && right ? std::optional<long long>(*left + *right) : std::nullopt;
    }

    /* Conditions further in narrow what VARIABLE runs through there. */
    void clamp(const VarDecl *variable, size_t at, Reach &range)
    {
        for (size_t i = at + 1; i < frames.size(); i++) {
            if (frames[i].variable == variable)
                return; /* another one */
            if (frames[i].kind == Frame::Kind::Guard) {
                limit(variable, frames[i].value, frames[i].holds, range);
                lookUp(variable, frames[i], range);
            }
        }
    }

    void limit(const VarDecl *variable, const Expr *condition, bool holds, Reach &range)
    {
        const auto *binary = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
        if (binary == nullptr)
            return;
        if (binary->getOpcode() == (holds ? BO_LAnd : BO_LOr)) {
            limit(variable, binary->getLHS(), holds, range);
            return limit(variable, binary->getRHS(), holds, range);
        }
        if (!binary->isComparisonOp())
            return;
        BinaryOperatorKind kind = binary->getOpcode();
        const Expr *other = binary->getRHS();
        if (variableIn(binary->getLHS()) != variable) {
            if (variableIn(binary->getRHS()) != variable)
                return;
            other = binary->getLHS();
            kind = BinaryOperator::reverseComparisonOp(kind);
        }
        std::optional<long long> value = evaluate(other, true);
        if (value)
            narrow(holds ? kind : BinaryOperator::negateComparisonOp(kind), *value, range);
    }

    /* GUARD compares an element of a table, whose contents are known, with something: owner[i] ==
     * rank. It narrows RANGE to where that holds. */
    void lookUp(const VarDecl *variable, const Frame &guard, Reach &range)
    {
        const long long many = 4096;
        const auto *compared = dyn_cast<BinaryOperator>(guard.value->IgnoreParenImpCasts());
        const bool table = compared != nullptr && compared->isEqualityOp() &&
                           (isElementAt(compared->getLHS(), variable) ||
                            isElementAt(compared->getRHS(), variable));
        if (!table || range.empty() || range.low < 0 || range.high - range.low > many ||
            mentionsAny(compared, moving))
            return;
        Reach held;
        bool known = true;
        bound.insert(variable);
        for (long long i = range.low; known && i <= range.high; i++) {
            trial.memory[Cell{variable}] = Value::of(i);
            const std::optional<long long> holds = evaluate(compared, false);
            known = holds.has_value();
            if (holds && (*holds != 0) == guard.holds)
                held.add(i);
        }
        bound.erase(variable);
        if (known)
            range = held;
    }

    static bool isElementAt(const Expr *expression, const VarDecl *variable)
    {
        const auto *element = dyn_cast<ArraySubscriptExpr>(expression->IgnoreParenImpCasts());
        return element != nullptr && variableIn(element->getIdx()) == variable;
    }

    /* -- pointers */

    long long sizeBehind(const Expr *pointer) const
    {
        QualType type = pointer->getType()->getPointeeType();
        return type.isNull() || type->isIncompleteType() || type->isFunctionType()
                   ? 0
                   : whole.analysis.context.getTypeSizeInChars(type).getQuantity();
    }

    /* How many elements POINTER is behind the begin of the array, or of the one that the pointer
     * had before the loop. */
    std::optional<long long> shiftOf(const Expr *pointer)
    {
        const Expr *bare = pointer->IgnoreParens();
        if (const auto *cast = dyn_cast<CastExpr>(bare)) {
            std::optional<long long> shift = shiftOf(cast->getSubExpr());
            bool same = cast->getCastKind() == CK_ArrayToPointerDecay ||
                        sizeBehind(cast) == sizeBehind(cast->getSubExpr());
            return shift == 0 || same ? shift : std::nullopt;
        }
        if (const auto *reference = dyn_cast<DeclRefExpr>(bare)) {
            const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
            return variable ? shiftOf(variable->getCanonicalDecl()) : std::nullopt;
        }
        if (const auto *choice = dyn_cast<ConditionalOperator>(bare)) {
            std::optional<long long> shift = shiftOf(choice->getTrueExpr());
            return shift == shiftOf(choice->getFalseExpr()) ? shift : std::nullopt;
        }
        const auto *binary = dyn_cast<BinaryOperator>(bare);
        if (binary != nullptr && binary->isAdditiveOp()) {
            const auto [pointer, index] = sidesOf(binary);
            return sum(pointer, index, binary->getOpcode() == BO_Sub ? -1 : 1);
        }
        if (const Expr *target = addressedBy(bare))
            if (const auto *element = dyn_cast<ArraySubscriptExpr>(target->IgnoreParens()))
                return sum(element->getBase(), element->getIdx(), 1);
        const auto *unary = dyn_cast<UnaryOperator>(bare);
        bool other = isa<MemberExpr, ArraySubscriptExpr>(bare) ||
                     (unary != nullptr && unary->getOpcode() == UO_Deref);
        return other ? std::optional<long long>(0) : std::nullopt; /* a pointer kept somewhere */
    }

    std::optional<long long> sum(const Expr *pointer, const Expr *index, long long sign)
    {
        std::optional<long long> shift = shiftOf(pointer), value = evaluate(index, true);
        return shift && value ? std::optional<long long>(*shift + sign * *value) : std::nullopt;
    }

    std::optional<long long> shiftOf(const VarDecl *variable)
    {
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        auto known = shifts.find(variable);
        auto set = whole.uses.pointers.find(variable);
        bool changes = set != whole.uses.pointers.end();
        if (parameter != nullptr && !isOfPath(parameter->getDeclContext()))
            return known != shifts.end() && !changes ? known->second : std::nullopt;
        if (!changes)
            return 0;
        if (set->second.otherwise)
            return std::nullopt;
        if (!following.insert(variable).second)
            return 0; /* an exchange of pointers */
        std::optional<long long> shift;
        bool own = isInner(variable) || !whole.analysis.liveAtLoop(variable), good = true;
        for (const Expr *value : set->second.values) {
            std::optional<long long> next = shiftOf(value);
            bool fits = next && (own ? !shift || *shift == *next : *next == 0);
            good = good && fits;
            shift = next;
        }
        following.erase(variable);
        return good ? shift : std::nullopt;
    }

    /* -- values */

    /* The value of EXPRESSION, where everything in it is known. */
    std::optional<long long> evaluate(const Expr *expression, bool linear)
    {
        if (!expression->getType()->isIntegerType() || !isKnown(expression, 0) ||
            (linear && !isLinear(expression, moving)))
            return std::nullopt;
        return trial.integerOf(expression);
    }

    bool isKnown(const Stmt *expression, int depth)
    {
        if (const auto *call = dyn_cast<CallExpr>(expression))
            return isKnownCall(call, depth);
        if (isa<StmtExpr>(expression))
            return false;
        if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(expression))
            return !size->getTypeOfArgument()->isVariablyModifiedType();
        if (const auto *binary = dyn_cast<BinaryOperator>(expression))
            if (binary->isAssignmentOp())
                return false;
        if (const auto *unary = dyn_cast<UnaryOperator>(expression))
            if (unary->isIncrementDecrementOp())
                return false;
        if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
            return isKnownName(reference, depth);
        return llvm::all_of(partsIn(expression),
                            [&](const Stmt *child) { return isKnown(child, depth); });
    }

    bool isKnownCall(const CallExpr *call, int depth)
    {
        if (returnedBy(call) == nullptr)
            return false;
        return llvm::all_of(call->arguments(),
                            [&](const Expr *argument) { return isKnown(argument, depth); });
    }

    bool isKnownName(const DeclRefExpr *reference, int depth)
    {
        const VarDecl *variable = variableIn(reference);
        if (variable == nullptr || bound.count(variable) != 0)
            return true; /* an enumerator, or what has a value */
        if (whole.writes.count(variable) != 0)
            return substitute(variable, depth);
        if (whole.analysis.members.isShared(variable))
            return isKnownMember(variable);
        if (const auto *parameter = dyn_cast<ParmVarDecl>(variable))
            if (!isOfPath(parameter->getDeclContext()))
                return false;
        return !isInner(variable) || substitute(variable, depth);
    }

    /* A member of the struct that is passed this time, which the loop does not set. */
    bool isKnownMember(const VarDecl *variable) const
    {
        const std::set<const VarDecl *> &all = whole.analysis.members.meaning(variable);
        return llvm::none_of(
            all, [&](const VarDecl *member) { return whole.writes.count(member) != 0; });
    }

    bool isOfPath(const DeclContext *function) const
    {
        return llvm::any_of(whole.analysis.path,
                            [&](const Step &step) { return step.function == function; });
    }

    /* Declared in the loop, or in a function that it calls. */
    bool isInner(const VarDecl *variable) const
    {
        if (!variable->isLocalVarDecl())
            return false;
        const Step &step = whole.analysis.loopStep();
        return !isOfPath(variable->getDeclContext()) ||
               (variable->getDeclContext() == step.function &&
                !whole.analysis.structure.alive(variable, step.function, step.anchor));
    }

    /* A variable that is set once, or by a few statements in front of all that read it. */
    bool substitute(const VarDecl *variable, int depth)
    {
        const Expr *value = whole.onlyValueOf(variable);
        if (depth > MaxSubstitutions || variable->isStaticLocal() ||
            !variable->getType()->isIntegerType())
            return false;
        if (value == nullptr)
            return settle(variable, depth);
        if (!isKnown(value, depth + 1) || !isLinear(value, moving))
            return false;
        trial.memory.erase(Cell{variable});
        std::optional<long long> result = trial.integerOf(value);
        if (!result)
            return false;
        trial.memory[Cell{variable}] = Value::of(*result);
        if (mentionsAny(value, moving))
            moving.insert(variable);
        return true;
    }

    /* `int next = rank + 1; if (next == size) next = 0;`: the statements are tried. */
    bool settle(const VarDecl *variable, int depth)
    {
        const std::vector<const Stmt *> settings = whole.settingsOf(variable);
        if (settings.empty() || !areSteady(settings, variable, depth + 1))
            return false;
        trial.memory.erase(Cell{variable});
        if (const Expr *init =
                whole.isDeclaredBeside(variable, settings.front()) ? variable->getInit() : nullptr)
            if (std::optional<long long> first = trial.integerOf(init))
                trial.memory[Cell{variable}] = Value::of(*first);
        const bool performed =
            llvm::all_of(settings, [&](const Stmt *one) { return perform(one); });
        return performed && trial.integerAt(Cell{variable}).has_value();
    }

    /* Tries STATEMENT, of branches and expressions; false: it is not known which way it goes. */
    bool perform(const Stmt *statement)
    {
        if (const auto *choice = dyn_cast_or_null<IfStmt>(statement)) {
            const std::optional<long long> holds = trial.integerOf(choice->getCond());
            return holds && perform(*holds != 0 ? choice->getThen() : choice->getElse());
        }
        if (const auto *block = dyn_cast_or_null<CompoundStmt>(statement))
            return llvm::all_of(block->body(), [&](const Stmt *one) { return perform(one); });
        if (const auto *expression = dyn_cast_or_null<Expr>(statement))
            trial.integerOf(expression);
        return statement == nullptr || isa<Expr>(statement);
    }

    /* All that SETTINGS, or where VARIABLE is declared, go by is known, whatever counters are. */
    bool areSteady(const std::vector<const Stmt *> &settings, const VarDecl *variable, int depth)
    {
        const auto isSteady = [&](const Expr *read) {
            return variableIn(read) == variable ||
                   (isKnown(read, depth) && !mentionsAny(read, moving));
        };
        bool steady = variable->getInit() == nullptr || isSteady(variable->getInit());
        for (const Stmt *setting : settings)
            eachWithin(setting, [&](const Stmt *one) {
                const auto *read = dyn_cast<DeclRefExpr>(one);
                const auto *call = dyn_cast<CallExpr>(one);
                steady = steady && !isa<StmtExpr>(one) && (read == nullptr || isSteady(read)) &&
                         (call == nullptr || isSteady(call));
            });
        return steady;
    }
};

Trial &Reaches::trialOf(size_t sample) const
{
    tries.resize(survey.samples.size());
    if (tries[sample] == nullptr) {
        tries[sample] = std::make_unique<Trial>(survey.samples[sample].trial);
        tries[sample]->over = true;
    }
    return *tries[sample];
}

std::optional<std::vector<Reach>> Reaches::along(const Frames &frames, const Expr *base,
                                                 const Expr *index, Pin pin,
                                                 std::vector<long long> *turns, bool choices) const
{
    std::vector<Reach> all;
    std::vector<std::set<const Expr *>> missed;
    std::map<size_t, std::set<const Expr *>> held; /* by any process of a round */
    const auto explore = [&](size_t sample, bool exact) -> std::optional<Walk> {
        Walk walk{*this, frames, base, index, trialOf(sample), {}, {}, {}, {}, pin, {}};
        walk.choices = choices;
        walk.exact = exact;
        return walk.explore(0) ? std::optional<Walk>(walk) : std::nullopt;
    };
    for (size_t i = 0; i < survey.samples.size(); i++) {
        const std::optional<Walk> walk = explore(i, analysis.startsOver);
        if (!walk)
            return std::nullopt;
        all.push_back(walk->reach);
        missed.push_back(walk->missed);
        held[survey.samples[i].round].insert(walk->held.begin(), walk->held.end());
        if (turns != nullptr)
            turns->push_back(walk->turns);
    }
    for (size_t i = 0; i < all.size(); i++) { /* what nobody gets through goes by made-up numbers */
        const std::set<const Expr *> &some = held[survey.samples[i].round];
        if (std::includes(some.begin(), some.end(), missed[i].begin(), missed[i].end()))
            continue;
        const std::optional<Walk> walk = explore(i, false);
        if (!walk)
            return std::nullopt;
        all[i] = walk->reach;
    }
    return all;
}

std::optional<Reaches::Ways> Reaches::onEachWay(const Expr *base, const Expr *index,
                                                const Arrays *arrays, bool choices) const
{
    Ways ways;
    for (const Frames &frames : waysTo(index != nullptr ? index : base, 0)) {
        if (arrays != nullptr && !mayLeadTo(*arrays, base, frames))
            continue;
        std::optional<std::vector<Reach>> reach = along(frames, base, index, {}, nullptr, choices);
        if (!reach)
            return std::nullopt;
        ways.push_back(*reach);
    }
    return ways;
}

std::optional<std::vector<Reach>> Reaches::exactly(const Expr *base, const Expr *index) const
{
    std::vector<Reach> all(survey.samples.size());
    const std::vector<Frames> ways = waysTo(index, 0);
    for (const Frames &frames : ways)
        for (size_t i = 0; i < all.size(); i++) {
            Walk walk{*this, frames, base, index, trialOf(i), {}, {}, {}, {}, {}, {}};
            walk.exact = true;
            if (!walk.explore(0))
                return std::nullopt;
            all[i].add(walk.reach);
        }
    return ways.empty() ? std::nullopt : std::optional(all);
}

} // namespace xmpi
