/* SPDX-License-Identifier: BSD-3-Clause
 * Walks one iteration in its order. What is not understood counts as reading. */
#include "facts/first_use.h"
#include "library/mpi_outputs.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

/* What happens first: nothing, a write of some part, a write of the whole, a broadcast (which makes
 * whole what one rank has written), or a read. */
enum class Use { Nothing, Part, Whole, Broadcast, Read };

/* What happens when FIRST is followed by NEXT. */
Use then(Use first, Use next)
{
    if (first == Use::Whole || first == Use::Read || next == Use::Nothing)
        return first;
    if (first == Use::Part && next == Use::Broadcast)
        return Use::Whole;
    return first == Use::Broadcast ? Use::Read : next;
}

/* One of the two happens. */
Use either(Use one, Use other)
{
    if (one == other)
        return one;
    bool unclear =
        one == Use::Read || other == Use::Read || one == Use::Broadcast || other == Use::Broadcast;
    return unclear ? Use::Read : Use::Part;
}

class FirstUse
{
  public:
    FirstUse(const Analysis &analysis, const VarDecl *variable, const FieldDecl *field)
        : analysis(analysis), variable(variable->getCanonicalDecl()), field(field)
    {
    }

    bool leftEarly = false; /* the loop can be left before the whole is written */
    bool byPlace = false;   /* what depends on the rank or size only is as good as always */
    bool received = false;  /* a message may fill it */

    Use of(const Stmt *statement)
    {
        if (statement == nullptr || analysis.finder.skipped.count(statement))
            return Use::Nothing;
        if (const auto *block = dyn_cast<CompoundStmt>(statement))
            return ofBlock(block);
        if (const auto *choice = dyn_cast<IfStmt>(statement))
            return then(of(choice->getCond()),
                        branches(choice, of(choice->getThen()), of(choice->getElse())));
        if (isa<ForStmt>(statement) || isa<WhileStmt>(statement) || isa<DoStmt>(statement))
            return ofLoop(statement);
        if (const auto *choice = dyn_cast<SwitchStmt>(statement))
            return then(of(choice->getCond()), either(of(choice->getBody()), Use::Nothing));
        if (isa<BreakStmt>(statement) || isa<ReturnStmt>(statement) || isa<GotoStmt>(statement))
            leftEarly = leftEarly || depth == 0 || !isa<BreakStmt>(statement);
        if (isa<LabelStmt>(statement) && mentions(statement))
            return Use::Read; /* who knows what leads here */
        if (const auto *expression = dyn_cast<Expr>(statement))
            return ofExpression(expression);
        return ofChildren(statement);
    }

  private:
    const Analysis &analysis;
    const VarDecl *variable;
    const FieldDecl *field;
    int depth = 0;             /* of loops inside the iteration */
    Use before = Use::Nothing; /* in the block, before the statement at hand */
    std::set<const FunctionDecl *> open;
    mutable std::optional<std::set<const VarDecl *>> counters; /* of loops in the iteration */

    bool isIt(const Place &place) const
    {
        return place.base->getCanonicalDecl() == variable &&
               (field == nullptr || place.field == nullptr || place.field == field);
    }

    /* A member of one of several structs, of which it may be one. */
    bool mayBeIt(const Place &place) const
    {
        return analysis.members.meaning(place.base).count(variable) != 0;
    }

    bool mentions(const Stmt *statement) const
    {
        const Effects effects = analysis.finder.withCallees(statement);
        return std::any_of(effects.mentions.begin(), effects.mentions.end(),
                           [&](const Mention &mention) { return isIt(mention.place); });
    }

    Use ofChildren(const Stmt *statement)
    {
        Use use = Use::Nothing;
        for (const Stmt *child : statement->children())
            use = then(use, of(child));
        return use;
    }

    Use ofBlock(const CompoundStmt *block)
    {
        Use use = Use::Nothing;
        for (const Stmt *child : block->body()) {
            bool early = leftEarly;
            before = use;
            use = then(use, of(child));
            if (use == Use::Whole || use == Use::Read) {
                leftEarly = use == Use::Whole ? early : leftEarly;
                return use;
            }
        }
        return use;
    }

    /* One side sets it, and the same side in all iterations until a reconfiguration. */
    Use branches(const IfStmt *choice, Use one, Use other) const
    {
        bool half = (one == Use::Whole && other == Use::Nothing) ||
                    (one == Use::Nothing && other == Use::Whole);
        if (!byPlace || !half)
            return either(one, other);
        for (const Mention &mention : analysis.finder.of(choice->getCond()).mentions)
            for (const Write &write : analysis.inLoop.writes)
                if (overlap(write.place, mention.place))
                    return either(one, other);
        return Use::Whole;
    }

    /* -- loops inside the iteration */

    Use ofLoop(const Stmt *loop)
    {
        const auto *counted = dyn_cast<ForStmt>(loop);
        const auto *until = dyn_cast<DoStmt>(loop);
        Use use = counted ? of(counted->getInit()) : Use::Nothing;
        if (const Expr *condition = conditionOf(loop))
            use = then(use, of(condition));
        Use before = this->before;
        depth++;
        Use inside = of(bodyOf(loop));
        depth--;
        if (until != nullptr)
            inside = then(inside, of(until->getCond()));
        bool partly = inside == Use::Part || inside == Use::Read;
        if (partly && counted != nullptr &&
            (fills(counted) || (before == Use::Part && runsAlong(counted))))
            inside = Use::Whole;
        if (inside == Use::Whole && counted == nullptr && until == nullptr)
            inside = Use::Part; /* perhaps it does not run at all */
        return then(use, inside);
    }

    struct Access {
        bool write;
        llvm::FoldingSetNodeID index; /* equal for equal expressions */
        const Expr *last;             /* the last index, and whether it is the only one */
        bool only;
        bool wanders; /* it depends on which iteration it is */
    };

    /* Every element of the array that STATEMENT names; false when it is named without an index. */
    bool collect(const Stmt *statement, std::vector<Access> &accesses, bool written = false) const
    {
        if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(statement)) {
            std::optional<Place> place = placeOf(subscript);
            if (place && isIt(*place)) {
                accesses.push_back(accessOf(subscript, written));
                return collect(subscript->getIdx(), accesses);
            }
        }
        if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
            std::optional<Place> place = placeOf(reference);
            return !place || (place->base->getCanonicalDecl() != variable && !mayBeIt(*place));
        }
        const auto *binary = dyn_cast<BinaryOperator>(statement);
        if (binary != nullptr && binary->isAssignmentOp())
            return collect(binary->getRHS(), accesses) &&
                   collect(binary->getLHS(), accesses, !binary->isCompoundAssignmentOp());
        for (const Stmt *child : statement->children())
            if (child != nullptr && !collect(child, accesses))
                return false;
        return true;
    }

    Access accessOf(const ArraySubscriptExpr *subscript, bool written) const
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
    bool fills(const ForStmt *loop) const
    {
        std::vector<Access> accesses;
        if (!collect(loop->getBody(), accesses) || accesses.empty())
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

    /* What VALUE depends on is another in each iteration, beside counters of loops inside it: what
     * is written at such places is a further part each time, as in t[k * w + j]. */
    bool followsIteration(const Stmt *value, int depth) const
    {
        enum { MaxDepth = 5 };
        if (depth > MaxDepth)
            return true;
        const Effects effects = analysis.finder.of(value);
        return std::any_of(
            effects.mentions.begin(), effects.mentions.end(), [&](const Mention &mention) {
                return followsIteration(mention.place.base->getCanonicalDecl(), depth);
            });
    }

    bool followsIteration(const VarDecl *named, int depth) const
    {
        if (named == variable || isCounter(named))
            return false;
        if (const auto *parameter = dyn_cast<ParmVarDecl>(named))
            if (parameter->getDeclContext() != analysis.loopStep().function)
                return std::any_of(analysis.inLoop.calls.begin(), analysis.inLoop.calls.end(),
                                   [&](const CallExpr *call) {
                                       const Expr *given = argumentFor(call, parameter);
                                       return given && followsIteration(given, depth + 1);
                                   });
        const bool inside = isInIteration(named);
        if (inside && named->getInit() != nullptr && followsIteration(named->getInit(), depth + 1))
            return true;
        return std::any_of(
            analysis.inLoop.writes.begin(), analysis.inLoop.writes.end(), [&](const Write &write) {
                return write.place.base->getCanonicalDecl() == named &&
                       (!inside ||
                        (write.value != nullptr && followsIteration(write.value, depth + 1)));
            });
    }

    static const Expr *argumentFor(const CallExpr *call, const ParmVarDecl *parameter)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        const auto *function = cast<FunctionDecl>(parameter->getDeclContext());
        unsigned index = parameter->getFunctionScopeIndex();
        bool fits = callee != nullptr &&
                    callee->getCanonicalDecl() == function->getCanonicalDecl() &&
                    index < call->getNumArgs();
        return fits ? call->getArg(index) : nullptr;
    }

    /* Declared in the body of the loop, or in a function that it calls. */
    bool isInIteration(const VarDecl *named) const
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
    bool isCounter(const VarDecl *named) const
    {
        if (!counters) {
            counters.emplace();
            collectCounters(bodyOf(analysis.loop));
            for (const FunctionDecl *function : analysis.finder.reachable(analysis.inLoop))
                collectCounters(function->getBody());
        }
        return counters->count(named) != 0;
    }

    void collectCounters(const Stmt *statement) const
    {
        if (const auto *counted = dyn_cast<ForStmt>(statement))
            if (const VarDecl *counter = counterOf(counted))
                counters->insert(counter->getCanonicalDecl());
        for (const Stmt *child : statement->children())
            if (child != nullptr)
                collectCounters(child);
    }

    static size_t distinct(const std::vector<Access> &accesses)
    {
        size_t count = 0;
        for (auto access = accesses.begin(); access != accesses.end(); ++access)
            count += std::none_of(accesses.begin(), access, [&](const Access &earlier) {
                return earlier.index == access->index;
            });
        return count;
    }

    /* How far LOOP counts in each pass. */
    size_t stepOf(const ForStmt *loop) const
    {
        if (isa_and_nonnull<UnaryOperator>(loop->getInc()))
            return 1;
        const auto *binary = dyn_cast_or_null<BinaryOperator>(loop->getInc());
        Expr::EvalResult step;
        if (binary == nullptr || !binary->isCompoundAssignmentOp() ||
            !binary->getRHS()->EvaluateAsInt(step, analysis.context) ||
            step.Val.getInt().isNegative())
            return SIZE_MAX;
        return static_cast<size_t>(step.Val.getInt().getExtValue());
    }

    /* A pass of the loop around STATEMENT may end inside it. */
    static bool leaves(const Stmt *statement)
    {
        if (isa<BreakStmt>(statement) || isa<ContinueStmt>(statement) || isa<GotoStmt>(statement) ||
            isa<ReturnStmt>(statement))
            return true;
        return std::any_of(statement->child_begin(), statement->child_end(),
                           [](const Stmt *child) { return child != nullptr && leaves(child); });
    }

    /* x[i] from x[i - 1], or from x[i + 1]: the first element has been written before. */
    bool runsAlong(const ForStmt *loop) const
    {
        std::vector<Access> accesses;
        const VarDecl *counter = counterOf(loop);
        const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
        if (!collect(loop->getBody(), accesses) || counter == nullptr || step == nullptr)
            return false;
        bool written = false;
        for (const Access &access : accesses) {
            const Expr *index = access.last;
            bool fits = access.only &&
                        (access.write ? names(index, counter) : isBefore(index, counter, step));
            if (!fits)
                return false;
            written = written || access.write;
        }
        return written && isAlways(loop->getBody());
    }

    static bool names(const Expr *expression, const VarDecl *variable)
    {
        const auto *reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
        return reference != nullptr && reference->getDecl() == variable;
    }

    /* counter - 1 where it counts up, counter + 1 where it counts down. */
    bool isBefore(const Expr *index, const VarDecl *counter, const UnaryOperator *step) const
    {
        const auto *binary = dyn_cast<BinaryOperator>(index);
        Expr::EvalResult one;
        return binary != nullptr &&
               binary->getOpcode() == (step->isIncrementOp() ? BO_Sub : BO_Add) &&
               names(binary->getLHS(), counter) &&
               binary->getRHS()->EvaluateAsInt(one, analysis.context) && one.Val.getInt() == 1;
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

    bool runsOver(const ForStmt *loop, const Expr *index) const
    {
        const VarDecl *counter = counterOf(loop);
        const Effects effects = analysis.finder.of(index);
        return counter != nullptr &&
               std::any_of(effects.mentions.begin(), effects.mentions.end(),
                           [&](const Mention &mention) {
                               return mention.place.base == counter ||
                                      isFrom(mention.place.base, counter, loop);
                           });
    }

    /* VARIABLE is declared in LOOP with a value from COUNTER: int at = j * m + i; */
    bool isFrom(const VarDecl *variable, const VarDecl *counter, const ForStmt *loop) const
    {
        const Effects effects = analysis.finder.of(loop->getBody());
        if (variable->getInit() == nullptr ||
            std::find(effects.declared.begin(), effects.declared.end(), variable) ==
                effects.declared.end())
            return false;
        const Effects from = analysis.finder.of(variable->getInit());
        return std::any_of(from.mentions.begin(), from.mentions.end(),
                           [&](const Mention &mention) { return mention.place.base == counter; });
    }

    /* The first write in the body does not depend on a condition of one side only. */
    bool isAlways(const Stmt *body) const
    {
        for (const Write &write : analysis.finder.of(body).writes) {
            if (!isIt(write.place))
                continue;
            const Stmt *next = nullptr;
            for (const Stmt *at = find(body, write.where); at != nullptr && at != body;
                 next = at, at = analysis.structure.parent(at)) {
                const auto *choice = dyn_cast<IfStmt>(at);
                if (isa<WhileStmt>(at) || isa<SwitchStmt>(at) || isa<ConditionalOperator>(at))
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

    bool writesIn(const Stmt *statement) const
    {
        const Effects effects = analysis.finder.of(statement);
        return std::any_of(effects.writes.begin(), effects.writes.end(),
                           [&](const Write &write) { return isIt(write.place); });
    }

    /* The expression at WHERE inside STATEMENT. */
    static const Stmt *find(const Stmt *statement, SourceLocation where)
    {
        if (const auto *expression = dyn_cast<Expr>(statement))
            if (expression->getExprLoc() == where)
                return statement;
        for (const Stmt *child : statement->children())
            if (child != nullptr)
                if (const Stmt *found = find(child, where))
                    return found;
        return nullptr;
    }

    /* -- expressions */

    Use ofExpression(const Expr *expression)
    {
        expression = expression->IgnoreParenImpCasts();
        if (isa<UnaryExprOrTypeTraitExpr>(expression))
            return Use::Nothing;
        if (const auto *binary = dyn_cast<BinaryOperator>(expression))
            if (binary->isAssignmentOp())
                return ofAssignment(binary);
        if (const auto *call = dyn_cast<CallExpr>(expression))
            return ofCall(call);
        if (const auto *choice = dyn_cast<ConditionalOperator>(expression))
            return then(of(choice->getCond()),
                        either(of(choice->getTrueExpr()), of(choice->getFalseExpr())));
        if (isa<DeclRefExpr>(expression) || isa<MemberExpr>(expression)) {
            std::optional<Place> place = placeOf(expression);
            if (place && (isIt(*place) || mayBeIt(*place)))
                return Use::Read;
            if (place && !place->element)
                return Use::Nothing; /* another member */
        }
        return ofChildren(expression);
    }

    Use ofAssignment(const BinaryOperator *binary)
    {
        Use use = of(binary->getRHS());
        const Expr *target = binary->getLHS()->IgnoreParens();
        std::optional<Place> place = placeOf(target);
        bool perhaps = place && mayBeIt(*place);
        if (!place || (!isIt(*place) && !perhaps) || binary->isCompoundAssignmentOp())
            return then(use, of(target));
        for (const Expr *at = target; const auto *subscript = dyn_cast<ArraySubscriptExpr>(at);
             at = subscript->getBase()->IgnoreParenImpCasts())
            use = then(use, of(subscript->getIdx()));
        bool all = isa<DeclRefExpr>(target) || (field != nullptr && isa<MemberExpr>(target));
        return then(use, all && !perhaps && place->field == field ? Use::Whole : Use::Part);
    }

    /* The argument is the variable itself, or its address, from its beginning. */
    bool isWhole(const Expr *argument) const
    {
        const Expr *buffer = bufferOf(analysis.context, argument);
        std::optional<Place> place = buffer ? placeOf(buffer) : std::nullopt;
        return place && place->base->getCanonicalDecl() == variable && place->field == field;
    }

    Use ofCall(const CallExpr *call)
    {
        const Expr *output = outputOf(call), *broadcast = broadcastOf(call);
        if (PersistentRequests::isInit(call))
            return ofInit(call);
        const FunctionDecl *callee = call->getDirectCallee();
        callee = callee != nullptr ? callee->getDefinition() : nullptr;
        Use use = Use::Nothing, passed = Use::Nothing;
        for (unsigned i = 0; i < call->getNumArgs(); i++) {
            const Expr *argument = call->getArg(i);
            if (argument == output && isWhole(argument)) {
                passed = fillsPart(analysis.context, call) ? Use::Part : Use::Whole;
                received = received || mayReceive(call);
            } else if (argument == broadcast && isWhole(argument) &&
                       !fillsPart(analysis.context, call))
                passed = Use::Broadcast;
            else if (callee != nullptr && i < callee->getNumParams() && isWhole(argument) &&
                     callee->getParamDecl(i)->getType()->isPointerType())
                passed = then(passed, inFunction(callee, i));
            else if (callee == nullptr && isInside(argument))
                use = then(use, Use::Read);
            else
                use = then(use, of(argument));
        }
        use = then(use, then(passed, ofStarted(call)));
        if (callee != nullptr && variable->hasGlobalStorage())
            use = then(use, inFunction(callee, callee->getNumParams()));
        if (callee == nullptr && variable->hasGlobalStorage())
            for (const FunctionDecl *possible : analysis.finder.callees(call))
                use =
                    then(use, either(Use::Nothing, inFunction(possible, possible->getNumParams())));
        return use;
    }

    /* A persistent request is told where its buffers are, and looks at them when it is started. */
    Use ofInit(const CallExpr *call)
    {
        Use use = Use::Nothing;
        for (unsigned i = 0; i + 1 < call->getNumArgs(); i++)
            if (!call->getArg(i)->getType()->isPointerType())
                use = then(use, of(call->getArg(i)));
        return use;
    }

    /* Persistent requests that the call starts read and fill their buffers. */
    Use ofStarted(const CallExpr *call)
    {
        Use use = Use::Nothing, filled = Use::Nothing;
        for (const RequestBuffer &buffer : analysis.requests.startedBy(call)) {
            if (!buffer.received) {
                use = then(use, of(buffer.expression));
            } else if (buffer.exact && isWhole(buffer.expression)) {
                filled = Use::Whole;
                received = true;
            } else if (of(buffer.expression) != Use::Nothing && filled == Use::Nothing) {
                filled = Use::Part;
            }
        }
        return then(use, filled);
    }

    /* A struct that it is a member of. */
    bool isInside(const Expr *argument) const
    {
        const std::vector<const VarDecl *> all = analysis.members.inside(argument);
        return std::find(all.begin(), all.end(), variable) != all.end();
    }

    /* From MPI_PROC_NULL nothing comes. */
    static bool mayReceive(const CallExpr *call)
    {
        llvm::StringRef name = calleeName(call);
        return name == "MPI_Recv" || name == "MPI_Irecv" || name == "MPI_Sendrecv";
    }

    /* What FUNCTION does with its parameter INDEX; with the variable itself, a global. */
    Use inFunction(const FunctionDecl *function, unsigned index)
    {
        if (!open.insert(function).second)
            return Use::Read;
        bool global = index >= function->getNumParams();
        FirstUse inside(analysis, global ? variable : function->getParamDecl(index), field);
        inside.open = open;
        inside.depth = 1;
        inside.byPlace = byPlace;
        Use use = inside.of(function->getBody());
        received = received || inside.received;
        open.erase(function);
        /* Left early, it may not have written. */
        return use == Use::Whole && inside.leftEarly ? Use::Part : use;
    }
};

} // namespace

/* One iteration of the loop, in its order. */
static Use walkIteration(Analysis &analysis, FirstUse &first, bool &leftEarly)
{
    Use use = Use::Nothing;
    const auto *until = dyn_cast<DoStmt>(analysis.loop);
    const auto *counted = dyn_cast<ForStmt>(analysis.loop);
    use = then(use, first.of(bodyOf(analysis.loop)));
    leftEarly = first.leftEarly;
    if (counted != nullptr)
        use = then(use, first.of(counted->getInc()));
    return then(use, first.of(until ? until->getCond() : conditionOf(analysis.loop)));
}

bool receivesBeforeReading(Analysis &analysis, const VarDecl *variable)
{
    FirstUse first(analysis, variable, nullptr);
    bool leftEarly = false;
    first.byPlace = true;
    return walkIteration(analysis, first, leftEarly) == Use::Whole && first.received;
}

bool readsBeforeSetting(const Analysis &analysis, const Stmt *statement, const VarDecl *variable,
                        const FieldDecl *field)
{
    return FirstUse(analysis, variable, field).of(statement) == Use::Read;
}

bool setsAll(const Analysis &analysis, const Stmt *statement, const VarDecl *variable,
             const FieldDecl *field)
{
    FirstUse first(analysis, variable, field);
    Use use = first.of(statement);
    return (use == Use::Whole || use == Use::Broadcast) && !first.leftEarly;
}

bool setsBeforeReading(Analysis &analysis, const VarDecl *variable, const FieldDecl *field,
                       bool lasting)
{
    FirstUse first(analysis, variable, field);
    bool leftEarly = false;
    Use use = walkIteration(analysis, first, leftEarly);
    if (use == Use::Whole)
        return !lasting || !leftEarly;
    return use != Use::Read && use != Use::Broadcast && !lasting;
}

} // namespace xmpi
