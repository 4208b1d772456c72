/* SPDX-License-Identifier: BSD-3-Clause
 * Descriptors and streams that statements open. */
#ifndef XMPI_REWRITER_OPENED_H
#define XMPI_REWRITER_OPENED_H

#include "analysis.h"

namespace xmpi
{

/* WRITE gives a variable the descriptor of a file that is there and stays what it is, and which the
 * loop reads and writes at places that it says alone: whoever opens it as well, by the same name,
 * finds there what others have written. */
bool opensShared(const Analysis &analysis, const Write &write);

/* Adds what statements before the loop open so to analysis.shared, until it is known of all of them
 * what they are (infer/infer_class.cpp): buffers for rows of such files are no arrays. */
void findShared(Analysis &analysis);

/* The descriptors and streams by which the loop reads or writes, with the parameters of the file
 * that are handed them. Nothing where it does something else with one of them than that, and set
 * where it stands. */
std::set<const clang::VarDecl *> filesMoved(const Analysis &analysis);

/* Adds to FILES, variables that hold them, the parameters that are handed nothing else. */
void addHandedOn(const Analysis &analysis, std::set<const clang::VarDecl *> &files);

/* How what WRITE, of a setup statement, has opened is let go of before the statement opens it
 * again. Nothing where it opens none, or the program may have closed it itself by then, or has
 * another hold of it. */
Released::How lettingGoOf(const Analysis &analysis, const Write &write);

/* WRITE, of a setup statement, gives a variable a file of MPI, which is to be closed at a change:
 * the statement opens it again, and nothing in the loop gives the variable another one. What is
 * behind the variable's name: nothing; the indices of an array, of which each element counts. None:
 * it is no such variable. */
std::vector<std::string> filesOfMpi(const Analysis &analysis, const Write &write);

} // namespace xmpi
#endif
