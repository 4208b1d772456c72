/* SPDX-License-Identifier: BSD-3-Clause
 * Pointers to arrays that iterations let change places. */
#ifndef XMPI_REWRITER_MERGED_POINTERS_H
#define XMPI_REWRITER_MERGED_POINTERS_H

#include "facts/uses.h"

namespace xmpi
{

/* Refuses loops behind whose statements two pointers to arrays that move lead to one of them, as
 * `if (done) old = new;` has it: behind a reconfiguration each has memory of its own. What merely
 * exchanges them is no obstacle. */
bool checkMergedPointers(Analysis &analysis, const LoopUses &uses);

} // namespace xmpi
#endif
