/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the elements of a row lie together: what stays where a counter does tells. */
#include "facts/storage.h"
#include "index/index_form.h"
#include "rows/own_rows.h"
#include "source/within.h"
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

/* NUMBER is how many own rows there are, on a way there, perhaps with a few beside them. */
bool OwnRows::isCount(const Expr *number) const
{
    const std::optional<Reaches::Ways> ways = isa<IntegerLiteral>(number->IgnoreParenCasts())
                                                  ? std::nullopt
                                                  : reaches.onEachWay(nullptr, number);
    for (size_t way = 0; ways && way < ways->size(); way++) {
        enum { MostBeside = 8 };
        std::set<long long> counts, beside;
        for (size_t i = 0; i < (*ways)[way].size(); i++) {
            const Reach &value = (*ways)[way][i];
            counts.insert(division.count[i]);
            beside.insert(value.low == value.high ? value.low - division.count[i] : -1);
        }
        if (counts.size() > 1 && beside.size() == 1 && *beside.begin() >= 0 &&
            *beside.begin() <= MostBeside)
            return true;
    }
    return false;
}

const Expr *OwnRows::strided(const VarDecl *variable, const IsCount &isNumber) const
{
    const Expr *found = nullptr;
    const auto isOf = [&](const Expr *pointer) {
        const VarDecl *named = pointer->getType()->isPointerType() ? pointerIn(pointer) : nullptr;
        return found == nullptr && named != nullptr && uses.means(named, variable);
    };
    const auto look = [&](const Expr *pointer, const Expr *index) {
        if (isOf(pointer) && isStridedByCount(analysis, uses, index, isNumber))
            found = pointer;
    };
    for (const Stmt *body : uses.bodies)
        eachWithin(body, [&](const Stmt *one) {
            const auto *element = dyn_cast<ArraySubscriptExpr>(one);
            const auto *sum = dyn_cast<BinaryOperator>(one);
            if (element != nullptr)
                look(element->getBase(), element->getIdx());
            if (sum != nullptr && sum->isAdditiveOp() && sum->getType()->isPointerType()) {
                look(sum->getLHS(), sum->getRHS());
                look(sum->getRHS(), sum->getLHS());
            }
            if (sum != nullptr && sum->isCompoundAssignmentOp() && isOf(sum->getLHS()) &&
                isNumber(sum->getRHS()))
                found = sum->getLHS();
        });
    return found;
}

const Expr *OwnRows::stridedByCount(const VarDecl *variable) const
{
    return strided(variable, [&](const Expr *number) { return isCount(number); });
}

/* NUMBER as it is with each number of rows; nothing where that is not known, or always the same. */
std::optional<Values> OwnRows::followingLayout(const Expr *number) const
{
    const std::optional<Reaches::Ways> ways = isa<IntegerLiteral>(number->IgnoreParenCasts())
                                                  ? std::nullopt
                                                  : reaches.onEachWay(nullptr, number);
    if (!ways || ways->empty())
        return std::nullopt;
    Values values;
    for (const Reach &value : ways->front()) {
        if (value.low != value.high)
            return std::nullopt;
        values.push_back(value.low);
    }
    return isLayoutFree(survey, values) ? std::nullopt : std::optional(values);
}

std::optional<Values> OwnRows::strideApart(const VarDecl *variable, const Values &length) const
{
    std::optional<Values> found;
    const auto isApart = [&](const Expr *number) {
        const std::optional<Values> values = followingLayout(number);
        bool whole = true;
        for (size_t i = 0; values && i < values->size(); i++)
            whole = whole && length[i] > 0 && (*values)[i] % length[i] == 0;
        if (!whole)
            found = values;
        return !whole;
    };
    return strided(variable, isApart) != nullptr ? found : std::nullopt;
}

} // namespace xmpi
