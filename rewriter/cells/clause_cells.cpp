/* SPDX-License-Identifier: BSD-3-Clause
 * Reads the calls that stand for a clause. */
#include "cells/clause_cells.h"
#include "analysis.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

void eachTold(const Stmt *told,
              llvm::function_ref<void(const CallExpr *call, llvm::StringRef name)> state,
              llvm::function_ref<void(const Expr *place)> scratch)
{
    const auto *call = dyn_cast<CallExpr>(told);
    const llvm::StringRef name = call ? calleeName(call) : "";
    if (name == "xmpi_gen_state_rows" || name == "xmpi_gen_state_same" ||
        name == "xmpi_gen_state_own")
        return state(call, name);
    if (const auto *cast = dyn_cast<CStyleCastExpr>(told))
        if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(cast->getSubExpr()))
            return size->isArgumentType() || !cast->getType()->isVoidType()
                       ? void()
                       : scratch(size->getArgumentExpr()->IgnoreParens());
    for (const Stmt *child : partsIn(told))
        eachTold(child, state, scratch);
}

Clause::Clause(Cells &cells, const Stmt *told) : cells(cells)
{
    eachTold(
        told,
        [&](const CallExpr *call, llvm::StringRef name) {
            add(call->getArg(1), name == "xmpi_gen_state_own" ? &own : nullptr);
        },
        [&](const Expr *place) { addPlace(place); });
}

void Clause::add(const Expr *pointer, CellSet *kind)
{
    const Expr *bare = pointer->IgnoreParenCasts();
    const QualType type = bare->getType();
    addAll(cells.behind(pointer), type->isPointerType() ? type->getPointeeType() : type, kind);
}

/* scratch(b): b itself, and what it leads to. */
void Clause::addPlace(const Expr *place)
{
    if (place->isLValue())
        addAll(cells.of(place), place->getType(), &scratch);
}

void Clause::addAll(Cells::Cell cell, QualType type, CellSet *kind)
{
    for (Cells::Cell member : cells.membersOf(type))
        note(member, kind);
    CellSet seen;
    for (cell = cells.found(cell); cell != Cells::none && seen.insert(cell).second;
         cell = cells.behind(cell)) {
        note(cell, kind);
        while (type->isArrayType() || type->isPointerType())
            type = type->isArrayType() ? cast<ArrayType>(type.getCanonicalType())->getElementType()
                                       : type->getPointeeType();
        for (Cells::Cell member : cells.membersOf(type))
            note(member, kind);
    }
}

void Clause::note(Cells::Cell cell, CellSet *kind)
{
    named.insert(cell);
    if (kind != nullptr)
        kind->insert(cell);
}

} // namespace xmpi
