/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at each place that names such a variable. */
#include "trial/idle.h"
#include "analysis.h"
#include "source/loops.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

bool jumps(const Stmt *statement)
{
    return anyWithin(statement, [](const Stmt *one) {
        return isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt, LabelStmt>(one);
    });
}

namespace
{

/* VARIABLE in a function; a loop FILLS that sets nothing but arrays and what is idle, whatever it
 * goes by. */
class Idleness
{
  public:
    Idleness(const VarDecl *variable, std::function<bool(const Stmt *)> fills)
        : variable(variable), fills(std::move(fills))
    {
    }

    bool inStatement(const Stmt *statement) const
    {
        if (statement == nullptr || sets(statement) || (isLoop(statement) && fills(statement)))
            return true;
        if (const auto *expression = dyn_cast<Expr>(statement))
            return inExpression(expression);
        if (const auto *declaration = dyn_cast<DeclStmt>(statement))
            return std::all_of(
                declaration->decl_begin(), declaration->decl_end(),
                [&](const Decl *one) { return inDeclaration(dyn_cast<VarDecl>(one)); });
        if (!isLoop(statement) && !isa<CompoundStmt, IfStmt>(statement))
            return !names(statement);
        return llvm::all_of(statement->children(),
                            [&](const Stmt *child) { return inStatement(child); });
    }

  private:
    const VarDecl *variable;
    const std::function<bool(const Stmt *)> fills;

    bool isName(const Stmt *statement) const
    {
        return variableAt(statement) == variable;
    }

    bool names(const Stmt *statement) const
    {
        return anyWithin(statement, [&](const Stmt *one) { return isName(one); });
    }

    /* It counts, or is set by what it may be itself. */
    bool sets(const Stmt *statement) const
    {
        const auto *unary = dyn_cast<UnaryOperator>(statement);
        const auto *binary = dyn_cast<BinaryOperator>(statement);
        return unary != nullptr ? unary->isIncrementDecrementOp() && isName(unary->getSubExpr())
                                : binary != nullptr && binary->isAssignmentOp() &&
                                      isName(binary->getLHS()) && isPlace(binary->getRHS());
    }

    bool inDeclaration(const VarDecl *declared) const
    {
        const Expr *value = declared != nullptr ? declared->getInit() : nullptr;
        return value == nullptr || (declared == variable ? isPlace(value) : inExpression(value));
    }

    bool inExpression(const Expr *expression) const
    {
        expression = expression->IgnoreParenCasts();
        if (addressedBy(expression) != nullptr)
            return !names(expression);
        if (const auto *call = dyn_cast<CallExpr>(expression))
            return llvm::all_of(call->arguments(), [&](const Expr *argument) {
                return isPosition(call, argument) || inExpression(argument);
            });
        return !isName(expression) && llvm::all_of(expression->children(), [&](const Stmt *child) {
            const auto *part = dyn_cast_or_null<Expr>(child);
            return part != nullptr ? inExpression(part) : child == nullptr || !names(child);
        });
    }

    /* &position: MPI goes on from there in a buffer. */
    bool isPosition(const CallExpr *call, const Expr *argument) const
    {
        const Expr *target = addressedBy(argument);
        return (calleeName(call) == "MPI_Pack" || calleeName(call) == "MPI_Unpack") &&
               target != nullptr && isName(target->IgnoreParens());
    }

    /* Nothing but arithmetic is done with it. */
    bool isPlace(const Expr *expression) const
    {
        expression = expression->IgnoreParenCasts();
        const auto *unary = dyn_cast<UnaryOperator>(expression);
        const auto *binary = dyn_cast<BinaryOperator>(expression);
        if (isName(expression) || !names(expression) || (unary != nullptr && sets(unary)))
            return true;
        if (unary != nullptr && unary->isArithmeticOp())
            return isPlace(unary->getSubExpr());
        return binary != nullptr && !binary->isAssignmentOp() && !binary->isCommaOp() &&
               isPlace(binary->getLHS()) && isPlace(binary->getRHS());
    }
};

} // namespace

/* What is not idle is taken away, until all that is left would be if the others were. */
Variables idleIntegers(const FunctionDecl *function,
                       const std::function<std::optional<Variables>(const Stmt *)> &setIn)
{
    Variables idle;
    eachWithin(function->getBody(), [&](const Stmt *statement) {
        for (const VarDecl *variable : declaredBy(statement))
            if (variable->hasLocalStorage() && variable->getType()->isIntegerType())
                idle.insert(variable);
    });
    const auto fills = [&](const Stmt *loop) {
        const std::optional<Variables> set = setIn(loop);
        return set && std::includes(idle.begin(), idle.end(), set->begin(), set->end());
    };
    for (size_t before = 0; before != idle.size();) {
        before = idle.size();
        for (auto one = idle.begin(); one != idle.end();)
            one = Idleness(*one, fills).inStatement(function->getBody()) ? std::next(one)
                                                                         : idle.erase(one);
    }
    return idle;
}

} // namespace xmpi
