/* SPDX-License-Identifier: BSD-3-Clause
 * The own rows of a process, as the loop's function can write them. */
#ifndef XMPI_REWRITER_RANGE_TEXT_H
#define XMPI_REWRITER_RANGE_TEXT_H

#include "infer/infer.h"
#include <string>

namespace xmpi
{

/* The first own row, from 0, and how many there are. */
struct RangeText {
    std::string first, count;
};

/* As the variables of the division, or entries of its tables, tell at the loop; both are empty
 * where they have no names there. */
RangeText rangeText(const Analysis &analysis, const Division &division);

/* Of the survey that DIVISION was found with; where no variable has the first row, it may be one
 * of the formulas that programs use for it. */
RangeText rangeText(const Analysis &analysis, const Division &division, const Survey &survey);

/* What PLACE is called at the loop; empty: it is not seen there. */
std::string nameAtLoop(const Analysis &analysis, const Place &place);

/* TEXT, where a member that is only read has a name without its const. */
std::string readable(std::string text);

/* Each of the arrays NAMES with EXTENTS, as a clause has them. */
std::string arrayText(const std::vector<std::string> &names,
                      const std::vector<std::string> &extents);

/* NAME as an array or value of a clause. */
std::string operandOf(const std::string &name);

} // namespace xmpi
#endif
