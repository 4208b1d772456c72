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

/* The integers of FUNCTION that nothing but what its loops put into arrays of numbers with a point
 * follows from: they are named in loops that set no more than such arrays and each other, whatever
 * those go by, or MPI packs at them, and outside of such loops are nothing but set. So no other
 * integer and no pointer follows from them, whatever their values are. SETIN: the variables, as a
 * whole, that a loop sets, where it sets nothing else but such arrays and what is its own. */
Variables idleIntegers(const clang::FunctionDecl *function,
                       const std::function<std::optional<Variables>(const clang::Stmt *)> &setIn);

/* STATEMENT may end the loop that it is in, or what follows it there. */
bool jumps(const clang::Stmt *statement);

} // namespace xmpi
#endif
