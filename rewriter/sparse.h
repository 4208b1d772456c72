/* SPDX-License-Identifier: BSD-3-Clause
 * Sparse matrices in compressed rows (CSR): loops over the entries of a row. */
#ifndef XMPI_REWRITER_SPARSE_H
#define XMPI_REWRITER_SPARSE_H

#include "uses.h"

namespace xmpi
{

/* The arrays whose elements loops from POINTERS[i] to POINTERS[i + 1] reach by their counter, in
 * the order of their names' first use. */
std::vector<const clang::VarDecl *> entriesOf(const LoopUses &uses, const clang::VarDecl *pointers);

} // namespace xmpi
#endif
