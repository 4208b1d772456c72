/* SPDX-License-Identifier: BSD-3-Clause
 * Sums, largest values and marks, told by how they are written. */
#include "flow/gathered.h"
#include "compat.h"
#include "facts/effects.h"
#include "library/library.h"
#include "source/integer.h"
#include "source/loops.h"
#include <clang/AST/Decl.h>

namespace xmpi
{

using namespace clang;

bool isSame(const ASTContext &context, const Expr *one, const Expr *other)
{
    llvm::FoldingSetNodeID first, second;
    one->IgnoreParenCasts()->Profile(first, context, true);
    other->IgnoreParenCasts()->Profile(second, context, true);
    return first == second;
}

SelfOperation selfOperationOf(const ASTContext &context, const BinaryOperator *assignment)
{
    const auto *inner = assignment->getOpcode() == BO_Assign
                            ? dyn_cast<BinaryOperator>(assignment->getRHS()->IgnoreParenCasts())
                            : nullptr;
    if (inner == nullptr || inner->isAssignmentOp() || inner->isComparisonOp())
        return {};
    if (isSame(context, inner->getLHS(), assignment->getLHS()))
        return {inner, inner->getRHS()};
    const BinaryOperatorKind kind = inner->getOpcode();
    const bool either =
        kind == BO_Add || kind == BO_Mul || kind == BO_Or || kind == BO_And || kind == BO_Xor;
    if (either && isSame(context, inner->getRHS(), assignment->getLHS()))
        return {inner, inner->getLHS()};
    return {};
}

/* A OP B ? A : B, or the other one. */
static unsigned pickOf(const ASTContext &context, const Expr *condition, const Expr *one,
                       const Expr *other)
{
    const auto *compared = dyn_cast<BinaryOperator>(condition->IgnoreParenCasts());
    if (compared == nullptr || !compared->isRelationalOp())
        return Form::Picked;
    const BinaryOperatorKind kind = compared->getOpcode();
    const bool greater = kind == BO_GT || kind == BO_GE;
    if (isSame(context, compared->getLHS(), one) && isSame(context, compared->getRHS(), other))
        return greater ? Form::Largest : Form::Smallest;
    if (isSame(context, compared->getLHS(), other) && isSame(context, compared->getRHS(), one))
        return greater ? Form::Smallest : Form::Largest;
    return Form::Picked;
}

static const Expr *returnedBy(const Stmt *statement)
{
    const auto *block = dyn_cast_or_null<CompoundStmt>(statement);
    if (block != nullptr && block->size() == 1)
        statement = block->body_front();
    const auto *back = dyn_cast_or_null<ReturnStmt>(statement);
    return back != nullptr ? back->getRetValue() : nullptr;
}

/* FUNCTION hands back the larger or smaller one of its arguments. */
static unsigned pickOf(const ASTContext &context, const FunctionDecl *function)
{
    const Stmt *body = function->getBody();
    const Expr *value = returnedBy(body);
    if (const auto *choice =
            value ? dyn_cast<ConditionalOperator>(value->IgnoreParenCasts()) : nullptr)
        return pickOf(context, choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
    const auto *block = dyn_cast<CompoundStmt>(body);
    const auto *choice =
        block && !block->body_empty() ? dyn_cast<IfStmt>(block->body_front()) : nullptr;
    const Expr *one = choice ? returnedBy(choice->getThen()) : nullptr;
    const Expr *other = choice && choice->getElse()    ? returnedBy(choice->getElse())
                        : choice && block->size() == 2 ? returnedBy(block->body_back())
                                                       : nullptr;
    return one != nullptr && other != nullptr ? pickOf(context, choice->getCond(), one, other)
                                              : Form::Otherwise;
}

/* m = fmax(m, x), m = x > m ? x : m */
static unsigned pickOf(const ASTContext &context, const Expr *value)
{
    if (const auto *choice = dyn_cast<ConditionalOperator>(value))
        return pickOf(context, choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
    const auto *call = dyn_cast<CallExpr>(value);
    if (call == nullptr)
        return Form::Otherwise;
    if (startsWith(calleeName(call), "fmax"))
        return Form::Largest;
    if (startsWith(calleeName(call), "fmin"))
        return Form::Smallest;
    const FunctionDecl *callee = definitionOf(call);
    return callee != nullptr && call->getNumArgs() == 2 ? pickOf(context, callee) : Form::Otherwise;
}

const Expr *pickedOperandOf(const ASTContext &context, const BinaryOperator *assignment)
{
    const Expr *value = assignment->getRHS()->IgnoreParenCasts();
    const auto *choice = dyn_cast<ConditionalOperator>(value);
    const auto *call = dyn_cast<CallExpr>(value);
    if (choice == nullptr && (call == nullptr || call->getNumArgs() != 2))
        return nullptr;
    const Expr *one = choice ? choice->getTrueExpr() : call->getArg(0);
    const Expr *other = choice ? choice->getFalseExpr() : call->getArg(1);
    if (isSame(context, one, assignment->getLHS()))
        return other;
    return isSame(context, other, assignment->getLHS()) ? one : nullptr;
}

/* A number of rows, or of what is in them, that is never less than 0. */
static bool isCount(const Expr *value)
{
    value = value->IgnoreParenCasts();
    if (const auto *choice = dyn_cast<ConditionalOperator>(value))
        return isCount(choice->getTrueExpr()) && isCount(choice->getFalseExpr());
    const auto *binary = dyn_cast<BinaryOperator>(value);
    const auto *unary = dyn_cast<UnaryOperator>(value);
    return isa<IntegerLiteral>(value) || value->getType()->isUnsignedIntegerType() ||
           (binary != nullptr && (binary->isComparisonOp() || binary->isLogicalOp())) ||
           (unary != nullptr && unary->getOpcode() == UO_LNot);
}

/* Nothing else than 0 or 1. */
static bool isMark(const Expr *value)
{
    value = value->IgnoreParenCasts();
    if (const auto *choice = dyn_cast<ConditionalOperator>(value))
        return isMark(choice->getTrueExpr()) && isMark(choice->getFalseExpr());
    if (const auto *number = dyn_cast<IntegerLiteral>(value))
        return number->getValue().ule(1);
    const auto *binary = dyn_cast<BinaryOperator>(value);
    const auto *unary = dyn_cast<UnaryOperator>(value);
    return value->getType()->isBooleanType() ||
           (binary != nullptr && (binary->isComparisonOp() || binary->isLogicalOp())) ||
           (unary != nullptr && unary->getOpcode() == UO_LNot);
}

unsigned gatheringOf(const ASTContext &context, const BinaryOperator *assignment)
{
    const SelfOperation own = selfOperationOf(context, assignment);
    BinaryOperatorKind kind = assignment->getOpcode();
    const Expr *operand = own.operand ? own.operand : assignment->getRHS();
    if (assignment->isCompoundAssignmentOp())
        kind = BinaryOperator::getOpForCompoundAssignment(kind);
    else if (own.operation != nullptr)
        kind = own.operation->getOpcode();
    switch (kind) {
    case BO_Add:
        return !assignment->getLHS()->getType()->isFloatingType() && isCount(operand)
                   ? Form::Counted
                   : Form::Added;
    case BO_Sub:
        return Form::Added;
    case BO_Mul:
        return Form::Multiplied;
    case BO_Or:
        return isMark(operand) ? Form::Set : Form::Set | Form::Bits;
    case BO_LOr:
        return Form::Set;
    case BO_Xor:
        return Form::Toggled;
    case BO_And:
        return isMark(operand) ? Form::Cleared : Form::Cleared | Form::Bits;
    case BO_LAnd:
        return Form::Cleared;
    case BO_Assign:
        return pickOf(context, operand->IgnoreParenCasts());
    default:
        return Form::Otherwise;
    }
}

/* In the block of STATEMENT, VALUE is assigned to TARGET. */
static bool assigns(const ASTContext &context, const Stmt *statement, const Expr *target,
                    const Expr *value)
{
    if (const auto *block = dyn_cast_or_null<CompoundStmt>(statement)) {
        return llvm::any_of(block->body(),
                            [&](const Stmt *one) { return assigns(context, one, target, value); });
    }
    const auto *binary = dyn_cast_or_null<BinaryOperator>(statement);
    return binary != nullptr && binary->getOpcode() == BO_Assign &&
           isSame(context, binary->getLHS(), target) && isSame(context, binary->getRHS(), value);
}

static unsigned pickedUnder(const ASTContext &context, const Expr *condition, const Stmt *then)
{
    const auto *compared = dyn_cast<BinaryOperator>(condition->IgnoreParenCasts());
    if (compared == nullptr || !compared->isRelationalOp())
        return 0;
    const Expr *left = compared->getLHS(), *right = compared->getRHS();
    const bool greater = compared->getOpcode() == BO_GT || compared->getOpcode() == BO_GE;
    if (assigns(context, then, right, left))
        return greater ? Form::Largest : Form::Smallest;
    if (assigns(context, then, left, right))
        return greater ? Form::Smallest : Form::Largest;
    return 0;
}

unsigned pickedBy(const ASTContext &context, const IfStmt *choice)
{
    return choice->getElse() == nullptr ? pickedUnder(context, choice->getCond(), choice->getThen())
                                        : 0;
}

unsigned pickedBy(const ASTContext &context, const ConditionalOperator *choice)
{
    const unsigned picked =
        pickOf(context, choice->getCond(), choice->getTrueExpr()->IgnoreImpCasts(),
               choice->getFalseExpr()->IgnoreImpCasts());
    return picked != Form::Picked ? picked : 0;
}

static bool isUntold(unsigned gathered)
{
    return (gathered & ~(Form::Unsaid | Form::Any | Form::Repeated)) == 0;
}

unsigned comparedAs(unsigned gathered, BinaryOperatorKind kind, bool left, bool zero)
{
    if (gathered == Form::AtEdge)
        return gathered;
    if (!left)
        kind = BinaryOperator::reverseComparisonOp(kind);
    const bool greater = kind == BO_GT || kind == BO_GE, less = kind == BO_LT || kind == BO_LE;
    if (gathered == Form::Largest && (greater || less))
        return greater ? Form::Set : Form::Cleared; /* of one row, or of all */
    if (gathered == Form::Smallest && (greater || less))
        return greater ? Form::Cleared : Form::Set;
    const bool mark = gathered == Form::Set || gathered == Form::Cleared;
    if (zero && (mark || gathered == Form::Counted) && kind != BO_LT && kind != BO_GE) {
        const bool any = kind == BO_NE || kind == BO_GT;
        gathered = gathered == Form::Counted ? static_cast<unsigned>(Form::Set) : gathered;
        return any ? gathered : contraryOf(gathered);
    }
    return isUntold(gathered) ? gathered : Form::Otherwise;
}

unsigned testedAs(unsigned gathered)
{
    const unsigned how = gathered & (Form::Added | Form::Counted | Form::Multiplied |
                                     Form::Largest | Form::Smallest | Form::Toggled | Form::Bits);
    if (how == 0)
        return gathered;
    const bool some = gathered == Form::Counted || gathered == (Form::Set | Form::Bits);
    return some ? static_cast<unsigned>(Form::Set) : gathered | Form::Otherwise;
}

unsigned contraryOf(unsigned gathered)
{
    if (gathered == Form::Set)
        return Form::Cleared;
    if (gathered == Form::Cleared)
        return Form::Set;
    if (gathered == Form::Counted)
        return Form::Cleared;
    return isUntold(gathered) ? gathered : Form::Otherwise;
}

bool puttingTogether(llvm::StringRef operation, unsigned gathered, bool &counted)
{
    static const struct {
        const char *operation;
        unsigned of;
    } known[] = {
        {"MPI_SUM", Form::Added | Form::Counted},
        {"MPI_PROD", Form::Multiplied},
        {"MPI_MAX", Form::Largest | Form::Picked | Form::Set},
        {"MPI_MIN", Form::Smallest | Form::Picked | Form::Cleared},
        {"MPI_MAXLOC", Form::Largest | Form::Picked},
        {"MPI_MINLOC", Form::Smallest | Form::Picked},
        {"MPI_LOR", Form::Set | Form::Bits | Form::Counted | Form::Picked},
        {"MPI_BOR", Form::Set | Form::Bits | Form::Picked},
        {"MPI_LAND", Form::Cleared | Form::Picked},
        {"MPI_BAND", Form::Cleared | Form::Bits | Form::Picked},
        {"MPI_BXOR", Form::Toggled},
    };
    counted = operation == "MPI_MAX" && gathered == Form::Counted;
    for (const auto &one : known)
        if (operation == one.operation)
            return counted || isUntold(gathered & ~one.of);
    return false;
}

bool isOfAllRows(const Form &sum)
{
    const unsigned gathered = sum.message ? sum.gathered & ~Form::Neighbours : sum.gathered;
    bool counted = false;
    return sum.kind == Form::Kind::Block && !sum.begun && !sum.others && !sum.parts &&
           !sum.isOfLayout() && gathered != 0 && puttingTogether("MPI_SUM", gathered, counted) &&
           !counted;
}

Form ofOthers(const std::string &cause, SourceLocation where)
{
    Form form = Form::of(Form::Kind::Block, cause, where);
    form.gathered = Form::Otherwise;
    form.data = true;
    return form;
}

Form inPlaceOf(const Form &before, const Form &value)
{
    const unsigned sums = Form::Added | Form::Counted | Form::Multiplied | Form::Toggled;
    if (before.kind != Form::Kind::Block || (before.gathered & sums) == 0)
        return value;
    Form form = value;
    form.gathered |= Form::Otherwise;
    return form;
}

/* -- operations of the program's own */

namespace
{

/* What is assigned to what elements, in a function that is handed two arrays of them. */
class Operation
{
  public:
    Operation(const ASTContext &context, const FunctionDecl *function)
        : context(context), in(function->getParamDecl(0)), out(function->getParamDecl(1)),
          length(function->getParamDecl(2))
    {
        find(function->getBody());
    }

    std::string name() const
    {
        return !known || !common             ? ""
               : *common == Form::Added      ? "MPI_SUM"
               : *common == Form::Multiplied ? "MPI_PROD"
               : *common == Form::Largest    ? "MPI_MAX"
               : *common == Form::Smallest   ? "MPI_MIN"
                                             : "";
    }

  private:
    const ASTContext &context;
    const ParmVarDecl *in, *out, *length;
    std::set<const VarDecl *> ins = {in}, outs = {out};
    bool known = true;
    std::optional<unsigned> common;

    /* EXPRESSION is an element of one of ARRAYS, or a member of it, and nothing else. */
    bool isElement(const Expr *expression, const std::set<const VarDecl *> &arrays) const
    {
        expression = expression->IgnoreParenCasts();
        if (const auto *member = dyn_cast<MemberExpr>(expression))
            return isElement(member->getBase(), arrays);
        if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression))
            return isElement(subscript->getBase(), arrays);
        if (const auto *unary = dyn_cast<UnaryOperator>(expression))
            return unary->getOpcode() == UO_Deref && isElement(unary->getSubExpr(), arrays);
        const VarDecl *variable = variableAt(expression);
        return variable != nullptr && arrays.count(variable) != 0;
    }

    void take(unsigned gathered)
    {
        known = known && (!common || *common == gathered);
        common = gathered;
    }

    void takeAssignment(const BinaryOperator *binary)
    {
        if (binary->isCompoundAssignmentOp() && isElement(binary->getRHS(), ins))
            return take(binary->getOpcode() == BO_AddAssign   ? Form::Added
                        : binary->getOpcode() == BO_MulAssign ? Form::Multiplied
                                                              : Form::Otherwise);
        const SelfOperation own = selfOperationOf(context, binary);
        if (own.operand != nullptr && isElement(own.operand, ins))
            return take(own.operation->getOpcode() == BO_Add   ? Form::Added
                        : own.operation->getOpcode() == BO_Mul ? Form::Multiplied
                                                               : Form::Otherwise);
        const Expr *value = binary->getRHS()->IgnoreParenCasts();
        const auto *choice = dyn_cast<ConditionalOperator>(value);
        const auto *call = dyn_cast<CallExpr>(value);
        auto element = [&](const Expr *one) { return isElement(one, ins) || isElement(one, outs); };
        if (choice != nullptr && element(choice->getTrueExpr()) && element(choice->getFalseExpr()))
            return take(pickOf(context, value));
        if (call != nullptr && call->getNumArgs() == 2 && element(call->getArg(0)) &&
            element(call->getArg(1)))
            return take(pickOf(context, value));
        take(Form::Otherwise);
    }

    /* BOUND is how many elements there are, or the same number for all calls. */
    bool isLength(const Expr *bound) const
    {
        bound = bound->IgnoreParenCasts();
        const VarDecl *variable = variableIn(bound);
        if (variable != nullptr && variable->hasInit() && variable->isLocalVarDecl())
            return isLength(variable->getInit());
        return bound->isEvaluatable(context) || isElement(bound, {length});
    }

    /* LOOP comes to all elements, or to all parts of each. */
    bool isWhole(const ForStmt *loop) const
    {
        const std::optional<CountedLoop> counted = countedLoop(loop);
        return counted && !counted->closed && isLength(counted->end) &&
               constantInteger(counted->begin->IgnoreParenCasts(), context) == 0;
    }

    /* STATEMENT leaves out elements, or may do so. */
    bool leavesOut(const Stmt *statement) const
    {
        const auto *loop = dyn_cast<ForStmt>(statement);
        return loop != nullptr ? !isWhole(loop)
                               : isa<IfStmt, SwitchStmt, WhileStmt, DoStmt, GotoStmt, BreakStmt,
                                     ContinueStmt, ReturnStmt>(statement);
    }

    void find(const Stmt *statement)
    {
        if (statement == nullptr)
            return;
        for (const VarDecl *variable : declaredBy(statement))
            if (variable->getInit())
                for (std::set<const VarDecl *> *arrays : {&ins, &outs})
                    if (variable->getType()->isPointerType() &&
                        isElement(variable->getInit(), *arrays))
                        arrays->insert(variable);
        if (const auto *choice = dyn_cast<IfStmt>(statement))
            if (unsigned picked = pickedBy(context, choice)) {
                const auto *block = dyn_cast<CompoundStmt>(choice->getThen());
                return take(block == nullptr || block->size() == 1 ? picked : Form::Otherwise);
            }
        known = known && !leavesOut(statement);
        if (const auto *binary = dyn_cast<BinaryOperator>(statement))
            if (binary->isAssignmentOp() && isElement(binary->getLHS(), outs))
                takeAssignment(binary);
        for (const Stmt *child : statement->children())
            find(child);
    }
};

} // namespace

std::string operationOf(const ASTContext &context, const FunctionDecl *function)
{
    return function->hasBody() && function->getNumParams() == 4
               ? Operation(context, function).name()
               : "";
}

} // namespace xmpi
