/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of numbers that mean something in one layout only. */
#ifndef XMPI_REWRITER_ROW_NUMBERS_H
#define XMPI_REWRITER_ROW_NUMBERS_H

#include "facts/uses.h"

namespace xmpi
{

/* Refuses registered arrays whose elements are numbers of ranks, or of rows counted from the
 * process's first one, where the loop uses them as such. */
bool checkRowNumbers(Analysis &analysis, const LoopUses &uses);

} // namespace xmpi
#endif
