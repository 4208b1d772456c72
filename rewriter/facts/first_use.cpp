/* SPDX-License-Identifier: BSD-3-Clause
 * Walks one iteration in its order. What is not understood counts as reading. */
#include "facts/first_use.h"
#include "compat.h"
#include "facts/filling.h"
#include "index/set_elements.h"
#include "library/mpi_outputs.h"
#include "source/integer.h"
#include "source/loops.h"
#include "source/variable.h"

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
        : analysis(analysis), variable(variable->getCanonicalDecl()), field(field),
          elements(analysis, variable), filling(analysis, variable, field)
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
        if (const auto *choice = dyn_cast<IfStmt>(statement)) {
            const Use condition = of(choice->getCond());
            const Use one = perhaps(choice->getThen()), other = perhaps(choice->getElse());
            return then(condition, branches(choice, one, other));
        }
        if (isLoop(statement))
            return ofLoop(statement);
        if (const auto *choice = dyn_cast<SwitchStmt>(statement))
            return then(of(choice->getCond()), either(perhaps(choice->getBody()), Use::Nothing));
        if (isa<BreakStmt, ReturnStmt, GotoStmt>(statement))
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
    SetElements elements;       /* of the array that the variable is */
    std::set<unsigned> members; /* that have been set, of the struct that it is */
    Filling filling;

    /* STATEMENT, which may run or not: elements that it sets are not set behind it. */
    Use perhaps(const Stmt *statement)
    {
        const SetElements before = elements;
        const std::set<unsigned> known = members;
        const Use use = of(statement);
        elements = before;
        members = known;
        return use;
    }

    /* The numbers of the element of the array that TARGET is; nothing where they are not known. */
    std::optional<SetElements::Span> numbersOf(const Expr *target) const
    {
        const auto *subscript = dyn_cast<ArraySubscriptExpr>(target);
        return subscript != nullptr && isElement(subscript) ? elements.spanOf(subscript->getIdx())
                                                            : std::nullopt;
    }

    /* The member of the struct that TARGET is, by its number. */
    std::optional<unsigned> memberOf(const Expr *target) const
    {
        const auto *member = dyn_cast<MemberExpr>(target);
        const auto *one = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
        const auto *name =
            member ? dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts()) : nullptr;
        return one != nullptr && name != nullptr && !member->isArrow() && field == nullptr &&
                       name->getDecl()->getCanonicalDecl() == variable &&
                       !one->getParent()->isUnion() && target->getType()->isArithmeticType()
                   ? std::optional(one->getFieldIndex())
                   : std::nullopt;
    }

    /* All members have been set, one by one. */
    bool hasAllMembers() const
    {
        const RecordDecl *record = variable->getType()->getAsRecordDecl();
        return record != nullptr && llvm::all_of(record->fields(), [&](const FieldDecl *one) {
                   return members.count(one->getFieldIndex()) != 0;
               });
    }

    bool isElement(const ArraySubscriptExpr *subscript) const
    {
        return field == nullptr && variableIn(subscript->getBase()) == variable &&
               subscript->getType()->isArithmeticType();
    }

    bool hasBeenSet(const Expr *expression) const
    {
        const std::optional<SetElements::Span> numbers = numbersOf(expression);
        const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression);
        return (numbers && elements.has(*numbers)) ||
               (subscript != nullptr && isElement(subscript) &&
                elements.hasAllOf(subscript->getIdx()));
    }

    /* CALL may read no more from the array at ARGUMENT than what has been set. */
    bool readsWhatIsSet(const CallExpr *call, const Expr *argument) const
    {
        return startsWith(calleeName(call), "MPI_") && field == nullptr && isWhole(argument) &&
               llvm::any_of(call->arguments(), [&](const Expr *count) {
                   return count->getType()->isIntegerType() && elements.hasBegin(count);
               });
    }

    /* The numbers of the elements that LOOP sets, one in each pass; nothing where it does more, or
     * they are not known. */
    std::optional<SetElements::Span> spanSetBy(const ForStmt *loop) const
    {
        const std::optional<CountedLoop> counted = countedLoop(loop);
        const Expr *index = counted ? filling.indexSetBy(loop) : nullptr;
        return index != nullptr ? elements.setBy(*counted, index) : std::nullopt;
    }

    /* LOOP fills the array, as far as it runs. */
    Use ofFilled(const ForStmt *loop)
    {
        if (!filling.variesInLength(loop))
            return ofSpan(spanSetBy(loop), loop, Use::Whole);
        const std::optional<CountedLoop> counted = countedLoop(loop);
        const Expr *index = counted ? filling.indexSetBy(loop) : nullptr;
        if (index != nullptr && variableIn(index) == counted->counter &&
            filling.staysInIteration(counted->begin) && filling.staysInIteration(counted->end))
            elements.add(*counted);
        return Use::Part;
    }

    /* SETTING sets SPAN of the array. */
    Use ofSpan(const std::optional<SetElements::Span> &span, const Stmt *setting, Use unknown)
    {
        if (!span || field != nullptr)
            return unknown;
        elements.add(*span);
        if (elements.hasAll())
            return Use::Whole;
        /* what nothing else sets is as it was before the loop */
        return elements.knowsLength() && filling.isSetBeside(setting) ? Use::Part : unknown;
    }

    bool mentions(const Stmt *statement) const
    {
        const Effects effects = analysis.finder.withCallees(statement);
        return llvm::any_of(effects.mentions,
                            [&](const Mention &mention) { return filling.isIt(mention.place); });
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
        if (const Expr *condition = conditionBefore(loop))
            use = then(use, of(condition));
        Use before = this->before;
        const std::optional<CountedLoop> plain = counted ? countedLoop(counted) : std::nullopt;
        depth++;
        const SetElements outside = elements;
        const std::set<unsigned> known = members;
        if (plain)
            elements.around.push_back(*plain);
        Use inside = of(bodyOf(loop));
        elements = outside;
        members = known;
        depth--;
        if (until != nullptr)
            inside = then(inside, of(until->getCond()));
        bool partly = inside == Use::Part || inside == Use::Read;
        if (partly && counted != nullptr &&
            (filling.fills(counted) || (before == Use::Part && filling.runsAlong(counted))))
            inside = ofFilled(counted);
        else if (inside == Use::Part && counted != nullptr)
            inside = ofSpan(spanSetBy(counted), counted, Use::Part);
        if (inside == Use::Whole && counted == nullptr && until == nullptr)
            inside = Use::Part; /* perhaps it does not run at all */
        return then(use, inside);
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
                        either(perhaps(choice->getTrueExpr()), perhaps(choice->getFalseExpr())));
        if (hasBeenSet(expression))
            return of(cast<ArraySubscriptExpr>(expression)->getIdx());
        if (isa<DeclRefExpr, MemberExpr>(expression)) {
            std::optional<Place> place = placeOf(expression);
            if (place && (filling.isIt(*place) || filling.mayBeIt(*place)))
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
        bool perhaps = place && filling.mayBeIt(*place);
        if (!place || (!filling.isIt(*place) && !perhaps) || binary->isCompoundAssignmentOp())
            return then(use, of(target));
        for (const Expr *at = target; const auto *subscript = dyn_cast<ArraySubscriptExpr>(at);
             at = subscript->getBase()->IgnoreParenImpCasts())
            use = then(use, of(subscript->getIdx()));
        if (const std::optional<unsigned> member = memberOf(target)) {
            members.insert(*member);
            if (use != Use::Read && hasAllMembers())
                return then(use, Use::Whole);
        }
        if (const auto number = numbersOf(target); SetElements::isOneNumber(number)) {
            elements.add(*number);
            if (use != Use::Read && elements.hasAll())
                return then(use, Use::Whole);
        }
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

    /* CALL reads from a file into the variable: all of it, as far as can be seen; else nothing.
     * What of a piece of own rows it does not read is not looked at, as the flow of ranks sees. */
    Use ofFileRead(const CallExpr *call, const Expr *argument) const
    {
        const FileCall *known = fileCallOf(call);
        if (known == nullptr || known->writes || argument != call->getArg(known->buffer) ||
            !isWhole(argument))
            return Use::Nothing;
        const bool rows = analysis.isRowFile(variableIn(call->getArg(known->file)));
        const Expr *buffer = bufferOf(analysis.context, argument);
        if (buffer->getType()->isPointerType() || buffer->getType()->isVariablyModifiedType())
            return rows ? Use::Whole : Use::Nothing;
        std::optional<long long> bytes =
            constantInteger(call->getArg(known->bytes)->IgnoreParenCasts(), analysis.context);
        if (!bytes || known->file > known->bytes) /* of a stream in two factors */
            return rows ? Use::Whole : Use::Nothing;
        const long long all = analysis.context.getTypeSizeInChars(buffer->getType()).getQuantity();
        return *bytes >= all ? Use::Whole : rows ? Use::Part : Use::Nothing;
    }

    /* The argument is the address of the struct that the variable is, of which it is a member. */
    bool isStruct(const Expr *argument) const
    {
        const Expr *buffer = bufferOf(analysis.context, argument);
        std::optional<Place> place = buffer ? placeOf(buffer) : std::nullopt;
        return field != nullptr && place && place->base->getCanonicalDecl() == variable &&
               place->field == nullptr && !place->behind && place->type->isRecordType();
    }

    std::optional<SetElements::Span> spanFilledBy(const CallExpr *call) const
    {
        const std::optional<FilledCount> filled = filledBy(analysis.context, call);
        const QualType type = variable->getType();
        if (!filled || (!type->isPointerType() && !type->isArrayType()))
            return std::nullopt;
        const QualType element(type->getPointeeOrArrayElementType(), 0);
        if (!element->isArithmeticType())
            return std::nullopt;
        const long long bytes = analysis.context.getTypeSizeInChars(element).getQuantity();
        return elements.beginOf(filled->count, filled->bytes ? bytes : 1);
    }

    bool isBroadcast(const CallExpr *call) const
    {
        return isWhole(broadcastOf(call)) && !fillsPart(analysis.context, call);
    }

    /* Of the array, or its first elements, where rank 0 has set these before. */
    Use ofBroadcast(const CallExpr *call)
    {
        const Use sent = ofSpan(spanFilledBy(call), call, Use::Whole);
        return sent == Use::Part && before == Use::Part ? Use::Part : Use::Broadcast;
    }

    Use ofCall(const CallExpr *call)
    {
        const bool inPlace = reducesInPlace(analysis, call);
        const Expr *output = inPlace ? nullptr : outputOf(call), *broadcast = broadcastOf(call);
        if (PersistentRequests::isInit(call))
            return ofInit(call);
        const FunctionDecl *callee = definitionOf(call);
        Use use = call->getDirectCallee() == nullptr ? of(call->getCallee()) : Use::Nothing;
        Use passed = Use::Nothing;
        bool fills = false;
        for (unsigned i = 0; i < call->getNumArgs(); i++) {
            const Expr *argument = call->getArg(i);
            if (argument == output && isStruct(argument) && fillsPair(analysis, call)) {
                passed = Use::Whole;
            } else if (argument == output && isWhole(argument)) {
                fills = true;
                received = received || mayReceive(call);
            } else if (Use read = ofFileRead(call, argument); read != Use::Nothing)
                passed = read;
            else if (argument == broadcast && isBroadcast(call))
                passed = ofBroadcast(call);
            else if (callee != nullptr && i < callee->getNumParams() && isWhole(argument) &&
                     callee->getParamDecl(i)->getType()->isPointerType())
                passed = then(passed, inFunction(callee, i));
            else if (callee == nullptr && isInside(argument))
                use = then(use, Use::Read);
            else if (callee != nullptr || !readsWhatIsSet(call, argument))
                use = then(use, of(argument));
        }
        if (fills) /* with what the other arguments have had before */
            passed = ofSpan(spanFilledBy(call), call,
                            fillsPart(analysis.context, call) ? Use::Part : Use::Whole);
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
        return llvm::find(all, variable) != all.end();
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
        inside.elements.takeLength(elements);
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

/* One iteration of LOOP, in its order. */
static Use walkIteration(const Stmt *loop, FirstUse &first, bool &leftEarly)
{
    Use use = Use::Nothing;
    const auto *counted = dyn_cast<ForStmt>(loop);
    use = then(use, first.of(bodyOf(loop)));
    leftEarly = first.leftEarly;
    if (counted != nullptr)
        use = then(use, first.of(counted->getInc()));
    return then(use, first.of(conditionIn(loop)));
}

bool receivesBeforeReading(Analysis &analysis, const VarDecl *variable)
{
    FirstUse first(analysis, variable, nullptr);
    bool leftEarly = false;
    first.byPlace = true;
    return walkIteration(analysis.loop, first, leftEarly) == Use::Whole && first.received;
}

bool keepsFromOneToNext(const Analysis &analysis, const Stmt *loop, const VarDecl *variable)
{
    FirstUse first(analysis, variable, nullptr);
    bool leftEarly = false;
    const Use use = walkIteration(loop, first, leftEarly);
    return use == Use::Read || use == Use::Broadcast;
}

bool readsBeforeSetting(const Analysis &analysis, const Stmt *statement, const VarDecl *variable,
                        const FieldDecl *field)
{
    return FirstUse(analysis, variable, field).of(statement) == Use::Read;
}

bool readsBeforeSetting(const Analysis &analysis, const std::vector<const Stmt *> &statements,
                        const VarDecl *variable, const FieldDecl *field)
{
    FirstUse first(analysis, variable, field);
    Use use = Use::Nothing;
    for (const Stmt *statement : statements)
        use = then(use, first.of(statement));
    return use == Use::Read || use == Use::Broadcast;
}

/* ARGUMENT, or the array that it is an element of, is named at WHERE. */
static bool isNamedAt(const Expr *argument, SourceLocation where)
{
    for (argument = argument->IgnoreParenCasts(); argument->getExprLoc() != where;) {
        const auto *element = dyn_cast<ArraySubscriptExpr>(argument);
        if (element == nullptr)
            return false;
        argument = element->getBase()->IgnoreParenCasts();
    }
    return true;
}

bool isFreedBehind(const Analysis &analysis, const Mention &mention)
{
    for (const Effects &after : analysis.after)
        for (const CallExpr *call : after.calls)
            if (calleeName(call) == "free" && call->getNumArgs() == 1 &&
                isNamedAt(call->getArg(0), mention.where))
                return true;
    return false;
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
    Use use = walkIteration(analysis.loop, first, leftEarly);
    if (use == Use::Whole)
        return !lasting || !leftEarly;
    return use != Use::Read && use != Use::Broadcast && !lasting;
}

} // namespace xmpi
