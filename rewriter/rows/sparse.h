/* SPDX-License-Identifier: BSD-3-Clause
 * Sparse matrices in compressed rows (CSR): loops over the entries of a row. */
#ifndef XMPI_REWRITER_SPARSE_H
#define XMPI_REWRITER_SPARSE_H

#include "facts/uses.h"

namespace xmpi
{

/* The arrays whose elements loops from POINTERS[i] to POINTERS[i + 1] reach by their counter, in
 * the order of their names' first use. */
std::vector<const clang::VarDecl *> entriesOf(const LoopUses &uses, const clang::VarDecl *pointers);

/* ARRAYS, and what statements of the prologue fill together with one of them; nothing where such a
 * statement is not in the loop's function. IS_SAME: whether two variables lead to the same memory.
 */
std::optional<std::set<const clang::VarDecl *>>
filledAlong(const Analysis &analysis, const std::vector<const clang::VarDecl *> &arrays,
            const std::function<bool(const clang::VarDecl *, const clang::VarDecl *)> &isSame);

} // namespace xmpi
#endif
