/* SPDX-License-Identifier: BSD-3-Clause
 * Follows remainders of the first row's number through sums. */
#include "index/turns.h"
#include <cstdlib>

namespace xmpi
{

bool Form::isPhaseOf(int many) const
{
    return isLocal() && turn == many && turn > 0 && (rise + 1) % turn == 0;
}

bool Form::isOfFirst() const
{
    for (const Term other : {Own, Count, Rank, Size, Piece, Length})
        if (follows(other))
            return false;
    return isLocal() && follows(First);
}

void addTurns(Form &sum, const Form &one, const Form &other, bool negative)
{
    const auto isKnown = [](const Form &form) { return form.turn != 0 || form.isUniform(); };
    if (!isKnown(one) || !isKnown(other) ||
        (one.turn != 0 && other.turn != 0 && one.turn != other.turn))
        return;
    sum.turn = std::max(one.turn, other.turn);
    sum.rise = one.rise + (negative ? -other.rise : other.rise);
}

std::string leastOfTurns(const Form &one, const std::string &first, const Form &other,
                         const std::string &second, bool negative)
{
    if (other.turn == 0)
        return addShifts(one.shift, second, negative);
    if (one.turn != 0)
        return "*";
    if (!negative)
        return addShifts(other.shift, first);
    const std::string most = addShifts(other.shift, std::to_string(other.turn - 1));
    return addShifts(first, most, true);
}

void setTurns(Form &rest, const Form &form, const std::string &text)
{
    const std::string &first = form.by[Form::First];
    if (!isNumber(text))
        return;
    const int many = std::abs(std::stoi(text));
    if (form.isPlain() && form.isOnlyOf(Form::First) && isNumber(first)) {
        rest.turn = many;
        rest.rise = std::stoi(first);
    } else if (form.turn != 0 && form.turn == many) {
        rest.turn = many;
        rest.rise = form.rise;
        rest.shift.clear();
    }
}

} // namespace xmpi
