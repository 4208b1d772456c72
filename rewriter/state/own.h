/* SPDX-License-Identifier: BSD-3-Clause
 * Sums that each rank keeps for itself until they are added up after the loop. */
#ifndef XMPI_REWRITER_OWN_H
#define XMPI_REWRITER_OWN_H

#include "analysis.h"

namespace xmpi
{

/* VARIABLE, a number or an array of numbers, is 0 at first; iterations only put something there or
 * add to it, or subtract; and all else that is done with it is to give it to MPI_Reduce or
 * MPI_Allreduce with MPI_SUM, of all processes. Whether what is put there is of own rows, so that
 * the sum is the same in each layout, is another question (check/values.cpp). */
bool isOwnSum(Analysis &analysis, const clang::VarDecl *variable);

/* STATEMENT, in LOOP, sets a place to what is LARGER of it and something else (or smaller), and
 * does nothing more: `x = fmax(x, a)`, `x = a > x ? a : x`, `if (a > x) x = a`. */
bool picksOne(const clang::Stmt *loop, const clang::Stmt *statement, bool larger,
              const clang::ASTContext &context);

/* What each process has of the array NAME is added up in FUNCTION, elsewhere than in LOOP. */
bool isSummedBehind(const clang::FunctionDecl *function, const clang::Stmt *loop,
                    const std::string &name, const clang::ASTContext &context);

} // namespace xmpi
#endif
