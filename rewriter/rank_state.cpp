/* SPDX-License-Identifier: BSD-3-Clause
 * Sets and asks what differs from rank to rank. */
#include "rank_state.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

void State::merge(const State &other)
{
    if (other.dead)
        return;
    if (dead)
        *this = other;
    else
        ranked.insert(other.ranked.begin(), other.ranked.end());
}

std::set<const VarDecl *> RankState::pointees(const VarDecl *variable) const
{
    std::set<const VarDecl *> seen;
    std::vector<const VarDecl *> open = {variable};
    while (!open.empty()) {
        const VarDecl *next = open.back();
        open.pop_back();
        auto found = targets.find(next);
        const std::set<const VarDecl *> &members = analysis.members.meaning(next);
        open.insert(open.end(), members.begin(), members.end());
        if (seen.insert(next).second && found != targets.end())
            open.insert(open.end(), found->second.begin(), found->second.end());
    }
    return seen;
}

bool RankState::holds(const VarDecl *variable, const FieldDecl *field) const
{
    for (auto at = state.ranked.lower_bound({variable, nullptr});
         at != state.ranked.end() && at->first.first == variable; ++at)
        if (field == nullptr || at->first.second == nullptr || at->first.second == field)
            return true;
    return false;
}

/* Rank, count and displ, and elements of distributed arrays, differ whatever happens. */
bool RankState::differsAlways(const Place &place, const VarDecl *variable, bool contents) const
{
    if (cause != Cause::Rank)
        return false;
    for (const RangeVariable &range : analysis.ranges)
        if (range.kind != RangeKind::Size && baseOf(range.place) == variable &&
            (place.field == nullptr || range.place.field == nullptr ||
             range.place.field == place.field))
            return true;
    return contents && distributed.count(variable) != 0;
}

/* The members of a struct, or of one member of it, that are variables of their own. */
std::vector<Place> RankState::membersOf(const Place &place) const
{
    std::vector<Place> found;
    if (!place.base->getType()->isRecordType() || place.behind)
        return found;
    for (const VarDecl *member : analysis.members.inside(place.base, place.field))
        found.push_back({member, nullptr, place.element, place.element,
                         place.element ? place.type : member->getType()});
    return found;
}

bool RankState::differs(const Place &place) const
{
    bool contents = place.element || place.behind;
    const std::vector<Place> members = membersOf(place);
    if (std::any_of(members.begin(), members.end(),
                    [&](const Place &member) { return differs(member); }))
        return true;
    if (!contents && analysis.members.isPointer(place.base))
        return false;
    if (!contents && analysis.members.isShared(baseOf(place))) {
        const std::set<const VarDecl *> &all = analysis.members.meaning(baseOf(place));
        return std::any_of(all.begin(), all.end(), [&](const VarDecl *member) {
            return holds(member, place.field) || differsAlways(place, member, false);
        });
    }
    if (!contents)
        return holds(baseOf(place), place.field) || differsAlways(place, baseOf(place), false);
    for (const VarDecl *variable : pointees(baseOf(place)))
        if (holds(variable, place.field) || differsAlways(place, variable, true))
            return true;
    return false;
}

void RankState::set(const Place &place, bool ranked, bool whole, SourceLocation where)
{
    const VarDecl *base = baseOf(place);
    bool contents = place.element || place.behind;
    if ((analysis.equal.count(base) && !base->getType()->isPointerType()) ||
        (!contents && analysis.members.isPointer(base)))
        return;
    for (const Place &member : membersOf(place))
        set(member, ranked, whole, where);
    if (!ranked) {
        if (whole && !analysis.members.isShared(base))
            clear(base, place.field);
        return;
    }
    if (!contents && analysis.members.isShared(base)) {
        for (const VarDecl *member : analysis.members.meaning(base))
            state.ranked.insert({{member, place.field}, where});
        return;
    }
    if (!contents) {
        state.ranked.insert({{base, place.field}, where});
        return;
    }
    for (const VarDecl *variable : pointees(base))
        state.ranked.insert({{variable, place.field}, where});
}

void RankState::clear(const VarDecl *variable, const FieldDecl *field)
{
    if (variable->getType()->isRecordType())
        for (const VarDecl *member : analysis.members.inside(variable, field))
            clear(member, nullptr);
    if (field != nullptr) {
        state.ranked.erase({variable, field});
        return;
    }
    for (auto at = state.ranked.lower_bound({variable, nullptr});
         at != state.ranked.end() && at->first.first == variable;)
        at = state.ranked.erase(at);
}

void RankState::point(const VarDecl *pointer, const Expr *value)
{
    if (!pointer->getType()->isPointerType() || analysis.isData(pointer))
        return;
    const Expr *inner = value->IgnoreParenCasts();
    if (const auto *choice = dyn_cast<ConditionalOperator>(inner)) {
        point(pointer, choice->getTrueExpr());
        return point(pointer, choice->getFalseExpr());
    }
    const auto *unary = dyn_cast<UnaryOperator>(inner);
    std::optional<Place> target =
        placeOf(unary && unary->getOpcode() == UO_AddrOf ? unary->getSubExpr() : inner);
    if (target && baseOf(*target) != pointer)
        targets[pointer].insert(baseOf(*target));
}

} // namespace xmpi
