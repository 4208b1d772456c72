/* SPDX-License-Identifier: BSD-3-Clause
 * Whether an iteration of a loop whose state was named can be made once more, in another layout,
 * for a check that nobody has asked for. */
#ifndef XMPI_REWRITER_AGAIN_H
#define XMPI_REWRITER_AGAIN_H

#include "cells/passing.h"
#include "cells/told_loops.h"

namespace xmpi
{

/* LOOP, which has POINT at its begin, and the functions of the file that it calls are not seen to
 * reach beyond the program but by streams, which the runtime holds back, and no clock decides what
 * they do or what is in KEPT. What functions of other files do is not known, and does not count. */
bool canBeMadeAgain(Cells &cells, Passing &passing, const clang::Stmt *loop,
                    const clang::IfStmt *point, const CellSet &kept);

/* A pointer in LOOP, of FUNCTION, that leads to another array each time a loop around it, or around
 * a call on the way to it, comes to it, as x does in `for (c = 0; c < 2; c++) relax(u[c]);`: what
 * starts over comes there with the first one. For people; empty: there is none. */
std::string givenOthers(const std::vector<const clang::FunctionDecl *> &functions,
                        const clang::FunctionDecl *function, const clang::Stmt *loop);

/* Whether LOOP goes on follows the number of processes, which the start asks for again, and not
 * what the clause keeps. For people; empty: that is not seen. */
std::string endedBySize(const clang::ASTContext &context, Cells &cells, const Told &loop);

} // namespace xmpi
#endif
