/* SPDX-License-Identifier: BSD-3-Clause
 * By how many rows, or processes, an index is beyond its terms: texts, as far as they are known. */
#ifndef XMPI_REWRITER_SHIFT_H
#define XMPI_REWRITER_SHIFT_H

#include <optional>
#include <string>

namespace xmpi
{

/* A whole number in decimal digits; TEXT may be empty. */
bool isNumber(const std::string &text);
/* The number of rows that an index is shifted by; nothing where that is not known. */
std::optional<int> rowsOfShift(const std::string &shift);
/* The sum of two shifts: numbers, or texts; "*" where that is none. */
std::string addShifts(const std::string &one, const std::string &other, bool negative = false);
/* FROM, seen from where an index is SHIFT further. */
std::string moved(const std::string &from, const std::string &shift, bool negative);

} // namespace xmpi
#endif
