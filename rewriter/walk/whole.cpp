/* SPDX-License-Identifier: BSD-3-Clause
 * Whether stores set all of an array, one element after another: where loops count through it.
 * Which elements are set by numbers that come from elsewhere, from a table or a hash, or that
 * follow what earlier iterations have come to, nobody knows: the others keep what they have. */
#include "analysis.h"
#include "source/integer.h"
#include "source/within.h"
#include "walk/walk.h"

namespace xmpi
{

using namespace clang;

/* -- what loops of an iteration count */

static const ValueDecl *numberAt(const Expr *place)
{
    place = place->IgnoreParens();
    if (const auto *member = dyn_cast<MemberExpr>(place))
        return member->getMemberDecl();
    const VarDecl *variable = variableAt(place);
    return variable ? variable->getCanonicalDecl() : nullptr;
}

const Walk::Numbers &Walk::writtenIn(const Stmt *one) const
{
    const auto [at, fresh] = written.emplace(one, Numbers());
    Numbers &numbers = at->second;
    if (!fresh)
        return numbers;
    eachWithin(one, [&](const Stmt *part) {
        const auto *binary = dyn_cast<BinaryOperator>(part);
        const auto *unary = dyn_cast<UnaryOperator>(part);
        const bool steps = unary != nullptr && unary->isIncrementDecrementOp();
        const bool sets = binary != nullptr && binary->isAssignmentOp();
        const ValueDecl *number = steps  ? numberAt(unary->getSubExpr())
                                  : sets ? numberAt(binary->getLHS())
                                         : nullptr;
        if (number == nullptr)
            return;
        std::vector<const Expr *> &values = numbers[number];
        const bool adds =
            sets && (binary->getOpcode() == BO_Assign || binary->getOpcode() == BO_AddAssign ||
                     binary->getOpcode() == BO_SubAssign || binary->getOpcode() == BO_MulAssign);
        if (sets)
            values.push_back(adds ? binary->getRHS() : binary);
    });
    return numbers;
}

/* A loop around, in the iteration, goes on with it; VALUES: what it is set to there, or what is
 * added. */
bool Walk::isCounted(const ValueDecl *number, std::vector<const Expr *> &values) const
{
    bool found = false;
    for (const Stmt *one : open)
        if (auto at = writtenIn(one).find(number); at != writtenIn(one).end()) {
            found = true;
            values.insert(values.end(), at->second.begin(), at->second.end());
        }
    return found;
}

/* What the call that is under way hands over for PARAMETER, in the frame with the number LEVEL,
 * which that is then, or one before it; or null. */
const Expr *Walk::givenFor(const VarDecl *parameter, size_t &level) const
{
    const auto *one = dyn_cast<ParmVarDecl>(parameter);
    if (one == nullptr)
        return nullptr;
    while (level > 0 && --level > 0)
        if (frames[level].function->getCanonicalDecl() ==
            cast<FunctionDecl>(one->getDeclContext())->getCanonicalDecl()) {
            const CallExpr *call = frames[level].call;
            const unsigned number = one->getFunctionScopeIndex();
            return call != nullptr && number < call->getNumArgs() ? call->getArg(number) : nullptr;
        }
    return nullptr;
}

/* -- numbers of elements */

/* Where a loop sets a number to what it takes from a table, nobody knows what it runs through. */
bool Walk::runsThrough(const ValueDecl *number, size_t level) const
{
    std::vector<const Expr *> values;
    if (isCounted(number, values)) {
        if (!asked.insert(number).second)
            return true;
        const bool good = llvm::all_of(values, [&](const Expr *value) {
            return number->getType()->isPointerType() && !value->getType()->isIntegerType()
                       ? isWholeBehind(value, level)
                       : runsThrough(value, level);
        });
        asked.erase(number);
        return good;
    }
    const auto *variable = dyn_cast<VarDecl>(number);
    if (const Expr *given = variable ? givenFor(variable, level) : nullptr)
        return runsThrough(given, level);
    if (writtenIn(loop).count(number) != 0)
        return false; /* it is another one in another iteration */
    return variable == nullptr || !variable->hasLocalStorage() || variable->getInit() == nullptr ||
           isa<ParmVarDecl>(variable) || runsThrough(variable->getInit(), level);
}

bool Walk::runsThrough(const Expr *index, size_t level) const
{
    index = index->IgnoreParenCasts();
    if (constantInteger(index, context) || isa<UnaryExprOrTypeTraitExpr>(index))
        return true;
    if (isa<DeclRefExpr, MemberExpr>(index)) {
        const ValueDecl *number = numberAt(index);
        return number == nullptr || runsThrough(number, level);
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(index))
        return unary->getOpcode() != UO_Deref && unary->getOpcode() != UO_Not &&
               runsThrough(unary->getSubExpr(), level);
    if (const auto *binary = dyn_cast<BinaryOperator>(index))
        return (binary->isAdditiveOp() || binary->getOpcode() == BO_Mul ||
                binary->isAssignmentOp() || binary->getOpcode() == BO_Comma) &&
               runsThrough(binary->getLHS(), level) && runsThrough(binary->getRHS(), level);
    if (const auto *call = dyn_cast<CallExpr>(index)) {
        const Expr *value = returnedBy(definitionOf(call));
        return value != nullptr &&
               llvm::all_of(call->arguments(),
                            [&](const Expr *given) { return runsThrough(given, level); }) &&
               runsThrough(value, level);
    }
    return false;
}

/* It is another one in another iteration, and no loop in it counts it. */
bool Walk::goesOn(const ValueDecl *number, size_t level) const
{
    std::vector<const Expr *> values;
    const auto *variable = dyn_cast<VarDecl>(number);
    if (isCounted(number, values) || !asked.insert(number).second)
        return false;
    const Expr *given = variable ? givenFor(variable, level) : nullptr;
    const bool local = variable != nullptr && variable->hasLocalStorage();
    const Expr *from = given ? given : local ? variable->getInit() : nullptr;
    const bool found = (given == nullptr && writtenIn(loop).count(number) != 0) ||
                       (from != nullptr && followsIterations(from, level));
    asked.erase(number);
    return found;
}

bool Walk::followsIterations(const Expr *value, size_t level) const
{
    return anyWithin(value, [&](const Stmt *part) {
        const auto *place = dyn_cast<Expr>(part);
        const ValueDecl *number = place ? numberAt(place) : nullptr;
        return number != nullptr && goesOn(number, level);
    });
}

/* -- places */

/* What POINTER leads to is another part of the array in another iteration: h + t * w. */
bool Walk::isOneOfMany(const Expr *pointer, size_t level) const
{
    pointer = pointer->IgnoreParenCasts();
    if (const auto *binary = dyn_cast<BinaryOperator>(pointer); binary && binary->isAdditiveOp()) {
        const auto [base, number] = sidesOf(binary);
        return isOneOfMany(base, level) || followsIterations(number, level);
    }
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(pointer))
        return isOneOfMany(element->getBase(), level) ||
               followsIterations(element->getIdx(), level);
    if (const auto *unary = dyn_cast<UnaryOperator>(pointer))
        return unary->getOpcode() == UO_AddrOf && isOneOfMany(unary->getSubExpr(), level);
    if (const auto *member = dyn_cast<MemberExpr>(pointer))
        return isOneOfMany(member->getBase(), level);
    const VarDecl *variable = variableAt(pointer);
    if (variable == nullptr || !asked.insert(variable).second)
        return false;
    const Expr *given = givenFor(variable, level);
    const Expr *from = given ? given : variable->hasLocalStorage() ? variable->getInit() : nullptr;
    const bool one = from != nullptr && isOneOfMany(from, level);
    asked.erase(variable);
    return one;
}

bool Walk::isWholeBehind(const VarDecl *pointer, size_t level) const
{
    std::vector<const Expr *> values;
    if (isCounted(pointer, values))
        return runsThrough(pointer, level);
    if (const Expr *given = givenFor(pointer, level))
        return isWholeBehind(given, level);
    const bool once = pointer->hasLocalStorage() && pointer->getInit() != nullptr &&
                      writtenIn(loop).count(pointer) == 0;
    return !once || isWholeBehind(pointer->getInit(), level);
}

/* What a store by POINTER sets is all that it leads to, or loops do so for one after another. */
bool Walk::isWholeBehind(const Expr *pointer, size_t level) const
{
    pointer = pointer->IgnoreParenCasts();
    if (const auto *unary = dyn_cast<UnaryOperator>(pointer)) {
        if (unary->getOpcode() == UO_AddrOf)
            return isWhole(unary->getSubExpr(), level);
        if (unary->isIncrementDecrementOp())
            return depth > 0;
    }
    if (const auto *name = dyn_cast<DeclRefExpr>(pointer)) {
        const auto *variable = dyn_cast<VarDecl>(name->getDecl());
        return variable == nullptr || variable->getType()->isArrayType() ||
               isWholeBehind(variable->getCanonicalDecl(), level);
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(pointer); binary && binary->isAdditiveOp())
        return depth > 0 && runsThrough(sidesOf(binary).second, level);
    return isa<MemberExpr, CallExpr>(pointer) || depth > 0;
}

bool Walk::isWhole(const Expr *place) const
{
    return isWhole(place, frames.size());
}

/* The place is all of an object: elements are set one after another by a loop. */
bool Walk::isWhole(const Expr *place, size_t level) const
{
    place = place->IgnoreParenCasts();
    if (const auto *member = dyn_cast<MemberExpr>(place))
        return member->isArrow() ? isWholeBehind(member->getBase(), level)
                                 : isWhole(member->getBase(), level);
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(place)) {
        const auto *array = dyn_cast<DeclRefExpr>(element->getBase()->IgnoreParenImpCasts());
        const bool constant = constantInteger(element->getIdx(), context).has_value();
        if (constant && array != nullptr && array->getType()->isArrayType())
            return true; /* the element is an object */
        if (!runsThrough(element->getIdx(), level))
            return false;
        const auto *outer = dyn_cast<ArraySubscriptExpr>(element->getBase()->IgnoreParenImpCasts());
        return depth > 0 && (outer != nullptr ? constantInteger(outer->getIdx(), context) ||
                                                    isWhole(outer, level)
                                              : !constant);
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(place))
        return unary->getOpcode() == UO_Deref && isWholeBehind(unary->getSubExpr(), level);
    return true;
}

} // namespace xmpi
