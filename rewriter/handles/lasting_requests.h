/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent requests that iterations make, and later ones start. */
#ifndef XMPI_REWRITER_LASTING_REQUESTS_H
#define XMPI_REWRITER_LASTING_REQUESTS_H

#include "analysis.h"

namespace xmpi
{

/* ARGUMENT leads to requests or statuses: the former are complete when an iteration ends, and
 * nobody looks at the latter then. */
bool isScratchArgument(const clang::Expr *argument);

/* INIT, in the loop or a function that it calls, makes a persistent request in some iterations
 * alone: whether it does goes by what earlier ones have left, or by the number of the iteration.
 */
bool isMadeInSome(Analysis &analysis, const clang::CallExpr *init);

} // namespace xmpi
#endif
