/* SPDX-License-Identifier: BSD-3-Clause
 * What to write instead, where that depends on what else the program does with the variable: what
 * one diagnostic advises must not be what the next one refuses. */
#ifndef XMPI_REWRITER_ADVICE_H
#define XMPI_REWRITER_ADVICE_H

#include "analysis.h"

namespace xmpi
{

/* Of PLACE, which follows the rank, size or range before the loop: whether running that statement
 * again would take away what iterations have made of it, or come to something else. */
bool isCarriedOn(const Analysis &analysis, const Place &place);

/* What is to be said behind a clause of the pragma before the loop that names VARIABLE: where it
 * has to be declared, as no name there is it; "" where it can be named. */
std::string declaredFirst(const Analysis &analysis, const clang::VarDecl *variable);

/* For such a one, and for others. */
std::string followerAdvice(const Analysis &analysis, const Place &place);

/* Of PLACE, which iterations carry on, and which a statement sets that is run again; FOLLOWS: that
 * is as it follows the rank, size or range, so that it cannot be initial. */
std::string carriedAdvice(const Place &place, bool follows);

/* Of a statement of the prologue that communicates; MADE: by a function that makes a duplicate of
 * the world; DIVIDES: a pragma says what domain it divides. */
std::string communicationAdvice(bool made, bool divides);

/* Of TABLE, of the parts of all ranks by the program's own formula. PAIRS: its entries are for two
 * ranks each, as for MPI_Alltoallv; MARKED: it is made by setup that the user has marked, or so
 * that a mark would not help. */
std::string tableAdvice(const std::string &table, bool pairs, bool marked);

/* CALL, of MPI, exchanges something between all pairs of ranks. */
bool isBetweenPairs(llvm::StringRef call);

/* Of PLACE, a pointer whose memory a joining process does not have. */
std::string pointerAdvice(const Place &place);

/* What tells how the array NAME is divided. */
std::string shapeAdvice(const std::string &name);

/* Reports that the size of the array NAME does not tell how it is divided. Where no range is known,
 * that is to be written first. */
void reportShape(Analysis &analysis, clang::SourceLocation where, const std::string &name,
                 bool changed);

/* Rows are divided in a way that is known. */
bool hasRange(const Analysis &analysis);

} // namespace xmpi
#endif
