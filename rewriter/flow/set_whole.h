/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of fixed size that a nest of loops sets as a whole: what was in them before is gone. */
#ifndef XMPI_REWRITER_SET_WHOLE_H
#define XMPI_REWRITER_SET_WHOLE_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <set>

namespace xmpi
{

/* Those all elements of which LOOP, or loops in it, set, each counting from 0 to the length of a
 * dimension, to what is in no array that may be the same. Unknown is not set. */
std::set<const clang::VarDecl *> arraysSetBy(const clang::ASTContext &context,
                                             const clang::ForStmt *loop);

} // namespace xmpi
#endif
