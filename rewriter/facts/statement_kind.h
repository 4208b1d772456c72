/* SPDX-License-Identifier: BSD-3-Clause
 * Questions about one statement of the prologue that its own text answers. */
#ifndef XMPI_REWRITER_STATEMENT_KIND_H
#define XMPI_REWRITER_STATEMENT_KIND_H

#include "analysis.h"

namespace xmpi
{

/* EXPRESSION is a call of the function ONE or OTHER. */
bool isName(const clang::Expr *expression, llvm::StringRef one, llvm::StringRef other);

/* WRITE is by a call of a function of the file. */
bool isByOwnFunction(const Write &write);

/* STATEMENT leaves a loop around it, or the function. IN_LOOP: it is in a loop of its own. */
bool leavesAround(const clang::Stmt *statement, bool inLoop);

/* EFFECTS set a handle of MPI that lasts: no request, no status. */
bool makesHandle(const Effects &effects);

/* What has EFFECTS sets the place of WRITE from nothing that it held before, on every way through.
 */
bool setsAnew(const Effects &effects, const Write &write);

/* VALUE reads an element of a registered array. */
bool readsElement(const Analysis &analysis, const clang::Stmt *value);

} // namespace xmpi
#endif
