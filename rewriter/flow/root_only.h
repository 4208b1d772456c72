/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 has for itself: a log, the numbers to print. */
#ifndef XMPI_REWRITER_ROOT_ONLY_H
#define XMPI_REWRITER_ROOT_ONLY_H

#include "analysis.h"

namespace xmpi
{

/* Fills analysis.rootOnly with the variables of the way to the loop that only rank 0 sets (but for
 * constants), and reads: under `if (rank == 0)`, under a test of the pointer, or as what a
 * collective operation uses at the root 0. Rank 0 never leaves, so they stay where they are; other
 * ranks have the constants, as joining processes do. Needs the rank. */
void findRootOnly(Analysis &analysis);

/* All that ITEM, a statement of the prologue, sets is of rank 0 only. */
bool setsRootOnly(const Analysis &analysis, const Item &item);

} // namespace xmpi
#endif
