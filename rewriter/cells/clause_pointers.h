/* SPDX-License-Identifier: BSD-3-Clause
 * Pointers and handles within what a clause names: they mean something in one process alone. */
#ifndef XMPI_REWRITER_CLAUSE_POINTERS_H
#define XMPI_REWRITER_CLAUSE_POINTERS_H

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>
#include <string>

namespace xmpi
{

/* The first member of a struct of TYPE, of elements of it, or of a struct in it, that is a pointer
 * or handle; or null. */
const clang::FieldDecl *leadingMember(const clang::ASTContext &context, clang::QualType type);

/* TOLD is what stands for a clause. What is wrong with a struct that it gives to others as it is,
 * with a pointer or handle in it; empty: there is none. */
std::string pointerInState(const clang::ASTContext &context, const clang::Stmt *told);

} // namespace xmpi
#endif
