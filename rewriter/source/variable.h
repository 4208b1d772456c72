/* SPDX-License-Identifier: BSD-3-Clause
 * The variable that an expression is. */
#ifndef XMPI_REWRITER_VARIABLE_H
#define XMPI_REWRITER_VARIABLE_H

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace xmpi
{

/* The variable that EXPRESSION names, in parentheses or casts perhaps; null where it is something
 * else, or EXPRESSION is null. */
inline const clang::VarDecl *variableIn(const clang::Expr *expression)
{
    const auto *reference =
        expression ? llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenCasts()) : nullptr;
    const auto *variable =
        reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    return variable != nullptr ? variable->getCanonicalDecl() : nullptr;
}

} // namespace xmpi
#endif
