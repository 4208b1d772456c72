/* SPDX-License-Identifier: BSD-3-Clause
 * A small interpreter of C for the integers of the prologue. What it does not know stays unknown.
 */
#include "flow/failing.h"
#include "flow/root_guards.h"
#include "library/exits.h"
#include "source/integer.h"
#include "source/loops.h"
#include "trial/trial.h"
#include "facts/storage.h"

namespace xmpi
{

using namespace clang;

/* Steps of loops that have been run to their end count among those of all alone: what is nested in
 * a loop is run as often as it is. */
enum { MaxSteps = 20000, MaxStepsOfAll = 1000000 };

Value Value::of(long long integer)
{
    Value value;
    value.kind = Kind::Integer;
    value.integer = integer;
    return value;
}

Value Value::of(double real)
{
    Value value;
    value.kind = Kind::Real;
    value.real = real;
    return value;
}

Value Value::to(const Cell &target)
{
    Value value;
    value.kind = Kind::Pointer;
    value.target = target;
    return value;
}

long long Inputs::valueOf(const Cell &cell)
{
    auto found = known.find(cell);
    if (found != known.end())
        return found->second;
    const auto before = static_cast<long long>(known.size());
    return known[cell] = first + step * (before ^ turned);
}

/* Behind the last step nothing is run any more, so that nothing is known: what is left out might
 * have set anything. */
bool Trial::spend()
{
    if (spent || flow.jump != Flow::Jump::None)
        return false;
    if (++steps < MaxSteps && ++stepsOfAll < MaxStepsOfAll)
        return true;
    spent = true;
    memory.clear();
    blocks.clear();
    return false;
}

/* What is asked of a trial has all steps of its own: however much is asked, it knows the same. */
void Trial::begin()
{
    flow = {};
    steps = stepsOfAll = 0;
}

/* What a function of another file is taken to have told. */
std::optional<Value> Trial::assumedAt(const Cell &cell) const
{
    if (analysis.assumed.empty() || cell.index != 0)
        return std::nullopt;
    auto found = analysis.assumed.find({cell.base, cell.field});
    if (found == analysis.assumed.end())
        found = analysis.assumed.find({analysis.members.at(cell.base, cell.field), nullptr});
    if (found == analysis.assumed.end())
        return std::nullopt;
    return Value::of(found->second == RangeKind::Rank ? rank : size);
}

std::optional<long long> Trial::integerAt(const Cell &at) const
{
    const Cell cell = placed(at);
    if (std::optional<Value> assumed = assumedAt(cell))
        return assumed->integer;
    auto found = memory.find(cell);
    if (found != memory.end() && found->second.kind == Value::Kind::Integer)
        return found->second.integer;
    if (analysis.startsOver && found != memory.end() && inputs.contains(cell))
        return inputs.valueOf(cell); /* as on those ranks that have looked at it */
    return std::nullopt;
}

Value Trial::valueOf(const Expr *expression)
{
    begin();
    return evaluate(expression);
}

void Trial::runAgain(const Stmt *statement)
{
    begin();
    runStatement(statement);
}

std::optional<long long> Trial::integerOf(const Expr *expression)
{
    const Value value = valueOf(expression);
    if (value.kind != Value::Kind::Integer)
        return std::nullopt;
    return value.integer;
}

void Trial::bind(const ParmVarDecl *parameter, const Expr *argument)
{
    begin();
    store(Cell{parameter->getCanonicalDecl()}, evaluate(argument), parameter->getType());
}

Value Trial::valueAt(const Cell &at) const
{
    const Cell cell = placed(at);
    if (std::optional<Value> assumed = assumedAt(cell))
        return *assumed;
    auto found = memory.find(cell);
    return found == memory.end() ? Value() : found->second;
}

std::optional<long long> Trial::bytesOf(const void *base) const
{
    auto found = blocks.find(base);
    if (found == blocks.end())
        return std::nullopt;
    return found->second;
}

/* -- statements */

void Trial::run()
{
    size_t step = 0;
    const Stmt *last = nullptr;
    flow.body = analysis.path.front().function->getBody();
    for (const Item &item : analysis.prologue) {
        while (step < item.step)
            enter(++step);
        if (last != nullptr && analysis.structure.encloses(last, item.statement))
            continue; /* marked inside a statement that has been run */
        last = item.statement;
        flow.jump = Flow::Jump::None; /* (the loop has been come to nonetheless) */
        flow.mayBreak = flow.mayContinue = false;
        if (item.pragma != nullptr && item.pragma->directive == Directive::Enter)
            passOver(item.statement); /* another adaptive loop, or the way to it */
        else
            runStatement(item.statement);
        if (analysis.divideDomains && item.kind == Class::Domain)
            divide(*item.pragma);
    }
    while (step + 1 < analysis.path.size())
        enter(++step);
}

/* Gives the count and first row that DOMAIN names some division of its rows. */
void Trial::divide(const Pragma &domain)
{
    flow.jump = Flow::Jump::None;
    Value rows = evaluate(domain.operands[0].expression);
    std::optional<Cell> count = cellOf(domain.operands[1].expression->IgnoreParenCasts());
    std::optional<Cell> displ = cellOf(domain.operands[2].expression->IgnoreParenCasts());
    if (rows.kind != Value::Kind::Integer || !count || !displ)
        return;
    long long first = rows.integer * rank / size;
    memory[*displ] = Value::of(first);
    memory[*count] = Value::of(rows.integer * (rank + 1) / size - first);
}

void Trial::enter(size_t step)
{
    const CallExpr *call = analysis.path[step - 1].call;
    const FunctionDecl *function = analysis.path[step].function;
    for (const auto &[parameter, argument] : passedBy(call, function))
        store(Cell{parameter->getCanonicalDecl()}, evaluate(argument), parameter->getType());
    flow = {};
    flow.body = function->getBody();
}

void Trial::runStatement(const Stmt *statement)
{
    if (statement == nullptr || !spend())
        return;
    if (flow.isDoubtful())
        return passOver(statement);
    if (const auto *block = dyn_cast<CompoundStmt>(statement)) {
        for (const Stmt *child : block->body())
            runStatement(child);
    } else if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
        for (const VarDecl *variable : declaredBy(declaration))
            runDeclaration(variable);
    } else if (const auto *choice = dyn_cast<IfStmt>(statement)) {
        runIf(choice);
    } else if (isLoop(statement)) {
        runLoop(statement);
    } else if (const auto *expression = dyn_cast<Expr>(statement)) {
        evaluate(expression);
    } else {
        runJump(statement);
    }
    if (isa<Expr, DeclStmt>(statement) && flow.isDoubtful())
        passOver(statement); /* it holds ({ ... }), which may have been left */
}

void Trial::runDeclaration(const VarDecl *variable)
{
    Cell cell{variable->getCanonicalDecl()};
    if (variable->isStaticLocal() && !memory.emplace(cell, Value()).second)
        return; /* it has what the last call has left there */
    const auto *whole = dyn_cast_or_null<InitListExpr>(variable->getInit());
    if (whole != nullptr && variable->getType()->isRecordType())
        return runFields(cell, whole);
    if (const auto *list = dyn_cast_or_null<InitListExpr>(variable->getInit())) {
        for (unsigned i = 0; i < list->getNumInits(); i++)
            if (variable->getType()->isArrayType() && list->getInit(i)->getType()->isIntegerType())
                store(Cell{cell.base, nullptr, i}, evaluate(list->getInit(i)),
                      list->getInit(i)->getType());
    } else if (variable->getInit() != nullptr) {
        store(cell, evaluate(variable->getInit()), variable->getType());
    }
}

void Trial::runFields(const Cell &cell, const InitListExpr *list)
{
    const RecordDecl *record = list->getType()->getAsRecordDecl();
    for (const FieldDecl *field : record->fields()) {
        Cell member{cell.base, field, cell.index};
        unsigned index = field->getFieldIndex();
        if (record->isUnion() || index >= list->getNumInits())
            continue;
        const Expr *value = list->getInit(index);
        const auto *inner = dyn_cast<InitListExpr>(value);
        if (inner != nullptr && field->getType()->isRecordType())
            runFields(Cell{innerBase(member)}, inner);
        else if (isa<ImplicitValueInitExpr>(value) && field->getType()->isIntegerType())
            store(member, Value::of(0LL), field->getType());
        else if (inner == nullptr && !isa<ImplicitValueInitExpr>(value))
            store(member, evaluate(value), field->getType());
    }
}

const Stmt *endOf(const Stmt *branch)
{
    const auto *block = dyn_cast<CompoundStmt>(branch);
    return block == nullptr ? branch : block->body_empty() ? nullptr : endOf(block->body_back());
}

/* All that call the function of CHOICE end the program with what it hands back, as in
 * `if (status != 0) return status;`: who goes on has not gone through it. */
bool Trial::failsAtCallers(const IfStmt *choice)
{
    auto [found, isNew] = lookups.failing.try_emplace(choice, false);
    const auto *back = isNew ? dyn_cast_or_null<ReturnStmt>(endOf(choice->getThen())) : nullptr;
    if (back == nullptr)
        return found->second;
    const auto &functions = analysis.structure.functions;
    const auto function = llvm::find_if(functions, [&](const FunctionDecl *one) {
        return analysis.structure.encloses(one->getBody(), choice);
    });
    const auto calls = function != functions.end() ? callsOf(analysis, *function) : std::nullopt;
    found->second = calls && !calls->empty() && llvm::all_of(*calls, [&](const CallExpr *call) {
                        return endsAtCaller(analysis, call, back);
                    });
    return found->second;
}

/* CONDITION, of which is noted how it has come out. */
std::optional<bool> Trial::decide(const Expr *condition)
{
    const std::optional<bool> holds = compared(condition).truth();
    if (holds && !constantOf(condition))
        lookups.sides[condition] |= *holds ? 2U : 1U;
    return holds;
}

void Trial::runIf(const IfStmt *choice)
{
    const bool error = isError(choice);
    const std::optional<bool> condition =
        error ? evaluate(choice->getCond()).truth() : decide(choice->getCond());
    if (!condition && !error)
        return passOver(choice);
    if (condition.value_or(false) && !error)
        runStatement(choice->getThen());
    else
        runStatement(choice->getElse());
}

/* -- expressions */

Lookups::Bare Trial::bareOf(const Expr *expression)
{
    auto [found, isNew] = lookups.expressions.try_emplace(expression);
    if (isNew)
        found->second = {expression->IgnoreParens(), constantInteger(expression, analysis.context)};
    return found->second;
}

Value Trial::evaluate(const Expr *expression)
{
    if (expression == nullptr || !spend())
        return Value();
    const Lookups::Bare bare = bareOf(expression);
    if (bare.constant)
        return Value::of(*bare.constant);
    expression = bare.expression;
    if (const auto *literal = dyn_cast<FloatingLiteral>(expression))
        return Value::of(literal->getValueAsApproximateDouble());
    if (const auto *cast = dyn_cast<CastExpr>(expression))
        return evaluateCast(cast);
    if (const auto *binary = dyn_cast<BinaryOperator>(expression))
        return evaluateBinary(binary);
    if (const auto *unary = dyn_cast<UnaryOperator>(expression))
        return evaluateUnary(unary);
    if (const auto *call = dyn_cast<CallExpr>(expression))
        return evaluateCall(call);
    if (const auto *choice = dyn_cast<ConditionalOperator>(expression))
        return evaluateChoice(choice);
    if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(expression))
        if (size->getKind() == UETT_SizeOf) { /* of an array whose lengths are variables */
            std::optional<long long> bytes =
                bytesIn(analysis.context, size->getTypeOfArgument(), [&](const Expr *length) {
                    Value value = evaluate(length);
                    return value.kind == Value::Kind::Integer
                               ? std::optional<long long>(value.integer)
                               : std::nullopt;
                });
            return bytes ? Value::of(*bytes) : Value();
        }
    if (const auto *statement = dyn_cast<StmtExpr>(expression))
        return evaluateBlock(statement->getSubStmt());
    std::optional<Cell> cell = cellOf(expression);
    if (expression->getType()->isArrayType() || expression->getType()->isRecordType())
        return cell ? Value::to(*cell) : Value();
    return load(cell, expression->getType());
}

/* ({ ... }): the value of its last statement. */
Value Trial::evaluateBlock(const CompoundStmt *block)
{
    Value value;
    for (const Stmt *child : block->body()) {
        const auto *expression = dyn_cast<Expr>(child);
        if (expression != nullptr && child == block->body_back() && !flow.isDoubtful())
            value = evaluate(expression);
        else
            runStatement(child);
    }
    return value;
}

Value Trial::evaluateCast(const CastExpr *cast)
{
    const Expr *inner = cast->getSubExpr();
    if (cast->getCastKind() == CK_ArrayToPointerDecay) {
        std::optional<Cell> cell = cellOf(inner);
        return cell ? Value::to(*cell) : Value();
    }
    Value value = evaluate(inner);
    if (cast->getType()->isBooleanType() && value.isNumber())
        return Value::of(value.asReal() != 0 ? 1LL : 0LL);
    if (cast->getType()->isIntegerType() && value.kind == Value::Kind::Real)
        return Value::of(static_cast<long long>(value.real));
    if (cast->getType()->isRealFloatingType() && value.isNumber())
        return Value::of(value.asReal());
    return value;
}

static bool isNull(const Value &value)
{
    return value.kind == Value::Kind::Integer && value.integer == 0;
}

/* ONE compared with OTHER; nothing where KIND compares nothing. */
static Value compareNumbers(BinaryOperatorKind kind, double one, double other)
{
    switch (kind) {
    case BO_LT:
        return Value::of(static_cast<long long>(one < other));
    case BO_LE:
        return Value::of(static_cast<long long>(one <= other));
    case BO_GT:
        return Value::of(static_cast<long long>(one > other));
    case BO_GE:
        return Value::of(static_cast<long long>(one >= other));
    case BO_EQ:
        return Value::of(static_cast<long long>(one == other));
    case BO_NE:
        return Value::of(static_cast<long long>(one != other));
    default:
        return Value();
    }
}

template <class Number>
static Value computeNumbers(BinaryOperatorKind kind, Number one, Number other)
{
    switch (kind) {
    case BO_Add:
        return Value::of(one + other);
    case BO_Sub:
        return Value::of(one - other);
    case BO_Mul:
        return Value::of(one * other);
    case BO_Div:
        return other == 0 ? Value() : Value::of(one / other);
    default:
        return compareNumbers(kind, static_cast<double>(one), static_cast<double>(other));
    }
}

static Value computeIntegers(BinaryOperatorKind kind, long long one, long long other)
{
    switch (kind) {
    case BO_Rem:
        return other == 0 ? Value() : Value::of(one % other);
    case BO_Shl:
        return other < 0 || other > 40 ? Value() : Value::of(one << other);
    case BO_Shr:
        return other < 0 || other > 40 ? Value() : Value::of(one >> other);
    default:
        return computeNumbers(kind, one, other);
    }
}

Value Trial::compute(BinaryOperatorKind kind, const Value &left, const Value &right)
{
    if (left.kind == Value::Kind::Pointer && right.kind == Value::Kind::Integer &&
        (kind == BO_Add || kind == BO_Sub)) {
        Cell cell = left.target;
        cell.index += kind == BO_Add ? right.integer : -right.integer;
        return Value::to(cell);
    }
    if ((kind == BO_EQ || kind == BO_NE) && (isNull(left) || isNull(right)))
        if (const std::optional<bool> there = (isNull(left) ? right : left).truth())
            return Value::of(static_cast<long long>(*there == (kind == BO_NE)));
    if (!left.isNumber() || !right.isNumber())
        return Value();
    return left.kind == Value::Kind::Real || right.kind == Value::Kind::Real
               ? computeNumbers(kind, left.asReal(), right.asReal())
               : computeIntegers(kind, left.integer, right.integer);
}

/* The right side is run, or not. */
Value Trial::evaluateLogical(const BinaryOperator *binary)
{
    const bool isOr = binary->getOpcode() == BO_LOr;
    const std::optional<bool> left = compared(binary->getLHS()).truth();
    if (left && *left == isOr)
        return Value::of(isOr ? 1LL : 0LL);
    if (!left) {
        passOver(binary->getRHS());
        return Value();
    }
    const std::optional<bool> right = compared(binary->getRHS()).truth();
    return right ? Value::of(*right ? 1LL : 0LL) : Value();
}

void Compared::add(long long value, const Inputs *given)
{
    other = other || (inputs == given && value != last);
    one = inputs == nullptr || (one && value == first);
    first = inputs == nullptr ? value : first;
    last = value;
    inputs = given;
}

/* CONDITION, by which something is picked: its sides are noted where it compares. */
Value Trial::compared(const Expr *condition)
{
    const auto *binary = dyn_cast<BinaryOperator>(bareOf(condition).expression);
    if (binary == nullptr || !binary->isComparisonOp())
        return evaluate(condition);
    const Value left = evaluate(binary->getLHS()), right = evaluate(binary->getRHS());
    const Value value = compute(binary->getOpcode(), left, right);
    if (left.kind != Value::Kind::Integer || right.kind != Value::Kind::Integer || !value.truth())
        return value;
    Comparison &comparison = lookups.comparisons[binary];
    comparison.left.add(left.integer, &inputs);
    comparison.right.add(right.integer, &inputs);
    (*value.truth() ? comparison.held : comparison.failed) = true;
    return value;
}

Value Trial::evaluateChoice(const ConditionalOperator *choice)
{
    const std::optional<bool> condition = decide(choice->getCond());
    if (condition)
        return evaluate(*condition ? choice->getTrueExpr() : choice->getFalseExpr());
    passOver(choice->getTrueExpr());
    passOver(choice->getFalseExpr());
    return Value();
}

bool cutsOff(BinaryOperatorKind kind)
{
    return kind == BO_Div || kind == BO_Shr || kind == BO_Rem;
}

Value Trial::evaluateOperator(const BinaryOperator *binary)
{
    const BinaryOperatorKind kind = binary->getOpcode();
    const Value left = evaluate(binary->getLHS());
    const Value value = compute(kind, left, evaluate(binary->getRHS()));
    if (value.kind != Value::Kind::Integer)
        return value;
    if (binary->isComparisonOp())
        lookups.sides[binary] |= value.integer != 0 ? 2U : 1U;
    else if (cutsOff(kind))
        lookups.sides[binary] |= value.integer == (kind == BO_Rem ? left.integer : 0) ? 1U : 3U;
    return value;
}

Value Trial::evaluateBinary(const BinaryOperator *binary)
{
    BinaryOperatorKind kind = binary->getOpcode();
    if (kind == BO_Comma) {
        evaluate(binary->getLHS());
        return evaluate(binary->getRHS());
    }
    if (kind == BO_LAnd || kind == BO_LOr)
        return evaluateLogical(binary);
    if (!binary->isAssignmentOp())
        return evaluateOperator(binary);
    Value value = evaluate(binary->getRHS());
    std::optional<Cell> cell = cellOf(binary->getLHS());
    QualType type = binary->getLHS()->getType();
    if (binary->isCompoundAssignmentOp())
        value = compute(BinaryOperator::getOpForCompoundAssignment(kind), load(cell, type), value);
    store(cell, value, type);
    return value;
}

Value Trial::evaluateUnary(const UnaryOperator *unary)
{
    const Expr *inner = unary->getSubExpr();
    if (unary->getOpcode() == UO_AddrOf) {
        std::optional<Cell> cell = cellOf(inner);
        return cell ? Value::to(*cell) : Value();
    }
    if (unary->getOpcode() == UO_Deref)
        return load(cellOf(unary), unary->getType());
    if (unary->isIncrementDecrementOp()) {
        std::optional<Cell> cell = cellOf(inner);
        Value before = load(cell, inner->getType());
        Value after = compute(unary->isIncrementOp() ? BO_Add : BO_Sub, before, Value::of(1LL));
        store(cell, after, inner->getType());
        return unary->isPrefix() ? after : before;
    }
    Value value = evaluate(inner);
    if (unary->getOpcode() == UO_LNot && value.truth())
        return Value::of(static_cast<long long>(!*value.truth()));
    if (!value.isNumber())
        return Value();
    if (unary->getOpcode() == UO_Minus)
        return compute(BO_Sub, Value::of(0LL), value);
    return unary->getOpcode() == UO_Plus ? value : Value();
}

} // namespace xmpi
