/* SPDX-License-Identifier: BSD-3-Clause
 * Values that grow with the number of the first row, but for multiples of a divisor: where rows
 * that are taken in turns begin. */
#ifndef XMPI_REWRITER_TURNS_H
#define XMPI_REWRITER_TURNS_H

#include "flow/form.h"

namespace xmpi
{

/* SUM, of ONE and OTHER, which has no terms. */
void addTurns(Form &sum, const Form &one, const Form &other, bool negative);
/* How much the least value of such a sum is; ONE is FIRST as a text, and OTHER is SECOND. */
std::string leastOfTurns(const Form &one, const std::string &first, const Form &other,
                         const std::string &second, bool negative);
/* REST is what is left of FORM by a division by TEXT. */
void setTurns(Form &rest, const Form &form, const std::string &text);

} // namespace xmpi
#endif
