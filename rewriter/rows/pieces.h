/* SPDX-License-Identifier: BSD-3-Clause
 * Loops that go through the own rows piece by piece, several rows at a time:
 *
 *     for (at = 0; at < count; at += most) {
 *         rows = count - at < most ? count - at : most;
 *         ...
 *     }
 *
 * An iteration is for the block of ROWS rows that begins AT rows behind the begin of the own one.
 */
#ifndef XMPI_REWRITER_PIECES_H
#define XMPI_REWRITER_PIECES_H

#include "rows/own_loops.h"
#include <optional>

namespace xmpi
{

struct Pieces {
    const clang::VarDecl *length; /* rows of the piece ... */
    const clang::Stmt *set;       /* ... which it is behind this statement of the body */
    long long begin;              /* where the counter begins */
};

/* LOOP, which counts so, is such a loop: each row is in one piece. */
std::optional<Pieces> piecesOf(const Analysis &analysis, const clang::Stmt *loop,
                               const Counting &counting);

} // namespace xmpi
#endif
