/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at the roots of places: what functions do with their parameters is done with arguments. */
#include "cells/one_struct.h"
#include "cells/passing.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

bool leadsToSeveral(const VarDecl *pointer, const Stmt *body)
{
    return anyWithin(body, [&](const Stmt *part) {
        const auto *binary = dyn_cast<BinaryOperator>(part);
        const auto *element = dyn_cast<ArraySubscriptExpr>(part);
        const Expr *base = element != nullptr ? element->getBase() : nullptr;
        if (binary != nullptr && binary->isAdditiveOp())
            base = binary->getLHS();
        const auto *name = base ? dyn_cast<DeclRefExpr>(base->IgnoreParenImpCasts()) : nullptr;
        return name != nullptr && name->getDecl() == pointer;
    });
}

StructReach::StructReach(Cells &cells, const PointsTo &pointsTo, const VarDecl *variable)
    : cells(cells), pointsTo(pointsTo), variable(variable->getCanonicalDecl())
{
}

/* Nothing where pointers to structs of its type are not all known. */
std::optional<Objects> StructReach::objects() const
{
    const QualType type = variable->getType();
    const RecordDecl *record =
        (type->isPointerType() ? type->getPointeeType() : type)->getAsRecordDecl();
    if (record == nullptr || !pointsTo.follows(record->getDefinition()))
        return std::nullopt;
    return type->isPointerType() ? pointsTo.of(variable) : Objects{Object{variable, {}}};
}

bool StructReach::mayLead(const Expr *pointer, bool place)
{
    const std::optional<Objects> mine = objects(), others = pointsTo.at(pointer);
    if (mine && others && !mine->empty() && !others->empty())
        return llvm::any_of(*others, [&](const Object &other) {
            return llvm::any_of(*mine, [&](const Object &own) { return own.root == other.root; });
        });
    const Cells::Cell own = cells.of(variable);
    const Cells::Cell at = variable->getType()->isPointerType() ? cells.behind(own) : own;
    return at != Cells::none &&
           at == (place ? cells.behind(cells.of(pointer)) : cells.behind(pointer));
}

bool StructReach::leadsTo(const std::set<const VarDecl *> &structs)
{
    const std::optional<Objects> mine = objects();
    if (!variable->getType()->isPointerType())
        return false;
    if (!mine || mine->empty())
        return llvm::any_of(structs, [&](const VarDecl *one) {
            return cells.of(one) == cells.behind(cells.of(variable));
        });
    return llvm::all_of(*mine, [&](const Object &own) {
        return llvm::any_of(
            structs, [&](const VarDecl *one) { return own.root == one->getCanonicalDecl(); });
    });
}

/* What variables of other functions hold comes from parameters, or from what is looked at, too. */
bool StructReach::isAt(const Expr *expression, bool own)
{
    const VarDecl *named = variableAt(expression);
    if (named != nullptr && named->getCanonicalDecl() == variable)
        return true;
    if (named != nullptr && !own && named->hasLocalStorage())
        return false;
    const bool place = expression->isLValue();
    return expression->getType()->isPointerType() && (place || isa<CallExpr>(expression)) &&
           mayLead(expression, place);
}

bool StructReach::mentions(const Stmt *statement, bool own)
{
    return anyWithin(statement, [&](const Stmt *part) {
        const auto *expression = dyn_cast<Expr>(part);
        return expression != nullptr && isAt(expression, own);
    });
}

bool StructReach::enters(const FunctionDecl *function)
{
    auto [at, fresh] = functions.emplace(function, false);
    if (!fresh)
        return at->second;
    const bool found = mentions(function->getBody(), false) ||
                       anyWithin(function->getBody(), [&](const Stmt *part) {
                           const auto *call = dyn_cast<CallExpr>(part);
                           return call != nullptr && entersBy(call);
                       });
    return functions[function] = found;
}

bool StructReach::entersBy(const CallExpr *call)
{
    const auto callees = cells.callees(call);
    return llvm::any_of(callees, [&](const FunctionDecl *callee) { return enters(callee); });
}

bool StructReach::mayTouch(const Stmt *statement)
{
    auto [at, fresh] = known.emplace(statement, false);
    if (!fresh)
        return at->second;
    bool found = false;
    if (const auto *call = dyn_cast<CallExpr>(statement)) {
        found = entersBy(call);
        for (const Expr *argument : call->arguments())
            found = found || mentions(argument);
    } else if (const auto *binary = dyn_cast<BinaryOperator>(statement)) {
        found = mentions(binary->getLHS());
    } else {
        found = mentions(statement);
    }
    return known[statement] = found;
}

} // namespace xmpi
