/* SPDX-License-Identifier: BSD-3-Clause
 * Which statements may touch one of several structs whose members are one class. */
#ifndef XMPI_REWRITER_ONE_STRUCT_H
#define XMPI_REWRITER_ONE_STRUCT_H

#include "facts/points_to.h"
#include "cells/cells.h"
#include <clang/AST/Stmt.h>

namespace xmpi
{

/* POINTER is used in BODY as one to several, one behind another: with a number, or by a sum. */
bool leadsToSeveral(const clang::VarDecl *pointer, const clang::Stmt *body);

class StructReach
{
  public:
    /* Of VARIABLE, a struct, or the one that it leads to. */
    StructReach(Cells &cells, const PointsTo &pointsTo, const clang::VarDecl *variable);

    /* STATEMENT, which a touch (passing.h) is by, names it, or a pointer that may lead to it; or
     * hands it, as each of those that an argument may lead to, to a function; or functions that it
     * calls come to it by themselves. */
    bool mayTouch(const clang::Stmt *statement);

    bool mentions(const clang::Stmt *statement, bool own = true);

    /* It is a pointer, and leads to none but STRUCTS. */
    bool leadsTo(const std::set<const clang::VarDecl *> &structs);

  private:
    Cells &cells;
    const PointsTo &pointsTo;
    const clang::VarDecl *variable;
    std::map<const clang::Stmt *, bool> known;
    std::map<const clang::FunctionDecl *, bool> functions;

    bool isAt(const clang::Expr *expression, bool own);
    bool mayLead(const clang::Expr *pointer, bool place);
    std::optional<Objects> objects() const;
    bool entersBy(const clang::CallExpr *call);
    bool enters(const clang::FunctionDecl *function);
};

} // namespace xmpi
#endif
