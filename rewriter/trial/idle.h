/* SPDX-License-Identifier: BSD-3-Clause
 * Integers that only count places in arrays of numbers with a point. */
#ifndef XMPI_REWRITER_IDLE_H
#define XMPI_REWRITER_IDLE_H

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <functional>
#include <optional>
#include <set>

namespace xmpi
{

using Variables = std::set<const clang::VarDecl *>;

/* The integers of FUNCTION that do nothing in its loops but tell in which place of an array of
 * numbers with a point the next one is put or found, or MPI packs it, and outside of loops are
 * nothing but set: whatever their values are, no other integer and no pointer follows from them.
 * SETIN: the variables, as a whole, that a loop sets, where it sets nothing else but such arrays
 * and what is its own. */
Variables idleIntegers(const clang::FunctionDecl *function,
                       const std::function<std::optional<Variables>(const clang::Stmt *)> &setIn);

/* STATEMENT may end the loop that it is in, or what follows it there. */
bool jumps(const clang::Stmt *statement);

} // namespace xmpi
#endif
