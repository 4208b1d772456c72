/* SPDX-License-Identifier: BSD-3-Clause
 * Which elements copies of bytes set. */
#include "rows/own_rows.h"
#include "source/variable.h"

namespace xmpi
{

using namespace clang;

bool isCopy(const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    return (name == "memcpy" || name == "memmove" || name == "memset") && call->getNumArgs() == 3;
}

/* What begins with the element INDEX behind BASE, or with what BASE points to. */
struct Stretch {
    const Expr *base, *index;
};

static Stretch stretchAt(const Expr *pointer)
{
    const Expr *there = addressedBy(pointer);
    const Expr *target = there ? there->IgnoreParenImpCasts() : pointer->IgnoreParenCasts();
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(target))
        return {element->getBase(), element->getIdx()};
    return {target, nullptr};
}

bool OwnRows::leadsTo(const Expr *pointer, const Group &group) const
{
    const VarDecl *variable = pointerIn(stretchAt(pointer).base);
    return variable != nullptr && isOf(variable, group);
}

/* The MANY elements, or with BYTES so many bytes, from POINTER into an array of GROUP on, on each
 * way there. */
std::optional<Reaches::Ways> OwnRows::stretchOf(const Expr *pointer, const Expr *many, bool bytes,
                                                const Group &group) const
{
    const auto [base, index] = stretchAt(pointer);
    if (!leadsTo(pointer, group) || !base->getType()->isPointerType())
        return std::nullopt;
    const QualType element = base->getType()->getPointeeType();
    if (element->isIncompleteType() || element->isPointerType() ||
        element->isVariablyModifiedType() ||
        llvm::none_of(group,
                      [&, at = base](const VarDecl *one) { return isSameSize(analysis, at, one); }))
        return std::nullopt;
    const auto bytesOf = [&](QualType type) -> long long {
        return analysis.context.getTypeSizeInChars(type).getQuantity();
    };
    const QualType number = analysis.context.getBaseElementType(element);
    const long long size = bytesOf(element) / (bytes || bytesOf(number) == 0 ? 1 : bytesOf(number));
    std::optional<Reaches::Ways> from = reaches.onEachWay(base, index, &group),
                                 none = reaches.onEachWay(base, nullptr, &group),
                                 end = reaches.onEachWay(base, many, &group);
    if (size <= 0 || !from || !none || !end || from->empty() || from->size() != none->size() ||
        from->size() != end->size())
        return std::nullopt;
    for (size_t way = 0; way < from->size(); way++)
        for (size_t i = 0; i < (*from)[way].size(); i++) {
            Reach &set = (*from)[way][i], &all = (*end)[way][i];
            const long long of = all.empty() ? 0 : all.high - (*none)[way][i].low;
            if (of <= 0)
                set = Reach();
            else if (!set.empty())
                set.add(set.high + (of + size - 1) / size - 1);
        }
    return from;
}

/* CALL, a copy of bytes to an array of GROUP: the elements that it sets on each way there. */
std::optional<Reaches::Ways> OwnRows::copiedBy(const CallExpr *call, const Group &group) const
{
    return stretchOf(call->getArg(0), call->getArg(2), true, group);
}

bool OwnRows::addCopy(const CallExpr *call, const Group &group, Rows &all) const
{
    const std::optional<Reaches::Ways> ways = copiedBy(call, group);
    for (size_t way = 0; ways && way < ways->size(); way++)
        for (size_t i = 0; i < all.size(); i++)
            all[i].add((*ways)[way][i]);
    return ways.has_value();
}

/* Of an array that holds all rows copies of bytes set some of the own ones, or none of them. */
bool OwnRows::copiesApart(const Group &group, const Values &length) const
{
    for (const CallExpr *call : copiesInto(group)) {
        const std::optional<Reaches::Ways> ways = copiedBy(call, group);
        for (size_t way = 0; ways && way < ways->size(); way++)
            if (!isOnOneSide((*ways)[way], length))
                return false;
        if (!ways)
            return false;
    }
    return true;
}

/* The elements of WAY lie in own rows, all of them, or in rows of others. */
bool OwnRows::isOnOneSide(const Rows &way, const Values &length) const
{
    for (size_t i = 0; i < way.size(); i++) {
        if (way[i].empty() || division.count[i] <= 0)
            continue;
        const long long begin = division.first[i], end = begin + division.count[i],
                        low = floorOf(way[i].low, length[i]),
                        high = floorOf(way[i].high, length[i]);
        if (!(low >= begin && high < end) && low < end && high >= begin)
            return false;
    }
    return true;
}

} // namespace xmpi
