/* SPDX-License-Identifier: BSD-3-Clause
 * Whether two formulas are the same, each of its own row: tried with values that are made up. */
#ifndef XMPI_REWRITER_FORMULA_H
#define XMPI_REWRITER_FORMULA_H

#include "facts/uses.h"
#include <functional>
#include <optional>

namespace xmpi
{

/* EDGE and BETWEEN, assignments to elements of rows of an array, the second one in loops with
 * COUNTERS, the outermost first, do the same to the row that EDGE is to, in whatever order they
 * add. What is RECEIVED may stand for any row that BETWEEN reads; HOLDS tells of conditions whether
 * they do where EDGE is made. Unknown means no. */
bool isSameFormula(const Analysis &analysis, const LoopUses &uses,
                   const clang::BinaryOperator *edge, const clang::BinaryOperator *between,
                   const std::vector<const clang::VarDecl *> &counters,
                   const std::function<bool(const clang::Expr *)> &received,
                   const std::function<std::optional<bool>(const clang::Expr *)> &holds);

/* The same of two values of one row. */
bool isSameValue(const Analysis &analysis, const LoopUses &uses, const clang::Expr *edge,
                 const clang::Expr *between,
                 const std::function<bool(const clang::Expr *)> &received);

} // namespace xmpi
#endif
