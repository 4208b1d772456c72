/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of pointers to rows (double **a), behind which is one contiguous block. */
#ifndef XMPI_REWRITER_ROW_TABLE_H
#define XMPI_REWRITER_ROW_TABLE_H

#include "survey.h"

namespace xmpi
{

struct RowTable {
    const void *block = nullptr;                 /* with the rows, one after another */
    Values rows, length;                         /* for each sample */
    std::vector<const clang::VarDecl *> holders; /* other variables that point to the block */
};

/* What TABLE, a variable, points to; nothing where its pointers are not those of the rows of one
 * block in their order, from its begin to its end, in memory of their own. */
std::optional<RowTable> findRowTable(Analysis &analysis, const Survey &survey,
                                     const clang::VarDecl *table);

} // namespace xmpi
#endif
