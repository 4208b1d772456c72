/* SPDX-License-Identifier: BSD-3-Clause
 * Adds shifts of indices up, as far as they are numbers. */
#include "index/shift.h"

namespace xmpi
{

bool isNumber(const std::string &text)
{
    const size_t begin = !text.empty() && text[0] == '-' ? 1 : 0;
    return text.size() < 10 && text.find_first_not_of("0123456789", begin) == std::string::npos &&
           text.size() > begin;
}

std::optional<int> rowsOfShift(const std::string &shift)
{
    if (shift.empty())
        return 0;
    return shift.size() > 5 || !isNumber(shift) ? std::nullopt : std::optional(std::stoi(shift));
}

std::string addShifts(const std::string &one, const std::string &other, bool negative)
{
    const bool signedText = !other.empty() && other[0] == '-';
    const std::string second = !negative || other.empty() ? other
                               : signedText               ? other.substr(1)
                                                          : "-" + other;
    if (one.empty() || second.empty() || one == "*" || second == "-*")
        return one.empty() && second != "-*" ? second : one.empty() ? "*" : one;
    if (isNumber(one) && isNumber(second)) {
        const int sum = std::stoi(one) + std::stoi(second);
        return sum == 0 ? "" : std::to_string(sum);
    }
    return one == "-" + second || second == "-" + one ? "" : "*";
}

std::string moved(const std::string &from, const std::string &shift, bool negative)
{
    if (from.empty() || from == "*" || shift.empty())
        return from;
    const std::string sum = addShifts(from == "0" ? "" : from, shift, negative);
    return sum.empty() ? "0" : sum;
}

} // namespace xmpi
