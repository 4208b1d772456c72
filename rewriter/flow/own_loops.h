/* SPDX-License-Identifier: BSD-3-Clause
 * What a loop counts, and what goes along with its counter. */
#ifndef XMPI_REWRITER_OWN_LOOPS_H
#define XMPI_REWRITER_OWN_LOOPS_H

#include "analysis.h"

namespace xmpi
{

/* for (counter = ...; counter < BOUND; counter += STEP), or a while loop that is the same. */
struct Counting {
    const clang::VarDecl *counter = nullptr; /* null: it does not count */
    const clang::Expr *bound = nullptr;
    const clang::Expr *step = nullptr; /* null: 1 */
    bool single = true;                /* in steps of 1 or -1 */
};

Counting countingOf(const Analysis &analysis, const clang::Stmt *loop);

/* A variable to which an iteration of LOOP adds the same each time; TEXT of what it adds is null
 * where it does so more or less often than once. */
struct Induced {
    const clang::VarDecl *variable;
    const clang::Expr *step; /* null: 1 */
    bool negative, once;
};

std::vector<Induced> inducedBy(const Analysis &analysis, const clang::Stmt *loop,
                               const clang::VarDecl *counter);

} // namespace xmpi
#endif
