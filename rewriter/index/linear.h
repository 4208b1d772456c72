/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions that are linear in each of their variables: sums and products, which have their
 * extremes where the variables have theirs. */
#ifndef XMPI_REWRITER_LINEAR_H
#define XMPI_REWRITER_LINEAR_H

#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <set>

namespace xmpi
{

/* One of VARIABLES is in EXPRESSION. */
bool mentionsAny(const clang::Stmt *expression, const std::set<const clang::VarDecl *> &variables);

/* What CALL, of a function of the file that does nothing else, returns: an expression of its
 * parameters; or null. */
const clang::Expr *returnedBy(const clang::CallExpr *call);

/* VARIABLES come in sums and products only, also in what is returned by functions. */
bool isLinear(const clang::Expr *expression, const std::set<const clang::VarDecl *> &variables);

} // namespace xmpi
#endif
