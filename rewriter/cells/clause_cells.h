/* SPDX-License-Identifier: BSD-3-Clause
 * The classes of memory that a clause `state(...)` names, as the calls that stand for it have it.
 */
#ifndef XMPI_REWRITER_CLAUSE_CELLS_H
#define XMPI_REWRITER_CLAUSE_CELLS_H

#include "cells/passing.h"

namespace xmpi
{

/* Shows to STATE each call in TOLD that names what is kept, and to SCRATCH each place that need not
 * be. */
void eachTold(const clang::Stmt *told,
              llvm::function_ref<void(const clang::CallExpr *call, llvm::StringRef name)> state,
              llvm::function_ref<void(const clang::Expr *place)> scratch);

class Clause
{
  public:
    CellSet named, own, scratch;

    /* TOLD: a statement with the calls. */
    Clause(Cells &cells, const clang::Stmt *told);

  private:
    Cells &cells;

    void add(const clang::Expr *pointer, CellSet *kind);
    void addPlace(const clang::Expr *place);
    void addAll(Cells::Cell cell, clang::QualType type, CellSet *kind);
    void note(Cells::Cell cell, CellSet *kind);
};

} // namespace xmpi
#endif
