/* SPDX-License-Identifier: BSD-3-Clause
 * Pointers and handles within what a clause names: they mean something in one process alone. */
#ifndef XMPI_REWRITER_CLAUSE_POINTERS_H
#define XMPI_REWRITER_CLAUSE_POINTERS_H

#include <clang/AST/Stmt.h>
#include <string>

namespace xmpi
{

/* TOLD is what stands for a clause. What is wrong with a struct that it gives to others as it is,
 * with a pointer or handle in it; empty: there is none. */
std::string pointerInState(const clang::ASTContext &context, const clang::Stmt *told);

} // namespace xmpi
#endif
