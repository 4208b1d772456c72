/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of pointers to rows (double **a), behind which is one contiguous block. */
#ifndef XMPI_REWRITER_ROW_TABLE_H
#define XMPI_REWRITER_ROW_TABLE_H

#include "trial/survey.h"

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

/* Lets the other variables that point to the block of TABLE, the array DATA, follow it. */
void aliasHolders(Analysis &analysis, const RowTable &table, const std::string &data);

/* A variable that points to the block of TABLE, as it is written at the loop; or "". */
std::string holderOf(const Analysis &analysis, const RowTable &table);

/* A parameter of the loop's function gets its pointers in other memory when there are more rows.
 * The variables of the callers then have to follow, after the statements with the calls: whether
 * they can; true where TABLE is no parameter. */
bool canTellCallers(const Analysis &analysis, const clang::VarDecl *table);

/* Lets them: OURS[1] holds the pointers. What sets it in the loop's function, or "". */
std::string tellCallers(Analysis &analysis, const clang::VarDecl *table, const std::string &ours);

} // namespace xmpi
#endif
