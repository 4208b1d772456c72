/* SPDX-License-Identifier: BSD-3-Clause
 * How the loop's indices are written, where that tells what an array is. */
#ifndef XMPI_REWRITER_INDEX_FORM_H
#define XMPI_REWRITER_INDEX_FORM_H

#include "facts/uses.h"

namespace xmpi
{

/* INDEX has a product of the count and something that varies: columns of a local block. */
bool isStridedByCount(Analysis &analysis, const LoopUses &uses, const clang::Stmt *index);

/* INDEX adds or subtracts a number, or is the count itself: it may reach ghost rows. */
bool hasOffset(Analysis &analysis, const LoopUses &uses, const clang::Stmt *index);

} // namespace xmpi
#endif
