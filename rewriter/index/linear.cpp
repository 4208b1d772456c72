/* SPDX-License-Identifier: BSD-3-Clause */
#include "index/linear.h"
#include "facts/effects.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

bool mentionsAny(const Stmt *expression, const std::set<const VarDecl *> &variables)
{
    return anyWithin(expression, [&](const Stmt *one) {
        const VarDecl *variable = variableIn(dyn_cast<Expr>(one));
        return variable != nullptr && variables.count(variable) != 0;
    });
}

/* EXPRESSION has no names but those of parameters of FUNCTION, and changes nothing. */
static bool isOf(const Stmt *expression, const FunctionDecl *function)
{
    if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
        return isa<EnumConstantDecl>(reference->getDecl()) ||
               (isa<ParmVarDecl>(reference->getDecl()) &&
                reference->getDecl()->getDeclContext() == function);
    if (const auto *binary = dyn_cast<BinaryOperator>(expression))
        if (binary->isAssignmentOp())
            return false;
    if (const auto *unary = dyn_cast<UnaryOperator>(expression))
        if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_Deref)
            return false;
    if (isa<CallExpr, StmtExpr, ArraySubscriptExpr, MemberExpr>(expression))
        return false;
    return llvm::all_of(partsIn(expression),
                        [&](const Stmt *child) { return isOf(child, function); });
}

const Expr *returnedBy(const CallExpr *call)
{
    const FunctionDecl *callee = definitionOf(call);
    const Expr *value = returnedBy(callee);
    return value != nullptr && callee->getNumParams() == call->getNumArgs() && isOf(value, callee)
               ? value
               : nullptr;
}

static bool isLinearCall(const CallExpr *call, const std::set<const VarDecl *> &moving)
{
    const Expr *value = returnedBy(call);
    std::set<const VarDecl *> inner;
    for (unsigned i = 0; value != nullptr && i < call->getNumArgs(); i++) {
        if (!isLinear(call->getArg(i), moving))
            return false;
        if (mentionsAny(call->getArg(i), moving))
            inner.insert(cast<FunctionDecl>(call->getDirectCallee()->getDefinition())
                             ->getParamDecl(i)
                             ->getCanonicalDecl());
    }
    return value != nullptr && isLinear(value, inner);
}

bool isLinear(const Expr *expression, const std::set<const VarDecl *> &moving)
{
    const Expr *bare = expression->IgnoreParenCasts();
    if (!mentionsAny(bare, moving) || isa<DeclRefExpr>(bare))
        return true;
    if (const auto *unary = dyn_cast<UnaryOperator>(bare))
        return (unary->getOpcode() == UO_Minus || unary->getOpcode() == UO_Plus) &&
               isLinear(unary->getSubExpr(), moving);
    if (const auto *call = dyn_cast<CallExpr>(bare))
        return isLinearCall(call, moving);
    const auto *binary = dyn_cast<BinaryOperator>(bare);
    return binary != nullptr && (binary->isAdditiveOp() || binary->getOpcode() == BO_Mul) &&
           isLinear(binary->getLHS(), moving) && isLinear(binary->getRHS(), moving);
}

} // namespace xmpi
