/* SPDX-License-Identifier: BSD-3-Clause
 * The variable that an expression is. */
#ifndef XMPI_REWRITER_VARIABLE_H
#define XMPI_REWRITER_VARIABLE_H

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <utility>
#include <vector>

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

/* The variable whose name STATEMENT (or null) is, and nothing around it. */
inline const clang::VarDecl *variableAt(const clang::Stmt *statement)
{
    const auto *reference = llvm::dyn_cast_or_null<clang::DeclRefExpr>(statement);
    return reference != nullptr ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
}

/* What STATEMENT (or null), a declaration, declares; nothing of others. */
inline std::vector<const clang::VarDecl *> declaredBy(const clang::Stmt *statement)
{
    std::vector<const clang::VarDecl *> variables;
    if (const auto *declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(statement))
        for (const clang::Decl *one : declaration->decls())
            if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(one))
                variables.push_back(variable);
    return variables;
}

/* The pointer and the number of SUM, one side of which is a pointer. */
inline std::pair<const clang::Expr *, const clang::Expr *> sidesOf(const clang::BinaryOperator *sum)
{
    const bool left = sum->getLHS()->getType()->isPointerType();
    return {left ? sum->getLHS() : sum->getRHS(), left ? sum->getRHS() : sum->getLHS()};
}

/* What POINTER (or null), in parentheses or casts perhaps, is the address of, as it is written;
 * null where it is no `&...`. */
inline const clang::Expr *addressedBy(const clang::Expr *pointer)
{
    const auto *unary =
        pointer ? llvm::dyn_cast<clang::UnaryOperator>(pointer->IgnoreParenCasts()) : nullptr;
    return unary != nullptr && unary->getOpcode() == clang::UO_AddrOf ? unary->getSubExpr()
                                                                      : nullptr;
}

} // namespace xmpi
#endif
