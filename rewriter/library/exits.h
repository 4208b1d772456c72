/* SPDX-License-Identifier: BSD-3-Clause
 * Branches that end the program: what they print and send is nobody's business later. */
#ifndef XMPI_REWRITER_EXITS_H
#define XMPI_REWRITER_EXITS_H

#include "source/structure.h"
#include <set>

namespace xmpi
{

/* STATEMENT ends the program on every way that gets to its end: with exit, abort, MPI_Abort, a
 * function that does not return, or one of this file that ends so. */
bool endsProgram(const clang::Stmt *statement);

/* BRANCH (or null) ends with that, a return or a jump. */
bool leavesProgram(const clang::Stmt *branch);

/* The branches of `if` statements in STATEMENT for which that is so. */
std::set<const clang::Stmt *> branchesThatLeave(const clang::Stmt *statement);

/* The branches of `if` statements, in all functions of the file, that end the program. */
std::set<const clang::Stmt *> branchesThatEnd(const Structure &structure);

/* The branches of `if` statements before ANCHOR, a statement of the body of FUNCTION, that jump
 * behind it and set nothing but numbers: `if (u == NULL) { status = 1; goto cleanup; }`. Who gets
 * to ANCHOR has not gone through them. */
std::set<const clang::Stmt *>
branchesThatPass(const Structure &structure, clang::ASTContext &context, const clang::Stmt *anchor);

} // namespace xmpi
#endif
