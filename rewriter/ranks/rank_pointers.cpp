/* SPDX-License-Identifier: BSD-3-Clause
 * What pointers lead to: variables, parameters, and members of structs. */
#include "ranks/rank_state.h"
#include "facts/effects.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

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
            for (const auto &target : found->second)
                open.push_back(target.first);
    }
    return seen;
}

/* The place that VALUE, a pointer, leads to, or into. */
static std::optional<Place> pointedAt(const Expr *value)
{
    const Expr *inner = value->IgnoreParenCasts();
    const auto *unary = dyn_cast<UnaryOperator>(inner);
    return placeOf(unary && unary->getOpcode() == UO_AddrOf ? unary->getSubExpr() : inner);
}

/* What STATEMENT, of a function, hands back. */
static void findReturned(const Stmt *statement, std::vector<const Expr *> &values)
{
    eachWithin(statement, [&](const Stmt *one) {
        const auto *back = dyn_cast<ReturnStmt>(one);
        if (back != nullptr && back->getRetValue() != nullptr)
            values.push_back(back->getRetValue());
    });
}

/* What functions of the file hand back leads where it led there, but not to memory that each call
 * makes anew. */
void RankState::pointReturned(const VarDecl *pointer, const CallExpr *call)
{
    for (const FunctionDecl *callee : analysis.finder.callees(call)) {
        std::vector<const Expr *> values;
        findReturned(callee->getBody(), values);
        for (const Expr *value : values)
            if (std::optional<Place> target = pointedAt(value))
                for (const VarDecl *one : pointees(baseOf(*target)))
                    if (one != pointer && one->getDeclContext() != callee)
                        targets[pointer].emplace(one, nullptr);
    }
}

/* POINTER leads where VALUE leads, and what is known of rows there is known of its own then. */
void RankState::followChanged(const VarDecl *pointer, const Expr *value)
{
    const std::optional<Place> from = pointedAt(value);
    auto known = from ? state.changed.find(baseOf(*from)) : state.changed.end();
    if (known != state.changed.end())
        state.changed[pointer] = Changed(known->second);
    else
        state.changed.erase(pointer);
}

void RankState::point(const VarDecl *pointer, const Expr *value)
{
    followChanged(pointer, value);
    const QualType element = analysis.context.getBaseElementType(pointer->getType());
    if (!element->isPointerType() || analysis.isData(pointer))
        return;
    const Expr *inner = value->IgnoreParenCasts();
    if (const auto *list = dyn_cast<InitListExpr>(inner)) { /* of an array of pointers */
        for (const Expr *one : list->inits())
            point(pointer, one);
        return;
    }
    if (const auto *choice = dyn_cast<ConditionalOperator>(inner)) {
        point(pointer, choice->getTrueExpr());
        return point(pointer, choice->getFalseExpr());
    }
    if (const auto *call = dyn_cast<CallExpr>(inner))
        return pointReturned(pointer, call);
    std::optional<Place> target = pointedAt(inner);
    if (!target || baseOf(*target) == pointer)
        return;
    const FieldDecl *field = target->behind ? nullptr : target->field;
    for (const VarDecl *one : keptOf(baseOf(*target), pointer)) {
        auto [known, fresh] = targets[pointer].emplace(one, field);
        if (!fresh && known->second != field)
            known->second = nullptr;
    }
}

/* What TARGET is for POINTER, which may outlive the call that it is a parameter of: what was handed
 * over, as the next call hands over something else. */
std::set<const VarDecl *> RankState::keptOf(const VarDecl *target, const VarDecl *pointer) const
{
    const bool within =
        pointer->getDeclContext() == target->getDeclContext() && !pointer->isStaticLocal();
    std::set<const VarDecl *> kept;
    if (isa<ParmVarDecl>(target) && !within)
        for (const VarDecl *one : pointees(target))
            if (one != pointer && (!isa<ParmVarDecl>(one) || !points(one)))
                kept.insert(one);
    return kept.empty() ? std::set<const VarDecl *>{target} : kept;
}

/* -- pointers that are members of structs */

bool RankState::isHeld(const Place &place)
{
    return place.element && place.field != nullptr &&
           (place.field->getType()->isPointerType() || place.field->getType()->isRecordType());
}

std::set<const VarDecl *> RankState::reached(const Place &place) const
{
    std::set<const VarDecl *> all = pointees(baseOf(place));
    if (isHeld(place))
        for (const VarDecl *owner : std::set<const VarDecl *>(all))
            if (auto known = held.find({owner, place.field}); known != held.end())
                for (const VarDecl *one : known->second)
                    all.merge(pointees(one));
    return all;
}

void RankState::hold(const Place &owner, const FieldDecl *field, const Expr *value,
                     const Form &offset)
{
    const Expr *inner = value->IgnoreParenCasts();
    if (const auto *list = dyn_cast<InitListExpr>(inner); list && field->getType()->isRecordType())
        return holdAll(owner, field, list);
    if (!field->getType()->isPointerType())
        return;
    const std::optional<Place> target = pointedAt(inner);
    for (const VarDecl *one : pointees(baseOf(owner))) {
        if (const VarDecl *member = analysis.members.at(one, field)) {
            point(member, value);
            state.offsets[member] = offset;
        } else if (target) {
            held[{one, field}].merge(keptOf(baseOf(*target), one));
        }
    }
}

/* The same of FIELD, a struct within OWNER, with the values in LIST. */
void RankState::holdAll(const Place &owner, const FieldDecl *field, const InitListExpr *list)
{
    for (const Expr *value : list->inits()) {
        const std::optional<Place> target = placeOf(value->IgnoreParenCasts());
        if (!value->getType()->isPointerType() || !target)
            continue;
        for (const VarDecl *member : analysis.members.inside(baseOf(owner), field))
            if (analysis.context.hasSameUnqualifiedType(member->getType(), value->getType()))
                point(member, value);
        held[{baseOf(owner), field}].insert(baseOf(*target));
    }
}

void RankState::holdSame(const Place &owner, const FieldDecl *field, const Place &from)
{
    const VarDecl *to = analysis.members.at(baseOf(owner), field),
                  *source = analysis.members.at(baseOf(from), field);
    if (!field->getType()->isPointerType())
        return;
    if (to != nullptr && source != nullptr) {
        targets[to].emplace(source, nullptr);
        state.offsets[to] = offsetOf(source);
    } else if (auto known = held.find({baseOf(from), field}); known != held.end()) {
        held[{baseOf(owner), field}] = std::set<const VarDecl *>(known->second);
    }
}

} // namespace xmpi
