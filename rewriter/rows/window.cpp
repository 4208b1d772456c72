/* SPDX-License-Identifier: BSD-3-Clause
 * Loops over those of the own rows that are within a window of all. */
#include "rows/own_rows.h"
#include <algorithm>
#include <map>
#include <set>

namespace xmpi
{

enum { Few = 3, Enough = 8 }; /* rows that are left out, and that a block has */

namespace
{

Reach shifted(const Reach &reach, long long by)
{
    return reach.empty() ? reach : Reach{reach.low + by, reach.high + by};
}

} // namespace

/* The windows of rows that processes set of storages in which the own ones begin at FROM (nothing:
 * at their numbers among all), by the round and size of the division. */
OwnRows::Windows OwnRows::windowsOf(const Rows &rows, std::optional<long long> from) const
{
    Windows windows;
    for (size_t i = 0; i < rows.size(); i++)
        if (!rows[i].empty())
            windows[{survey.samples[i].round, survey.samples[i].size}].add(
                shifted(rows[i], from ? division.first[i] - *from : 0));
    return windows;
}

/* As COVERS, or of these rows those between two numbers among all, the same for all processes: `for
 * (i = max(first, 1); i < min(end, n - 1); i++)`. Where blocks meet within them it is seen that own
 * rows begin at FROM, and nowhere else. */
bool OwnRows::coversWindow(const Rows &rows, long long from) const
{
    bool begins = false, ends = false; /* a block, within its window */
    Windows windows = windowsOf(rows, from);
    for (size_t i = 0; i < rows.size(); i++) {
        const Reach &window = windows[{survey.samples[i].round, survey.samples[i].size}];
        const long long first = division.first[i], last = first + division.count[i] - 1;
        const Reach set = shifted(rows[i], first - from);
        const Reach own = {std::max(first, window.low), std::min(last, window.high)};
        if (own.empty() != set.empty() ||
            (!own.empty() && (own.low != set.low || own.high != set.high)))
            return covers(rows, from);
        begins = begins || (!own.empty() && first > window.low);
        ends = ends || (!own.empty() && last < window.high);
    }
    return (begins && ends) || covers(rows, from);
}

/* How many rows from FIRST on SETS go through; 0 where they leave out rows between, or go through
 * others in front. */
static long long joinedFrom(long long first, std::vector<Reach> sets)
{
    long long end = first;
    std::sort(sets.begin(), sets.end(),
              [](const Reach &one, const Reach &other) { return one.low < other.low; });
    for (const Reach &set : sets) {
        if (set.low < first || set.low > end)
            return 0;
        end = std::max(end, set.high + 1);
    }
    return end - first;
}

bool OwnRows::coverTogether(const Group &group, const Values &length, long long from) const
{
    std::vector<std::vector<Reach>> sets(division.count.size());
    for (const Store &store : reaches.stores) {
        std::optional<Rows> rows = isOf(store, group) ? rowsOf(store, group, length) : std::nullopt;
        for (size_t i = 0; rows && i < rows->size(); i++)
            if (!(*rows)[i].empty())
                sets[i].push_back((*rows)[i]);
    }
    for (size_t i = 0; i < sets.size(); i++)
        if (division.count[i] > 0 && joinedFrom(from, sets[i]) != division.count[i])
            return false;
    return true;
}

/* The same number in all of NUMBERS, of blocks that are not all as long: nothing otherwise. */
static std::optional<long long> sameIn(const std::map<long long, std::set<long long>> &numbers)
{
    std::set<long long> all;
    for (const auto &[count, found] : numbers)
        all.insert(found.begin(), found.end());
    return numbers.size() > 1 && all.size() == 1 ? std::optional(*all.begin()) : std::nullopt;
}

/* Of rows that all lie at the same place from one edge of the block, whatever its length. */
long long OwnRows::leastFor(const Rows &rows, int width, bool whole) const
{
    std::map<long long, std::set<long long>> first, last, fromEnd,
        toEnd; /* by the block's length */
    for (size_t i = 0; i < rows.size(); i++) {
        const long long count = division.count[i];
        if (count <= 0 || rows[i].empty())
            continue;
        const long long begin = whole ? division.first[i] : width, end = begin + count - 1;
        first[count].insert(rows[i].low - begin);
        last[count].insert(rows[i].high - begin);
        fromEnd[count].insert(end - rows[i].low);
        toEnd[count].insert(end - rows[i].high);
    }
    const std::optional<long long> begins = sameIn(first), ends = sameIn(last);
    if (begins && ends)
        return *ends + 1;
    const std::optional<long long> behind = sameIn(fromEnd);
    return behind && sameIn(toEnd) ? *behind + 1 : 0;
}

/* What ROWS leave out of each block at one edge, the first or the last; all of it where they are
 * none of its rows. */
std::vector<OwnRows::AtEdge> OwnRows::atEdge(const Rows &rows, const Edge &edge) const
{
    std::map<std::pair<size_t, long long>, long long> ends; /* of the domain, by round and size */
    auto endOf = [&](size_t i) -> long long & {
        return ends.emplace(std::pair(survey.samples[i].round, survey.samples[i].size), LLONG_MIN)
            .first->second;
    };
    auto edgeOf = [&](size_t i) { /* outwards */
                                  return edge.first ? -division.first[i]
                                                    : division.first[i] + division.count[i];
    };
    for (size_t i = 0; i < rows.size(); i++)
        if (division.count[i] > 0)
            endOf(i) = std::max(endOf(i), edgeOf(i));
    std::vector<AtEdge> all;
    for (size_t i = 0; i < rows.size(); i++) {
        if (division.count[i] <= 0)
            continue;
        const Reach own = ownAt(edge, i);
        const long long out = edge.first ? rows[i].low - own.low : own.high - rows[i].high;
        const bool none = rows[i].empty() || out >= division.count[i];
        all.push_back({division.count[i], endOf(i) - edgeOf(i), none ? division.count[i] : out});
    }
    return all;
}

/* How many rows at an end of the domain ROWS leave out in the block that has the end, and in no
 * other: `int from = first == 0 ? 3 : 1;`. 0 where it is seen that they are left out by their
 * numbers among all, in whichever block they are. */
long long OwnRows::leftAtEnd(const Rows &rows, const Edge &edge) const
{
    const std::vector<AtEdge> all = atEdge(rows, edge);
    long long left = 0;
    for (const AtEdge &block : all)
        if (block.away == 0 && block.out < block.count)
            left = std::max(left, block.out);
    bool numbered = false, whole = false; /* a block near the end, one that is far from it */
    for (const AtEdge &block : all) {
        const bool near = block.away > 0 && block.away < left;
        if (block.away == 0 && block.out != std::min(left, block.count))
            return 0;
        if (near && block.out != std::min(left - block.away, block.count))
            return left;
        numbered = numbered || near;
        whole = whole || (block.away >= left && block.out < std::min(left, block.count));
    }
    return whole && !numbered ? left : 0;
}

long long OwnRows::least(const clang::VarDecl *variable, const Values &length, int width,
                         bool whole) const
{
    const Group same = group(variable);
    long long most = 0;
    for (const Access &access : uses.accesses) {
        const std::optional<Rows> rows =
            isOf(access, same) ? rowsOf(access, same, length) : std::nullopt;
        if (rows)
            most = std::max({most, leastFor(*rows, width, whole),
                             leftAtEnd(*rows, {true, width, whole}),
                             leftAtEnd(*rows, {false, width, whole})});
    }
    return most;
}

/* How many of the own rows ROWS leave out before them and behind them: as many in each block that
 * has enough; else -1. The own rows begin in row WIDTH, or with WHOLE at their numbers. */
OwnRows::Left OwnRows::leftOut(const Rows &rows, int width, bool whole) const
{
    Left left;
    for (size_t i = 0; i < rows.size(); i++) {
        if (division.count[i] < Enough)
            continue;
        const long long begin = whole ? division.first[i] : width;
        const Left one = {rows[i].low - begin, begin + division.count[i] - 1 - rows[i].high};
        const bool other =
            left.before >= 0 && (left.before != one.before || left.behind != one.behind);
        if (rows[i].empty() || other || one.before < 0 || one.behind < 0 || one.before > Few ||
            one.behind > Few)
            return leftOutWithin(rows, whole ? std::nullopt : std::optional<long long>(width));
        left = one;
    }
    return left;
}

/* The same, where a window leaves out others: in each block that begins, or ends, within it. */
OwnRows::Left OwnRows::leftOutWithin(const Rows &rows, std::optional<long long> from) const
{
    Left left;
    Windows windows = windowsOf(rows, from);
    auto note = [&](long long &known, long long one) {
        const bool same = known < 0 || known == one;
        known = one;
        return same && one >= 0 && one <= Few;
    };
    for (size_t i = 0; i < rows.size(); i++) {
        const Reach &window = windows[{survey.samples[i].round, survey.samples[i].size}];
        const long long first = division.first[i], last = first + division.count[i] - 1;
        const Reach set = shifted(rows[i], from ? first - *from : 0);
        if (division.count[i] < Enough || set.empty())
            continue;
        if ((first > window.low && !note(left.before, set.low - first)) ||
            (last < window.high && !note(left.behind, last - set.high)))
            return {};
    }
    return left;
}

} // namespace xmpi
