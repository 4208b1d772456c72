/* SPDX-License-Identifier: BSD-3-Clause
 * Where pointers lead that are members of structs, or become numbers. */
#include "ranks/rank_expressions.h"

namespace xmpi
{

using namespace clang;

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
    const auto *unary = dyn_cast<UnaryOperator>(inner);
    const std::optional<Place> target =
        placeOf(unary && unary->getOpcode() == UO_AddrOf ? unary->getSubExpr() : inner);
    for (const VarDecl *one : pointees(baseOf(owner))) {
        if (const VarDecl *member = analysis.members.at(one, field)) {
            point(member, value);
            state.offsets[member] = offset;
        } else if (target) {
            held[{one, field}].insert(baseOf(*target));
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

/* OWNER is what CALL, of a function of the file, hands back: its pointers lead where they led. */
void RankExpressions::holdReturned(const Place &owner, const CallExpr *call)
{
    std::vector<const Stmt *> open;
    for (const FunctionDecl *callee : analysis.finder.callees(call))
        open.push_back(callee->getBody());
    while (!open.empty()) {
        const Stmt *statement = open.back();
        open.pop_back();
        const auto *back = dyn_cast<ReturnStmt>(statement);
        const Expr *value = back != nullptr ? back->getRetValue() : nullptr;
        if (std::optional<Place> from = value ? placeOf(bare(value)) : std::nullopt)
            for (const FieldDecl *field : owner.type->getAsRecordDecl()->fields())
                holdSame(owner, field, *from);
        for (const Stmt *child : statement->children())
            if (child != nullptr)
                open.push_back(child);
    }
}

/* POINTER becomes a number: where it leads nobody sees from there on. */
void RankExpressions::judgeAddress(const Expr *pointer)
{
    std::optional<Place> place = placeOf(bare(pointer));
    if (!place)
        return;
    place->element = place->behind = true;
    const std::optional<Rows> rows = rowsOf(*place);
    if (inLoop && rows)
        misuse(Problem::LocalRows, pointer->getExprLoc(), rows->variable->getNameAsString(),
               analysis.source.spelled(pointer));
}

} // namespace xmpi
