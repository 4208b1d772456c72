/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers that a program computes where it needs them, and keeps in no variable. */
#ifndef XMPI_REWRITER_EXPRESSIONS_H
#define XMPI_REWRITER_EXPRESSIONS_H

#include "trial/survey.h"

namespace xmpi
{

/* An expression of variables that are seen at the loop, and that it leaves alone. */
struct Computed {
    std::string text;                       /* of the same there */
    Values values;                          /* for each sample of the survey */
    Place place;                            /* a variable of it */
    size_t item;                            /* the last one of the prologue that sets one */
    std::vector<const clang::Expr *> where; /* it stands, so that it has this value there */
    std::set<long long> limits;             /* of the values (survey.h) */
};

/* Those of the loop and of what it calls first, then those of the prologue, of which the values are
 * not all the same. */
std::vector<Computed> computedNumbers(Analysis &analysis, const Survey &survey);

/* The first of PARTS of the start that has VALUES and is PICKED by all that these are to be, as it
 * can be written at the loop, which leaves alone what it is computed with; "" where none is so. */
std::string keptText(Analysis &analysis, const Survey &survey,
                     const std::vector<const clang::Expr *> &parts, const Values &values,
                     const Picked &picked);

} // namespace xmpi
#endif
