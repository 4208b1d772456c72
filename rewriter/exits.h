/* SPDX-License-Identifier: BSD-3-Clause
 * Branches that end the program: what they print and send is nobody's business later. */
#ifndef XMPI_REWRITER_EXITS_H
#define XMPI_REWRITER_EXITS_H

#include "structure.h"
#include <set>

namespace xmpi
{

/* STATEMENT ends the program on every way that gets to its end: with exit, abort, MPI_Abort, a
 * function that does not return, or one of this file that ends so. */
bool endsProgram(const clang::Stmt *statement);

/* The branches of `if` statements, in all functions of the file, that end the program. */
std::set<const clang::Stmt *> branchesThatEnd(const Structure &structure);

} // namespace xmpi
#endif
