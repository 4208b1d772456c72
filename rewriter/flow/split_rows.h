/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of a function of the file, each for a part of the own rows, that come to one call for all
 * of them: update(u, v, 2, n - 1) while messages bring the ghost rows, and update(u, v, 1, 1) and
 * update(u, v, n, n) when they have. */
#ifndef XMPI_REWRITER_SPLIT_ROWS_H
#define XMPI_REWRITER_SPLIT_ROWS_H

#include "analysis.h"

namespace xmpi
{

/* Some such calls, which stand in one block with nothing but waiting for messages between them, so
 * that nothing between them tells whether the first ones ran there or with the last one. The
 * function sets each row by itself, from what it does not set: in which order, and how often, the
 * rows are gone through changes nothing. */
struct SplitRows {
    std::vector<const clang::CallExpr *> calls;         /* in the order of the text */
    unsigned beginAt = 0, endAt = 0;                    /* the parameters that say which rows */
    const clang::Expr *begin = nullptr, *end = nullptr; /* their values for all of the rows */
};

/* One of the calls is for all rows but the first, the last, or both. Unknown is not split. */
std::vector<SplitRows> splitRowsIn(const Analysis &analysis, const clang::CompoundStmt *block);

} // namespace xmpi
#endif
