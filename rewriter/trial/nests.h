/* SPDX-License-Identifier: BSD-3-Clause
 * Loops that a trial which takes too long can do without. */
#ifndef XMPI_REWRITER_NESTS_H
#define XMPI_REWRITER_NESTS_H

#include "analysis.h"

namespace xmpi
{

/* Loops around others that set nothing as whole variables, but counters and what is their own:
 * they fill arrays. What with is not known where they are left out. */
std::vector<const clang::Stmt *> nestsThatFill(const Analysis &analysis);

/* LOOP is like those, but for pointers, of which it sets none. */
bool fillsArrays(const Analysis &analysis, const clang::Stmt *loop);

} // namespace xmpi
#endif
