/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the elements of a row lie together: what stays where a counter does tells. */
#include "rows/reach.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

static long long rowOf(long long element, long long length)
{
    return element / length - (element % length < 0 ? 1 : 0);
}

static bool isInOneRow(const Reach &reach, long long length)
{
    return reach.empty() || rowOf(reach.low, length) == rowOf(reach.high, length);
}

/* With each step of LOOP the elements are those of the next row; or it steps through all elements
 * of whole rows. */
bool Reaches::goesThroughRows(const Frames &frames, const Expr *base, const Expr *index,
                              const Stmt *loop, const Values &length) const
{
    std::vector<long long> turns;
    const auto first = along(frames, base, index, {loop, false}, &turns),
               last = along(frames, base, index, {loop, true});
    if (!first || !last)
        return false;
    bool rows = true, all = true;
    for (size_t i = 0; i < length.size(); i++) {
        const Reach &low = (*first)[i], &high = (*last)[i];
        if (low.empty() || high.empty())
            continue;
        rows = rows && isInOneRow(low, length[i]) && isInOneRow(high, length[i]) &&
               std::abs(rowOf(high.low, length[i]) - rowOf(low.low, length[i])) == turns[i];
        const long long begin = std::min(low.low, high.low), end = std::max(low.low, high.low) + 1;
        all = all && low.low == low.high && end - begin == turns[i] + 1 && begin % length[i] == 0 &&
              end % length[i] == 0;
    }
    return rows || all;
}

bool Reaches::isAcross(const Expr *base, const Expr *index, const Values &length) const
{
    for (const Frames &frames : waysTo(index != nullptr ? index : base, 0)) {
        const auto reach = along(frames, base, index, {});
        bool apart = !reach, shown = false;
        for (size_t i = 0; reach && i < reach->size(); i++)
            apart = apart || length[i] <= 0 || !isInOneRow((*reach)[i], length[i]);
        for (const Frame &frame : frames)
            shown = shown || (apart && reach && frame.kind == Frame::Kind::Counter &&
                              goesThroughRows(frames, base, index, frame.loop, length));
        if (apart && !shown)
            return true;
    }
    return false;
}

} // namespace xmpi
