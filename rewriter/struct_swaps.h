/* SPDX-License-Identifier: BSD-3-Clause
 * Structs of arrays that change places as a whole: `struct field held = now; now = next; next =
 * held;`. For the analysis their members change places, one after another. */
#ifndef XMPI_REWRITER_STRUCT_SWAPS_H
#define XMPI_REWRITER_STRUCT_SWAPS_H

#include <clang/AST/ASTContext.h>

namespace xmpi
{

/* Replaces these three statements in the functions of CONTEXT where a loop is around them, or where
 * they are in a function that does no more, for structs that have pointers and numbers only:
 * variables, or what pointers lead to. Every other copy of a struct stays what it is. */
void swapByMembers(clang::ASTContext &context);

} // namespace xmpi
#endif
