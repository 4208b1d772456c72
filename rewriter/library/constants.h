/* SPDX-License-Identifier: BSD-3-Clause
 * Constants of MPI: operations, types and communicators. */
#ifndef XMPI_REWRITER_CONSTANTS_H
#define XMPI_REWRITER_CONSTANTS_H

#include <clang/AST/Expr.h>
#include <string>

namespace xmpi
{

/* The name that MPI has for EXPRESSION, whatever macros or variables of the program's stand for it;
 * empty: it is no constant of MPI's. */
std::string constantOfMpi(const clang::Expr *expression, const clang::ASTContext &context);

/* ARGUMENT is MPI_IN_PLACE. */
bool isInPlace(const clang::Expr *argument, const clang::ASTContext &context);

} // namespace xmpi
#endif
