/* SPDX-License-Identifier: BSD-3-Clause
 * Loops that treat several elements in an iteration. */
#ifndef XMPI_REWRITER_UNROLLED_H
#define XMPI_REWRITER_UNROLLED_H

#include "rows/own_loops.h"

namespace xmpi
{

/* An iteration of a loop with this BODY treats as many elements, one beside the other, as the
 * counter then goes on, as an unrolled loop does: of each array that it sets, or where it sets none
 * of each that it reads. What stands beside the counter but is no number goes through a tile. */
bool isUnrolled(const Analysis &analysis, const clang::Stmt *body, const Counting &counting);

/* A loop behind LOOP, in its block, goes on where that has left COUNTER, or from a number that is
 * what steps leave. */
bool hasRest(const Analysis &analysis, const clang::Stmt *loop, const clang::VarDecl *counter);

} // namespace xmpi
#endif
