/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through expressions and calls; the functions of the file are looked into. */
#include "ranks/rank_expressions.h"
#include "facts/computed.h"
#include "flow/gathered.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "flow/other_files.h"
#include "check/safety.h"

namespace xmpi
{

using namespace clang;

/* Of calls within calls, and of all: what is behind them is unknown. */
enum { MaxDepth = 40, MaxCalls = 20000 };

bool RankExpressions::isApart() const
{
    return cause != Cause::Handle &&
           (controls > 0 || functions.back().jumped || (!loops.empty() && loops.back().jumped));
}

void RankExpressions::set(const Place &place, bool ranked, bool whole, SourceLocation where)
{
    if (!ranked && isApart() && !differs(place))
        guided.insert(baseOf(place));
    RankState::set(place, ranked || isApart(), whole, where);
}

/* -- assignments */

const Expr *RankExpressions::bare(const Expr *expression)
{
    return expression->IgnoreParenCasts();
}

void RankExpressions::pointAnew(const Place &place, const Expr *target, const Expr *value,
                                const Form &form)
{
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(target);
    if (isa<DeclRefExpr>(target) || (subscript != nullptr && subscript->getType()->isPointerType()))
        point(baseOf(place), value);
    else if (place.field != nullptr && place.type->isPointerType() && !place.element)
        hold(place, place.field, value, form);
}

Form RankExpressions::pickedForm(const BinaryOperator *binary, bool self, const Form &value)
{
    const Expr *picked = self ? pickedOperandOf(analysis.context, binary) : nullptr;
    if (picked != nullptr && !analysis.finder.of(picked).writes.empty())
        picked = nullptr;
    if (part.parts)
        return part;
    if (picked != nullptr)
        return evaluate(picked).form;
    return self ? Form() : value;
}

/* ASSIGNMENT computes with real numbers, and leaves of them what is whole. */
static bool cutsOff(const BinaryOperator *assignment)
{
    const auto *compound = dyn_cast<CompoundAssignOperator>(assignment);
    return compound != nullptr && compound->getType()->isIntegerType() &&
           compound->getComputationResultType()->isFloatingType();
}

Followed RankExpressions::assign(const BinaryOperator *binary)
{
    returned.clear();
    returnedForms.clear();
    const SelfOperation own = selfOperationOf(analysis.context, binary);
    part = Form();
    ownRead = false;
    Followed value = evaluate(own.operand ? own.operand : binary->getRHS());
    std::optional<Place> place = placeOf(binary->getLHS());
    const Expr *target = binary->getLHS()->IgnoreParens();
    if (!place) {
        value.ranked = evaluate(binary->getLHS()).ranked || value.ranked;
        storeSomewhere(target, value, binary->isCompoundAssignmentOp());
        return value;
    }
    if (target->refersToBitField())
        value.form = value.form.asValue();
    bool compound = binary->isCompoundAssignmentOp() || own.operand != nullptr;
    if (!compound && copyStruct(*place, binary->getRHS(), target->getExprLoc()))
        return value;
    if (!compound)
        pointAnew(*place, target, binary->getRHS(), value.form);
    else
        value.ranked = differs(*place) || value.ranked;
    Followed index = indices(target);
    const bool self = compound || isSelf(binary);
    const unsigned how = self ? gatheringOf(analysis.context, binary) : picking;
    const bool picks = (how & (Form::Largest | Form::Smallest)) != 0;
    const Form operand = picks ? pickedForm(binary, self, value.form) : value.form;
    if (compound)
        value.form = combineOwn(binary, own, valueAt(*place, target, index.form), value.form);
    if (rowLoops.empty() && cutsOff(binary) && value.form.kind == Form::Kind::Block)
        value.form = mix(value.form, Form());
    bool ranked = index.ranked || value.ranked;
    bool whole = isa<DeclRefExpr, MemberExpr>(target) && !place->behind && !place->element;
    set(*place, ranked, whole, target->getExprLoc());
    gathering = how;
    taken = operand;
    store(*place, target, index.form, value.form, self, whole);
    gathering = 0;
    taken = Form();
    return {ranked, value.form};
}

/* VALUE, or what is there CHANGED by it, is put into one of the places that TARGET may be. */
void RankExpressions::storeSomewhere(const Expr *target, const Followed &value, bool changed)
{
    const std::vector<Place> all = placesOf(target);
    if (all.empty())
        return;
    const Followed index = indices(target);
    for (const Place &place : all) {
        const Form form =
            changed ? mix(valueAt(place, target, index.form), value.form) : value.form;
        set(place, index.ranked || value.ranked, false, target->getExprLoc());
        store(place, target, index.form, form, changed, false);
    }
}

/* What BINARY, an assignment that changes BEFORE by OPERAND, makes of it. */
Form RankExpressions::combineOwn(const BinaryOperator *binary, const SelfOperation &own,
                                 const Form &before, const Form &operand)
{
    Form form = own.operand == nullptr ? combine(binary, before, operand)
                : own.operand->IgnoreParenCasts() == own.operation->getLHS()->IgnoreParenCasts()
                    ? combine(own.operation, operand, before)
                    : combine(own.operation, before, operand);
    if (rowLoops.empty() && before.message && before.kind == Form::Kind::Row &&
        operand.isUniform() && !operand.zero)
        form.begun = true; /* what comes from other processes counts them */
    return form;
}

/* m = fmax(m, x) */
bool RankExpressions::isSelf(const BinaryOperator *binary) const
{
    std::optional<Place> place = placeOf(binary->getLHS());
    const Effects effects = analysis.finder.of(binary->getRHS());
    return place && !place->type->isPointerType() && effects.names(*place);
}

Form RankExpressions::valueAt(const Place &place, const Expr *target, const Form &index) const
{
    if (place.type->isPointerType() && isa<DeclRefExpr>(target))
        return offsetOf(baseOf(place));
    if (std::optional<Form> part = readPart(place, target, index))
        return *part;
    if (std::optional<Form> parted = readParted(place, target, index))
        return *parted;
    const bool element = isElement(place, target);
    if (element)
        noteSwept(place, target, index, false);
    return element ? read(place, index, target->getExprLoc()) : formOf(place);
}

/* BASE, an array, is a part of an element of another one. */
static bool isWithinRow(const Expr *base)
{
    base = base->IgnoreParenCasts();
    for (const auto *member = dyn_cast<MemberExpr>(base);
         member != nullptr && member->getType()->isArrayType(); member = dyn_cast<MemberExpr>(base))
        base = member->getBase()->IgnoreParenCasts();
    return isa<ArraySubscriptExpr>(base);
}

/* BASE is a pointer out of an array of them, each to rows of its own: which one it is says nothing
 * of where the rows are. */
bool RankExpressions::choosesArray(const Expr *base) const
{
    const Expr *chosen = base->IgnoreParenCasts();
    if (!isa<ArraySubscriptExpr>(chosen) || !chosen->getType()->isPointerType())
        return false;
    const std::optional<Place> place = placeOf(chosen);
    return place && place->base->getType()->isConstantArrayType() &&
           analysis.isData(baseOf(*place));
}

/* The indices on the left side of an assignment: other elements on other ranks. */
Followed RankExpressions::indices(const Expr *target)
{
    target = target->IgnoreParenCasts();
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(target)) {
        Followed base = indices(subscript->getBase());
        if (base.form.isUniform() && choosesArray(subscript->getBase()))
            base.form.shift.clear();
        Followed all = sum(base, subscript->getIdx(), false);
        if (isWithinRow(subscript->getBase()))
            all.form.shift = base.form.shift; /* within a row */
        return all;
    }
    if (const auto *member = dyn_cast<MemberExpr>(target))
        return indices(member->getBase());
    if (const auto *unary = dyn_cast<UnaryOperator>(target)) {
        if (unary->isIncrementDecrementOp())
            return step(unary);
        return indices(unary->getSubExpr());
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(target)) {
        if (binary->isAssignmentOp())
            return assign(binary);
        const auto [pointer, number] = sidesOf(binary);
        return sum(indices(pointer), number, binary->getOpcode() == BO_Sub);
    }
    const auto *call = dyn_cast<CallExpr>(target);
    if ((call != nullptr && !placesBehind(call).empty()) || isa<ConditionalOperator>(target))
        return evaluate(target); /* it hands back, or chooses, a pointer */
    const VarDecl *variable = variableAt(target);
    if (variable != nullptr && variable->getType()->isPointerType())
        return {false, offsetOf(variable)};
    return {};
}

Followed RankExpressions::sum(const Followed &base, const Expr *index, bool negative)
{
    Followed one = evaluate(index);
    Form form = add(base.form, one.form, negative);
    if (one.form.isAffine() && !base.form.isAffine()) {
        const std::string unit = unitOf(one.form), &beyond = base.form.shift;
        form.shift = addShifts(unit == beyond ? "1"
                               : unit == "1"  ? beyond
                                              : "",
                               one.form.shift, negative);
    } else if (!one.form.has(Form::Own)) {
        form.shift = shiftOf(base.form, one.form, index, negative);
    }
    return {base.ranked || one.ranked, form};
}

/* -- expressions: whether the value differs */

/* CAST, explicit or not, may leave less than there is of a number. */
static bool cutsOff(const CastExpr *cast, const ASTContext &context)
{
    const QualType to = cast->getType(), from = cast->getSubExpr()->getType();
    return cast->getCastKind() == CK_IntegralCast && from->isIntegerType() &&
           context.getTypeSize(to) < context.getTypeSize(context.IntTy) &&
           context.getTypeSize(to) < context.getTypeSize(from);
}

Followed RankExpressions::evaluate(const Stmt *expression)
{
    if (expression == nullptr)
        return {};
    if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(expression))
        return evaluateSize(size);
    if (isa<VAArgExpr>(expression)) /* what callers may have given */
        return {true, Form::of(Form::Kind::Local, "va_arg", cast<Expr>(expression)->getExprLoc())};
    if (cause == Cause::Handle && (isAddress(expression) || isVerdict(expression))) {
        for (const Stmt *child : expression->children())
            evaluate(child);
        return {isAddress(expression), Form()};
    }
    if (const auto *cast = dyn_cast<CastExpr>(expression))
        if (cast->getCastKind() == CK_FloatingToIntegral)
            return evaluateRounded(cast->getSubExpr());
    if (const auto *cast = dyn_cast<CastExpr>(expression);
        cast != nullptr && cutsOff(cast, analysis.context)) {
        const Followed value = evaluate(cast->getSubExpr());
        return {value.ranked, value.form.asValue()};
    }
    if (const auto *paren = dyn_cast<ParenExpr>(expression))
        return evaluate(paren->getSubExpr());
    if (isOwnWorld(expression)) /* each has another one */
        return {false, Form::of(Form::Kind::Local, "MPI_COMM_SELF", expression->getBeginLoc())};
    if (isAddress(expression))
        judgeAddress(cast<CastExpr>(expression)->getSubExpr());
    if (const auto *cast = dyn_cast<CastExpr>(expression))
        return evaluateCast(cast);
    const auto *number = dyn_cast<Expr>(expression);
    if (const RangeVariable *range = number ? computedAt(analysis, number) : nullptr)
        return {differs(range->place), formOf(range->place)};
    return evaluateOperation(expression);
}

/* What is made of other values, or is one. */
Followed RankExpressions::evaluateOperation(const Stmt *expression)
{
    if (const auto *binary = dyn_cast<BinaryOperator>(expression))
        return binary->isAssignmentOp() ? assign(binary) : evaluateBinary(binary);
    if (const auto *call = dyn_cast<CallExpr>(expression))
        return evaluateCall(call);
    if (const auto *block = dyn_cast<StmtExpr>(expression)) {
        walk(block->getSubStmt());
        bool valued =
            !block->getSubStmt()->body_empty() && isa<Expr>(block->getSubStmt()->body_back());
        return valued ? evaluate(block->getSubStmt()->body_back()) : Followed();
    }
    if (const auto *choice = dyn_cast<AbstractConditionalOperator>(expression))
        return evaluateWays(choice);
    if (const auto *unary = dyn_cast<UnaryOperator>(expression))
        return evaluateUnary(unary);
    return evaluateName(expression);
}

Followed RankExpressions::evaluateRounded(const Expr *real)
{
    const Followed value = evaluate(real);
    const bool sum = value.form.kind == Form::Kind::Block &&
                     (value.form.gathered & (Form::Added | Form::Multiplied)) != 0;
    Form form = sum ? mix(value.form, Form()) : value.form.asValue();
    form.stands = nullptr;
    return {value.ranked, form};
}

/* Of arrays of variable length. */
Followed RankExpressions::evaluateSize(const UnaryExprOrTypeTraitExpr *size)
{
    Followed all;
    for (QualType type = size->getTypeOfArgument(); type->isVariableArrayType();) {
        const VariableArrayType *array = analysis.context.getAsVariableArrayType(type);
        Followed one = evaluate(array->getSizeExpr());
        all = {all.ranked || one.ranked,
               all.form.isUniform() ? scale(one.form, "sizeof") : join(all.form, one.form)};
        type = array->getElementType();
    }
    return all;
}

/* A pointer as an integer. */
bool RankExpressions::isAddress(const Stmt *expression)
{
    const auto *cast = dyn_cast<CastExpr>(expression);
    return cast != nullptr && cast->getCastKind() == CK_PointerToIntegral;
}

/* True or false says nothing of what has been looked at. */
bool RankExpressions::isVerdict(const Stmt *expression)
{
    const auto *binary = dyn_cast<BinaryOperator>(expression);
    const auto *unary = dyn_cast<UnaryOperator>(expression);
    return (binary != nullptr && (binary->isComparisonOp() || binary->isLogicalOp())) ||
           (unary != nullptr && unary->getOpcode() == UO_LNot);
}

Followed RankExpressions::evaluateBinary(const BinaryOperator *binary)
{
    if (binary->isLogicalOp())
        return evaluateLogical(binary);
    Followed left = evaluate(binary->getLHS()), right = evaluate(binary->getRHS());
    bool ranked = left.ranked || right.ranked;
    if (binary->getOpcode() == BO_Comma)
        return {ranked, right.form};
    Form form = combine(binary, left.form, right.form);
    form.stands = nullptr;
    return {ranked, form};
}

Followed RankExpressions::evaluateUnary(const UnaryOperator *unary)
{
    if (unary->isIncrementDecrementOp())
        return step(unary);
    if (unary->getOpcode() == UO_AddrOf) {
        std::optional<Place> place = placeOf(unary->getSubExpr());
        if (place) {
            Followed index = indices(unary->getSubExpr());
            return {differs(*place) || index.ranked, index.form};
        }
    }
    if (unary->getOpcode() == UO_Minus) {
        Followed value = evaluate(unary->getSubExpr());
        Form none;
        none.zero = true;
        return {value.ranked, add(none, value.form, true)};
    }
    if (unary->getOpcode() == UO_LNot || unary->getOpcode() == UO_Not) {
        Followed value = evaluate(unary->getSubExpr());
        value.form.stands = nullptr;
        return {value.ranked, unary->getOpcode() == UO_LNot ? value.form.asTest().negated()
                                                            : value.form.asValue()};
    }
    return evaluateName(unary);
}

static bool isZero(const Stmt *expression)
{
    if (const auto *literal = dyn_cast<IntegerLiteral>(expression))
        return literal->getValue() == 0;
    const auto *literal = dyn_cast<FloatingLiteral>(expression);
    return isa<ImplicitValueInitExpr>(expression) ||
           (literal != nullptr && literal->getValue().isZero());
}

/* The places that EXPRESSION, an element or member, may be of; none where that is not known. */
static std::vector<Place> chosenFrom(const Stmt *expression)
{
    const bool names = isa<MemberExpr, ArraySubscriptExpr, UnaryOperator>(expression);
    return names ? placesOf(cast<Expr>(expression)) : std::vector<Place>();
}

/* What is in one of ALL, which NAMED may be. */
Followed RankExpressions::evaluateSome(const Expr *named, const std::vector<Place> &all)
{
    const Followed index = indices(named);
    const QualType type = named->getType();
    const bool leads = type->isPointerType() || type->isArrayType();
    std::optional<Form> form;
    bool ranked = index.ranked;
    for (const Place &place : all) {
        const Form one = leads ? index.form : valueAt(place, named, index.form);
        form = form ? merge(*form, one) : one;
        ranked = ranked || differs(place);
    }
    return {ranked, *form};
}

Followed RankExpressions::evaluateName(const Stmt *expression)
{
    if (const auto *number = dyn_cast<Expr>(expression); number && isUnknown(number))
        return evaluateUnknown(number);
    std::optional<Place> place;
    if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr, UnaryOperator>(expression))
        place = placeOf(cast<Expr>(expression));
    if (place) {
        const auto *named = cast<Expr>(expression);
        bool ranked = differs(*place);
        Followed index = indices(named);
        QualType type = named->getType();
        bool leads = type->isPointerType() || type->isArrayType();
        return {index.ranked || ranked, leads ? index.form : valueAt(*place, named, index.form)};
    }
    if (const std::vector<Place> all = chosenFrom(expression); !all.empty())
        return evaluateSome(cast<Expr>(expression), all);
    if (const auto *chosen = dyn_cast<GenericSelectionExpr>(expression))
        return evaluate(chosen->isResultDependent() ? nullptr : chosen->getResultExpr());
    if (const auto *chosen = dyn_cast<ChooseExpr>(expression))
        return evaluate(chosen->getChosenSubExpr());
    if (const auto *same = dyn_cast<OpaqueValueExpr>(expression))
        return evaluate(same->getSourceExpr());
    Followed all;
    bool zero = isa<InitListExpr>(expression) || isZero(expression);
    for (const Stmt *child : expression->children()) {
        Followed one = evaluate(child);
        zero = zero && one.form.zero;
        all = {all.ranked || one.ranked, join(all.form, one.form)};
    }
    all.form.zero = zero;
    if (isa<CompoundLiteralExpr>(expression))
        literals[cast<Expr>(expression)] = all.form.asValue();
    return all;
}

Followed RankExpressions::step(const UnaryOperator *unary)
{
    std::optional<Place> place = placeOf(unary->getSubExpr());
    const Expr *target = unary->getSubExpr()->IgnoreParens();
    if (!place) {
        storeSomewhere(target, Followed(), true);
        return evaluate(target);
    }
    Followed index = indices(target);
    bool ranked = differs(*place) || index.ranked;
    Form form = valueAt(*place, target, index.form);
    set(*place, ranked, false, unary->getExprLoc());
    gathering = unary->isIncrementOp() ? Form::Counted : Form::Added;
    form.zero = false;
    store(*place, target, index.form, form, true, isa<DeclRefExpr>(target) && !place->behind);
    gathering = 0;
    return {ranked, form};
}

/* -- calls */

bool RankExpressions::isOpen(const FunctionDecl *callee) const
{
    return llvm::any_of(functions, [&](const Frame &frame) { return frame.function == callee; });
}

/* LOOP puts something into the place of the process that NAME asks for what is there. */
static bool isPutInto(const Analysis &analysis, const Stmt *loop, llvm::StringRef name)
{
    const Effects effects = analysis.finder.withCallees(loop);
    return llvm::any_of(effects.calls, [&](const CallExpr *call) {
        return placePutInto(calleeName(call)) == placeAsked(name);
    });
}

Form RankExpressions::handedBack(const CallExpr *call, bool own, const Form &form) const
{
    const llvm::StringRef name = calleeName(call);
    const bool found = !isMpiCall(call) && !placeAsked(name).empty();
    const Form local = Form::of(Form::Kind::Local, name.str(), call->getExprLoc());
    const bool counts = found && llvm::any_of(rowLoops, [&](const RowLoop &loop) {
                            return loop.rows != nullptr && isPutInto(analysis, loop.rows, name);
                        });
    if (tellsOfEarlierCalls(name) || counts) /* for each row: it is of those before */
        return local;
    const bool other = reads(call) && elsewhere.count(call) != 0;
    const Form read = other ? local : form;
    if (found || !call->getType()->isPointerType() || own)
        return read;
    return searches(name) && !read.isUniform() ? local : Form(); /* memory from its beginning */
}

Followed RankExpressions::evaluateCall(const CallExpr *call)
{
    if (putOff.count(call) != 0)
        return {};
    const FunctionDecl *callee = definitionOf(call);
    bool deep = functions.size() >= MaxDepth || calls >= MaxCalls;
    if (callee != nullptr && !deep && !isOpen(callee))
        return evaluateOwn(call, callee);
    if (cause != Cause::Rank)
        return cause == Cause::Clock ? evaluateClock(call) : evaluateHandle(call);
    bool ranked = callee != nullptr && deep;
    const std::vector<Form> arguments = evaluateArguments(call, ranked);
    if (callee != nullptr)
        noteRecursion(callee, arguments);
    llvm::StringRef name = calleeName(call);
    if (deedOf(call) == Deed::Seeds)
        seed(call, ranked, arguments);
    if (drawsRandom(call))
        return draw(call);
    Form form = (callee != nullptr && deep) ||
                        (callee == nullptr && (tellsPlace(call) || isUnknownBuiltin(call)))
                    ? Form::of(Form::Kind::Local, name.str(), call->getExprLoc())
                    : besideForm(call, foreignForm(call, ranked, arguments));
    if (callee != nullptr && form.kind == Form::Kind::Block)
        form.gathered |= Form::Otherwise; /* it calls itself */
    followOutside(call, name, arguments, form);
    followCallback(call, name);
    notePrinted(call, arguments);
    follow(call, name, ranked, form, arguments);
    const int around = controls;
    if (leavesEqual(analysis, call))
        meet();
    if (!deep)
        evaluatePossible(call, ranked, form);
    controls = around;
    form = handedBack(call, callee != nullptr, form);
    if (call->getDirectCallee() == nullptr && !call->getType()->isVoidType())
        form = join(form, evaluate(call->getCallee()).form);
    return isMpiCall(call) ? Followed{false, errorForm(call)} : Followed{ranked, form};
}

/* What CALL, of a function that is not looked into, leaves in what it is given. */
Followed RankExpressions::evaluateClock(const CallExpr *call)
{
    const Deed deed = deedOf(call);
    const bool deep = functions.size() >= MaxDepth || calls >= MaxCalls;
    bool asks =
        deed == Deed::Clock || deed == Deed::Place || (unseen && isUnseen(analysis, call)) || deep;
    bool given = false;
    for (const Expr *argument : call->arguments())
        given = (argument != outputOf(call) && evaluate(argument).ranked) || given;
    seeded = seeded || (deed == Deed::Seeds && given);
    sent = sent || (deed == Deed::Communicates && given);
    bool ranked =
        asks || given || (deed == Deed::Random && seeded) || (deed == Deed::Communicates && sent);
    for (const Write &write : analysis.finder.of(call).writes)
        if (write.call == call)
            setPassed(call, write, ranked, Form());
    if (!deep)
        for (const FunctionDecl *possible : analysis.finder.callees(call))
            if (!isOpen(possible))
                ranked = evaluateOwn(call, possible).ranked || ranked;
    return {ranked, Form()};
}

Followed RankExpressions::evaluateHandle(const CallExpr *call)
{
    bool made = namesOfProcess(call);
    for (const Expr *argument : call->arguments())
        evaluate(argument);
    for (const Write &write : analysis.finder.of(call).writes)
        if (write.call == call)
            setPassed(call, write, made, Form());
    return {made, Form()};
}

/* All ranks of a correct program come here: what seemed to part them was the same on all. */
void RankExpressions::meet()
{
    controls = 0;
    if (!loops.empty())
        loops.back().jumped = false;
    functions.back().jumped = false;
}

} // namespace xmpi
