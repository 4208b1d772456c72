/* SPDX-License-Identifier: BSD-3-Clause
 * The loops of a file whose state a clause tells. */
#ifndef XMPI_REWRITER_TOLD_LOOPS_H
#define XMPI_REWRITER_TOLD_LOOPS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <vector>

namespace xmpi
{

/* A loop whose state is told at its begin. */
struct Told {
    const clang::FunctionDecl *function;
    const clang::Stmt *loop;
    const clang::IfStmt *point;
};

/* STATEMENT, which may be null, is a call of the function NAME. */
bool calls(const clang::Stmt *statement, llvm::StringRef name);

std::vector<Told> toldLoops(const std::vector<const clang::FunctionDecl *> &functions);

/* As the loops follow one another in the file. */
std::vector<Told> inOrder(const clang::ASTContext &context, std::vector<Told> loops);

} // namespace xmpi
#endif
