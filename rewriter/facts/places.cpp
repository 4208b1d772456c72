/* SPDX-License-Identifier: BSD-3-Clause
 * Which variable, or member of one, an expression names, or leads to. */
#include "facts/effects.h"
#include "source/variable.h"
#include "source/within.h"
#include <clang/AST/Stmt.h>

namespace xmpi
{

using namespace clang;

std::string Place::text() const
{
    std::string name = base->getNameAsString();
    if (field != nullptr)
        return name + (behind ? "->" : ".") + field->getNameAsString();
    return behind ? "*" + name : name;
}

bool overlap(const Place &one, const Place &other)
{
    if (one.base->getCanonicalDecl() != other.base->getCanonicalDecl())
        return false;
    return one.field == nullptr || other.field == nullptr || one.field == other.field;
}

namespace
{

/* How deep what is handed back by functions, or chosen, is looked into. */
enum { MaxDepth = 8 };

using Places = std::vector<Place>;

class Finder
{
  public:
    /* All that EXPRESSION may be; none where that is not known. */
    Places of(const Expr *expression)
    {
        expression = expression->IgnoreParenCasts();
        if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
            const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
            if (variable == nullptr)
                return {};
            return {Place::of(variable)};
        }
        if (const auto *member = dyn_cast<MemberExpr>(expression))
            return ofMember(member);
        if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
            if (subscript->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
                return of(subscript->getBase());
            return behind(subscript->getBase(), true, subscript->getType());
        }
        if (const auto *unary = dyn_cast<UnaryOperator>(expression)) {
            if (unary->getOpcode() == UO_Deref)
                return behind(unary->getSubExpr(),
                              isa<BinaryOperator>(unary->getSubExpr()->IgnoreParenCasts()),
                              unary->getType());
            if (unary->isIncrementDecrementOp())
                return of(unary->getSubExpr());
        }
        if (const Expr *counted = countedFrom(expression))
            return of(counted);
        return {};
    }

    /* What POINTER may lead to, as something of TYPE; one of many where ELEMENT. */
    Places behind(const Expr *pointer, bool element, QualType type)
    {
        pointer = pointer->IgnoreParenCasts();
        if (++depth > MaxDepth)
            return {};
        Places found = behindOther(pointer, element, type);
        depth--;
        return found;
    }

  private:
    int depth = 0;

    static Place through(Place pointer, bool element, QualType type)
    {
        pointer.type = type;
        if (pointer.behind || pointer.field != nullptr) {
            /* a pointer kept in a member: what it points to counts with the member */
            pointer.element = true;
            return pointer;
        }
        pointer.behind = true;
        pointer.element = element;
        return pointer;
    }

    /* What EXPRESSION, a sum that is a pointer, counts from; or null. */
    static const Expr *countedFrom(const Expr *expression)
    {
        const auto *binary = dyn_cast<BinaryOperator>(expression);
        if (binary == nullptr || !binary->isAdditiveOp() || !binary->getType()->isPointerType())
            return nullptr;
        return sidesOf(binary).first;
    }

    Places ofMember(const MemberExpr *member)
    {
        const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        if (field == nullptr)
            return {};
        Places all = member->isArrow() ? behind(member->getBase(), false, member->getType())
                                       : of(member->getBase());
        for (Place &place : all) {
            bool several = place.type->isArrayType(); /* of an element of an array of fixed size */
            if (place.field != nullptr || place.element || several)
                continue;
            place.field = field;
            place.type = member->getType();
        }
        return all;
    }

    Places behindOther(const Expr *pointer, bool element, QualType type)
    {
        if (const Expr *target = addressedBy(pointer))
            return of(target);
        if (const auto *choice = dyn_cast<ConditionalOperator>(pointer))
            return together(behind(choice->getTrueExpr(), element, type),
                            behind(choice->getFalseExpr(), element, type));
        if (const auto *call = dyn_cast<CallExpr>(pointer))
            return behindCall(call, element, type);
        if (const auto *binary = dyn_cast<BinaryOperator>(pointer)) {
            if (binary->isAssignmentOp())
                return behind(binary->getLHS(), element, type);
            if (binary->getOpcode() == BO_Comma)
                return behind(binary->getRHS(), element, type);
        }
        if (const Expr *counted = countedFrom(pointer); counted && !namesIt(counted))
            return behind(counted, true, type);
        const bool counted = countedFrom(pointer) != nullptr;
        Places all = of(pointer);
        for (Place &place : all)
            place = through(place, element || counted, type);
        return all;
    }

    /* POINTER is a place itself, and nothing that is handed back, chosen or an address. */
    static bool namesIt(const Expr *pointer)
    {
        pointer = pointer->IgnoreParenCasts();
        return isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(pointer);
    }

    static Places together(Places one, const Places &other)
    {
        for (const Place &place : other)
            if (llvm::none_of(one, [&](const Place &known) {
                    return overlap(known, place) && known.field == place.field &&
                           known.behind == place.behind;
                }))
                one.push_back(place);
        return one;
    }

    /* Behind what CALL, of a function of the file, hands back. */
    Places behindCall(const CallExpr *call, bool element, QualType type)
    {
        const FunctionDecl *callee = definitionOf(call);
        Places all;
        for (const Expr *value : returnedIn(callee != nullptr ? callee->getBody() : nullptr))
            for (const Place &place : behind(value, element, type))
                all = together(all, given(call, callee, place));
        return all;
    }

    /* PLACE, where it is behind a parameter of CALLEE, as CALL gives it. */
    Places given(const CallExpr *call, const FunctionDecl *callee, const Place &place)
    {
        for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); i++)
            if (callee->getParamDecl(i) == place.base && place.behind) {
                const Expr *argument = call->getArg(i)->IgnoreParenCasts();
                Places all = argument->getType()->isArrayType()
                                 ? of(argument)
                                 : behind(argument, place.element, place.type);
                for (Place &one : all)
                    one = within(one, place);
                return all.empty() ? Places{place} : all;
            }
        return {place};
    }

    /* PART, which is behind a parameter, of what that is given, WHOLE. */
    static Place within(Place whole, const Place &part)
    {
        if (whole.field == nullptr && !whole.element)
            whole.field = part.field;
        whole.type = part.type;
        return whole;
    }
};

} // namespace

std::vector<Place> placesOf(const Expr *expression)
{
    return Finder().of(expression);
}

std::vector<Place> placesBehind(const Expr *pointer)
{
    const QualType type = pointer->IgnoreParenCasts()->getType();
    return Finder().behind(pointer, true,
                           type->isPointerType()
                               ? type->getPointeeType()
                               : QualType(type->getArrayElementTypeNoTypeQual(), 0));
}

std::optional<Place> placeGiven(const Expr *argument)
{
    const Expr *target = addressedBy(argument);
    return placeOf(target != nullptr ? target : argument->IgnoreParenCasts());
}

std::optional<Place> placeOf(const Expr *expression)
{
    const std::vector<Place> all = placesOf(expression);
    return all.size() == 1 ? std::optional<Place>(all.front()) : std::nullopt;
}

} // namespace xmpi
