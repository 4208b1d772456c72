/* SPDX-License-Identifier: BSD-3-Clause
 * Tables with the parts of all ranks. */
#ifndef XMPI_REWRITER_INFER_TABLES_H
#define XMPI_REWRITER_INFER_TABLES_H

#include "infer/infer.h"

namespace xmpi
{

/* Where TABLE, a variable or member, has the entry of RANK. */
Cell entryOf(const Survey::Sample &sample, const Place &table, long long rank);

/* table[r] = the count (or first row) of r times FACTOR, plus SHIFT, which differ between inputs
 * only. */
struct TableFormula {
    Values factor, shift;                          /* for each sample of the survey */
    enum class Holder { All, First, Some } holder; /* the ranks that have the table */
};

/* Of the variable or member TABLE, which all ranks have; PART says of which. */
std::optional<TableFormula> tableFormula(const Inference &inference, const Place &table,
                                         RangeKind part);
/* The same of a table that perhaps not all ranks have. */
std::optional<TableFormula> tableFormulaOfSome(const Inference &inference, const Place &table,
                                               RangeKind part);

/* Where the program starts over, tables with the parts of all ranks that iterations leave alone
 * are right in every layout: the flow of values may go by them. */
void noteTables(Analysis &analysis, const Inference &inference);

/* Where the program starts over, it computes again what it has no variable for: the flow of values
 * may go by that. */
void noteComputed(Analysis &analysis, const Inference &inference);

/* What STATEMENT names. Of a struct whose address it hands to a function of the file, these are the
 * members that are named there. */
std::vector<Mention> namedBy(const Analysis &analysis, const clang::Stmt *statement);

} // namespace xmpi
#endif
