/* SPDX-License-Identifier: BSD-3-Clause
 * The clause that says that a program keeps its rows in files of each process. */
#ifndef XMPI_REWRITER_ROW_FILE_ADVICE_H
#define XMPI_REWRITER_ROW_FILE_ADVICE_H

#include "analysis.h"

namespace xmpi
{

/* What to write, where FILE is a descriptor or stream by which the loop reads or writes at places
 * that are always as many elements of one type apart, and the start has written there what is for
 * the own rows; with all such files. Empty where that is not seen. */
std::string rowFileAdvice(const Analysis &analysis, const clang::VarDecl *file);

/* The clauses of all files that the loop uses, separated by commas: where each is one of those,
 * without ghost rows, of a loop that could not be divided, which the loop only moves rows to and
 * from, and the program removes in the end: whatever becomes of its name, nobody misses it. Empty
 * where one is not. */
std::string rowFilesFound(const Analysis &analysis);

/* The same of a FILE that joining processes do not have, or what else there is to do. */
inline std::string fileAdvice(const Analysis &analysis, const clang::VarDecl *file)
{
    const std::string rows = rowFileAdvice(analysis, file);
    return rows.empty() ? "open the file inside the iteration, or write after the loop" : rows;
}

} // namespace xmpi
#endif
