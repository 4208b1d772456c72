/* SPDX-License-Identifier: BSD-3-Clause
 * Finds values that come from elements of registered arrays. */
#include "flow/derived.h"
#include "check/safety.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

bool isRange(const Analysis &analysis, const Place &place)
{
    bool whole = place.field == nullptr && !place.behind && !place.element;
    return analysis.rangeAt(place) != nullptr ||
           (whole && analysis.divided.count(place.base->getCanonicalDecl()) != 0);
}

DerivedValues::DerivedValues(Analysis &analysis, const LoopUses &uses)
    : analysis(analysis), uses(uses), distributed(analysis.distributed())
{
}

bool DerivedValues::areSet(const Effects &effects, bool written) const
{
    return std::any_of(effects.writes.begin(), effects.writes.end(),
                       [&](const Write &write) { return isDerived(write, written, written); });
}

bool DerivedValues::startState(const Effects &effects)
{
    bool any = false;
    for (const Write &write : effects.writes) {
        SourceLocation where;
        const Place &place = write.place;
        if (analysis.laterUse(place, where).empty())
            continue;
        if (!place.type->isArithmeticType() || isHandle(place.type) || place.element ||
            place.behind || analysis.rangeAt(place) != nullptr)
            return false;
        if (!flow)
            flow = followRanks(analysis, distributed);
        if (isRankedAt(flow->atEntry, place) || isOfLayout(place))
            return false;
        any = true;
    }
    return any;
}

/* PLACE is another value in another layout, when the loop is entered. */
bool DerivedValues::isOfLayout(const Place &place) const
{
    const VarDecl *base = place.base->getCanonicalDecl();
    return flow->ofLayout.count({base, nullptr}) != 0 ||
           flow->ofLayout.count({base, place.field}) != 0;
}

/* Numbers: one, an array of fixed size, or a struct that a call fills. */
static bool isNumbers(const Analysis &analysis, const Write &write)
{
    const QualType type = analysis.context.getBaseElementType(write.place.type);
    if (isHandle(type) || isScratchHandle(type))
        return false;
    return type->isArithmeticType() ||
           (write.call != nullptr && type->isRecordType() && isPlainValue(type));
}

/* CONDITIONS: also where elements decide whether it is set, or how often. */
bool DerivedValues::isDerived(const Write &write, bool written, bool conditions) const
{
    if (!isNumbers(analysis, write) || isRange(analysis, write.place))
        return false;
    if (write.value != nullptr)
        for (const CallExpr *call : analysis.finder.of(write.value).calls)
            if (!communication(analysis, call).empty())
                return false; /* such a function hands back what all agree on */
    if (readsElements(write.value, written))
        return true;
    for (const Expr *condition : write.conditions)
        if (conditions && readsElements(condition, written))
            return true;
    if (write.call == nullptr || calleeName(write.call) == "free")
        return false;
    for (const Expr *argument : write.call->arguments())
        if (readsElements(argument, written))
            return true;
    return false;
}

bool DerivedValues::readsElements(const Expr *expression, bool written) const
{
    if (expression == nullptr)
        return false;
    const Effects effects = analysis.finder.of(expression);
    return std::any_of(
        effects.mentions.begin(), effects.mentions.end(), [&](const Mention &mention) {
            const VarDecl *variable = mention.place.base->getCanonicalDecl();
            for (const auto &known : analysis.derived)
                if (overlap(known.value.place, mention.place))
                    return true;
            return analysis.isData(variable) && (!written || uses.isWritten(variable));
        });
}

void DerivedValues::restart()
{
    analysis.derived.clear();
    agreed.clear();
}

bool DerivedValues::isAgreed(const Place &place) const
{
    return std::any_of(agreed.begin(), agreed.end(),
                       [&](const Place &known) { return overlap(known, place); });
}

/* A number that WRITE sets is the same on all ranks from there on, or is not any more. */
void DerivedValues::agree(const Write &write)
{
    agreed.erase(std::remove_if(agreed.begin(), agreed.end(),
                                [&](const Place &known) { return overlap(known, write.place); }),
                 agreed.end());
    if (LoopUses::isCollective(write) && write.conditions.empty() && !write.place.element &&
        !write.place.behind && write.place.type->isArithmeticType())
        agreed.push_back(write.place);
}

void DerivedValues::note(const Item &item)
{
    for (const Write &write : item.effects.writes) {
        if (item.kind == Class::Initial && isDerived(write, false, true) &&
            !analysis.isData(write.place.base) && !LoopUses::isCollective(write)) {
            std::string array = ownElements(write);
            analysis.derived.push_back(
                {item.statement, {write.place, array, write.where}, !array.empty()});
        }
        agree(write);
    }
}

std::string DerivedValues::ownElements(const Write &write) const
{
    std::vector<const Expr *> from = {write.value};
    from.insert(from.end(), write.conditions.begin(), write.conditions.end());
    if (write.call != nullptr)
        from.insert(from.end(), write.call->arg_begin(), write.call->arg_end());
    for (const Expr *expression : from)
        if (std::string array = ownElements(expression); !array.empty())
            return array;
    return "";
}

std::string DerivedValues::ownElements(const Expr *expression) const
{
    if (expression == nullptr)
        return "";
    for (const Mention &mention : analysis.finder.of(expression).mentions) {
        if (distributed.count(mention.place.base->getCanonicalDecl()))
            return mention.place.base->getNameAsString();
        for (const Derived &known : analysis.derived)
            if (known.own && overlap(known.value.place, mention.place) && !isAgreed(mention.place))
                return known.value.cause;
    }
    return "";
}

} // namespace xmpi
