/* SPDX-License-Identifier: BSD-3-Clause
 * How often a stage goes through its arrays (MHETA's trip counts). */
#ifndef XMPI_REWRITER_PASSES_H
#define XMPI_REWRITER_PASSES_H

#include "analysis.h"

namespace xmpi
{

/* The number of iterations of LOOP, where it is a constant. 0: that is not known. */
long long repeatsOf(const Analysis &analysis, const clang::Stmt *loop);

/* How often STAGE goes through the rows that it goes through, by the loops around its own; 1: once;
 * 0: that is not known, as where it is done at times only. */
long long passesOf(const Analysis &analysis, const clang::Stmt *stage);

} // namespace xmpi
#endif
