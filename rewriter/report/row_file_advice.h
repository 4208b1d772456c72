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

/* The files that a loop uses which could not be divided, where the loop only moves rows to and from
 * each, as rowFileAdvice has it. */
struct RowFiles {
    std::string clauses; /* of all of them, separated by commas; empty: one is none of those */
    std::string first;   /* the variable of the first */
    /* None has ghost rows, of which it is not looked at what is in them, and the program removes
     * each in the end: whatever becomes of its name, nobody misses it. */
    bool certain = true;
};

RowFiles rowFilesFound(const Analysis &analysis);

/* What to write for files of these CLAUSES. */
std::string clausesAdvice(const std::string &clauses);

/* The same of a FILE that joining processes do not have, or what else there is to do. */
std::string fileAdvice(const Analysis &analysis, const clang::VarDecl *file);

} // namespace xmpi
#endif
