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

/* The same where no cast stands before the name, as it is declared there. */
inline const clang::VarDecl *variableNamed(const clang::Expr *expression)
{
    const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParenImpCasts());
    return reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

} // namespace xmpi
#endif
