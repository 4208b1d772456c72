/* SPDX-License-Identifier: BSD-3-Clause
 * What is done to the rows at the edges of blocks otherwise than to those between: one store leaves
 * them out, and another one does the same for them, with what messages have brought. */
#include "rows/own_rows.h"
#include "index/formula.h"
#include "rows/own_loops.h"
#include "source/loops.h"
#include "source/integer.h"

namespace xmpi
{

using namespace clang;

const Expr *OwnRows::leavesOut(const VarDecl *variable, const Values &length, int width,
                               bool whole) const
{
    const Group one = {variable->getCanonicalDecl()};
    auto covers = [&](const Store &store, const Left &left) {
        std::optional<Rows> rows = isOf(store, one) ? rowsOf(store, one, length) : std::nullopt;
        bool all = rows.has_value();
        for (size_t i = 0; all && i < rows->size(); i++) {
            const long long begin = whole ? division.first[i] : width;
            all = division.count[i] <= 0 || (*rows)[i].empty() ||
                  ((left.before == 0 || (*rows)[i].low <= begin) &&
                   (left.behind == 0 || (*rows)[i].high >= begin + division.count[i] - 1));
        }
        return all && store.given != nullptr && isReceived(store.given, false);
    };
    for (const Store &store : reaches.stores) {
        std::optional<Rows> rows = isOf(store, one) ? rowsOf(store, one, length) : std::nullopt;
        const Left left = rows ? leftOut(*rows, width, whole) : Left();
        if (left.before <= 0 && left.behind <= 0)
            continue;
        if (llvm::none_of(reaches.stores, [&](const Store &other) { return covers(other, left); }))
            return store.index;
    }
    return nullptr;
}

/* -- stores to such rows alone */

enum { Few = 3, Enough = 8 }; /* rows at an edge, and that a block has */

Reach OwnRows::ownAt(const Edge &edge, size_t sample) const
{
    const long long begin = edge.whole ? division.first[sample] : edge.width;
    return {begin, begin + division.count[sample] - 1};
}

bool OwnRows::hasNeighbour(const Edge &edge, size_t sample) const
{
    const long long first = division.first[sample], count = division.count[sample];
    return count >= Enough && (edge.first ? first > 0 : first + count < division.extent[sample]);
}

/* ROWS are at one place of all blocks that have as many, seen from EDGE, and blocks differ. */
bool OwnRows::isAtOnePlace(const Rows &rows, const Edge &edge) const
{
    std::set<long long> low, high, counts;
    for (size_t i = 0; i < rows.size(); i++) {
        if (division.count[i] < Enough)
            continue;
        if (rows[i].empty())
            return false;
        const Reach own = ownAt(edge, i);
        const long long from = edge.first ? own.low : own.high;
        low.insert(rows[i].low - from);
        high.insert(rows[i].high - from);
        counts.insert(division.count[i]);
    }
    return counts.size() > 1 && low.size() == 1 && high.size() == 1;
}

/* STORE is made by processes that the conditions around it tell from others. */
bool OwnRows::isForSome(const Store &store) const
{
    for (const Stmt *outer = store.index; outer != nullptr && outer != analysis.loop;
         outer = analysis.structure.parent(outer)) {
        const Expr *condition = conditionIn(outer);
        for (RangeKind kind : {RangeKind::Rank, RangeKind::Displ, RangeKind::Begin})
            if (condition != nullptr && uses.mentionsRange(condition, kind))
                return true;
    }
    return false;
}

/* ROWS are at EDGE in all blocks, also in some that have neighbours there; ONEPLACE: or at one
 * place of each block, if they are. */
bool OwnRows::isAlone(const Rows &rows, const Edge &edge, bool onePlace) const
{
    bool any = false;
    const bool anywhere = onePlace && isAtOnePlace(rows, edge);
    for (size_t i = 0; i < rows.size(); i++) {
        if (rows[i].empty() || division.count[i] < Enough)
            continue;
        const Reach own = ownAt(edge, i);
        if (rows[i].low < own.low || rows[i].high > own.high ||
            (!anywhere &&
             (edge.first ? rows[i].high >= own.low + Few : rows[i].low <= own.high - Few)))
            return false;
        any = any || hasNeighbour(edge, i);
    }
    return any;
}

/* ROWS are at the first edge of some blocks, at the last one of others, also where blocks have
 * neighbours there, or have both ends of the domain: which of them follows the layout. */
bool OwnRows::isAtEither(const Rows &rows, int width, bool whole) const
{
    const Edge edges[] = {{true, width, whole}, {false, width, whole}};
    bool some[] = {false, false}, any = false;
    for (size_t i = 0; i < rows.size(); i++) {
        if (rows[i].empty() || division.count[i] < Enough)
            continue;
        const Reach own = ownAt(edges[0], i);
        const bool last = rows[i].low > own.high - Few;
        if (rows[i].low < own.low || rows[i].high > own.high ||
            (!last && rows[i].high >= own.low + Few))
            return false;
        some[last] = true;
        any = any || hasNeighbour(edges[last], i) || division.count[i] == division.extent[i];
    }
    return any && some[0] && some[1];
}

/* ROWS go through blocks, but leave out those at EDGE where there are neighbours; SHIFTED: as they
 * go on beyond the other one. */
bool OwnRows::isLeftOut(const Rows &rows, const Edge &edge, bool shifted) const
{
    bool any = false;
    for (size_t i = 0; i < rows.size(); i++) {
        if (rows[i].empty() || !hasNeighbour(edge, i))
            continue;
        const Reach own = ownAt(edge, i);
        const long long more = shifted ? 1 : -Few;
        const bool out = edge.first ? rows[i].low > own.low && rows[i].low <= own.low + Few &&
                                          rows[i].high >= own.high + more
                                    : rows[i].high < own.high && rows[i].high >= own.high - Few &&
                                          rows[i].low <= own.low - more;
        if (!out)
            return false;
        any = true;
    }
    return any;
}

/* STORE is to GROUP, whichever rows these are where that is not known; or what it puts into other
 * rows' arrays, each process sends on. */
bool OwnRows::isLeftOut(const Store &store, const Group &group, const Values &length,
                        const Edge &edge) const
{
    const bool same = isOf(store, group);
    const std::optional<Rows> rows = inRows(reaches.of(store.base, store.index), length);
    return rows ? isLeftOut(*rows, edge, !same) : same;
}

/* The same of what copies of bytes put into GROUP. */
bool OwnRows::isLeftOutByCopies(const Group &group, const Values &length, const Edge &edge) const
{
    for (const CallExpr *call : copiesInto(group)) {
        const std::optional<Reaches::Ways> ways = copiedBy(call, group);
        for (size_t way = 0; ways && way < ways->size(); way++)
            if (isLeftOut(*inRows((*ways)[way], length), edge, false))
                return true;
        if (!ways)
            return true;
    }
    return false;
}

static bool isZero(const ASTContext &context, const Expr *value)
{
    value = value->IgnoreParenImpCasts();
    const auto *real = dyn_cast<FloatingLiteral>(value);
    return real != nullptr ? real->getValue().isZero() : constantInteger(value, context) == 0;
}

/* What STORE adds is chosen, and is nothing in the process of SAMPLE: u[0] += first == 0 ? x : 0.
 */
bool OwnRows::addsNothing(const Store &store, size_t sample) const
{
    const Expr *given = store.given != nullptr ? store.given->IgnoreParenImpCasts() : nullptr;
    const auto *choice = dyn_cast_or_null<ConditionalOperator>(given);
    const Stmt *around = choice;
    while (isa_and_nonnull<Expr>(around) && !isa<BinaryOperator>(around))
        around = analysis.structure.parent(around);
    const auto *assignment = dyn_cast_or_null<BinaryOperator>(around);
    if (assignment == nullptr ||
        (assignment->getOpcode() != BO_AddAssign && assignment->getOpcode() != BO_SubAssign))
        return false;
    Trial trial = survey.samples[sample].trial;
    const std::optional<long long> chosen = trial.integerOf(choice->getCond());
    return chosen &&
           isZero(analysis.context, *chosen != 0 ? choice->getTrueExpr() : choice->getFalseExpr());
}

static const BinaryOperator *assignmentOf(const Analysis &analysis, const Store &store)
{
    const Stmt *around = analysis.structure.parent(store.index);
    while (isa_and_nonnull<Expr>(around)) {
        const auto *assignment = dyn_cast<BinaryOperator>(around);
        if (assignment != nullptr && assignment->isAssignmentOp())
            return assignment;
        around = analysis.structure.parent(around);
    }
    return nullptr;
}

/* STORE makes of the row at EDGE what BETWEEN makes of those that are not there. */
bool OwnRows::isAlike(const Store &store, const Store &between, const Edge &edge) const
{
    const BinaryOperator *one = assignmentOf(analysis, store),
                         *other = assignmentOf(analysis, between);
    if (one == nullptr || other == nullptr)
        return false;
    const auto holds = [&](const Expr *condition) {
        std::optional<bool> all;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            Trial trial = survey.samples[i].trial;
            const std::optional<long long> now =
                hasNeighbour(edge, i) ? trial.integerOf(condition) : std::nullopt;
            if (hasNeighbour(edge, i) && (!now || (all && *all != (*now != 0))))
                return std::optional<bool>();
            all = now ? std::optional(*now != 0) : all;
        }
        return all;
    };
    const auto received = [&](const Expr *value) { return isReceived(value, false); };
    std::vector<const VarDecl *> counters;
    for (const Stmt *around : analysis.structure.around(other))
        if (const VarDecl *counter =
                isLoop(around) ? countingOf(analysis, around).counter : nullptr)
            counters.push_back(counter);
    return isSameFormula(analysis, uses, one, other, counters, received, holds);
}

std::optional<OwnRows::Rows> OwnRows::rowsAlike(const Store &store, const VarDecl *variable,
                                                const Values &length) const
{
    std::optional<Rows> rows =
        isOf(store, group(variable)) && isSameSize(analysis, store.base, variable)
            ? inRows(reaches.exactly(store.base, store.index), length)
            : std::nullopt;
    for (size_t i = 0; rows && i < rows->size(); i++)
        if (!(*rows)[i].empty() && addsNothing(store, i))
            (*rows)[i] = Reach();
    return rows;
}

const Expr *OwnRows::setsAgain(const VarDecl *variable, const Values &length, int width,
                               bool whole) const
{
    const Group same = group(variable);
    if (isHandedOver(same))
        return nullptr;
    for (const Store &store : reaches.stores)
        if (const std::optional<Rows> rows = rowsAlike(store, variable, length);
            rows && isAtEither(*rows, width, whole))
            return store.index;
    for (const Edge &edge : {Edge{true, width, whole}, Edge{false, width, whole}}) {
        std::vector<const Store *> alone, between;
        for (const Store &store : reaches.stores) {
            const std::optional<Rows> rows = rowsAlike(store, variable, length);
            if (rows && isAlone(*rows, edge, !isForSome(store)))
                alone.push_back(&store);
            else if (rows && isLeftOut(*rows, edge, false))
                between.push_back(&store);
        }
        if (isLeftOutByCopies(same, length, edge))
            continue;
        for (const Store *store : alone)
            if (llvm::none_of(reaches.stores, [&](const Store &other) {
                    return other.index != store->index && isLeftOut(other, same, length, edge) &&
                           (!isOf(other, same) || isAlike(*store, other, edge));
                }))
                return store->index;
        for (const Store *store : between) /* something else is done to those at the edge */
            if (!alone.empty() && llvm::none_of(alone, [&](const Store *other) {
                    return isAlike(*other, *store, edge);
                }))
                return store->index;
    }
    return nullptr;
}

} // namespace xmpi
