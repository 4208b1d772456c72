/* SPDX-License-Identifier: BSD-3-Clause
 * How the loop's indices are written, where that tells what an array is. */
#ifndef XMPI_REWRITER_INDEX_FORM_H
#define XMPI_REWRITER_INDEX_FORM_H

#include "facts/uses.h"
#include <llvm/ADT/STLExtras.h>

namespace xmpi
{

/* INDEX has a product of the count, which it names or of which IS_NUMBER knows, and something that
 * varies, also in functions of the file, in as many CALLS of one another: columns of a local
 * block. */
using IsCount = llvm::function_ref<bool(const clang::Expr *)>;
bool isStridedByCount(Analysis &analysis, const LoopUses &uses, const clang::Stmt *index,
                      const IsCount &isNumber, int calls = 8);

/* INDEX adds or subtracts a number, or is the count itself: it may reach ghost rows. */
bool hasOffset(Analysis &analysis, const LoopUses &uses, const clang::Stmt *index);

} // namespace xmpi
#endif
