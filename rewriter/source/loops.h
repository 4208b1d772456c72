/* SPDX-License-Identifier: BSD-3-Clause
 * Loops and other statements that go by a condition. */
#ifndef XMPI_REWRITER_LOOPS_H
#define XMPI_REWRITER_LOOPS_H

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

namespace xmpi
{

inline bool isLoop(const clang::Stmt *statement)
{
    return llvm::isa<clang::ForStmt>(statement) || llvm::isa<clang::WhileStmt>(statement) ||
           llvm::isa<clang::DoStmt>(statement);
}

/* What a loop, an if, a switch or a choice goes by; null where it has none, and of others. */
inline const clang::Expr *conditionIn(const clang::Stmt *statement)
{
    if (const auto *counted = llvm::dyn_cast<clang::ForStmt>(statement))
        return counted->getCond();
    if (const auto *whole = llvm::dyn_cast<clang::WhileStmt>(statement))
        return whole->getCond();
    if (const auto *until = llvm::dyn_cast<clang::DoStmt>(statement))
        return until->getCond();
    if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(statement))
        return choice->getCond();
    if (const auto *cases = llvm::dyn_cast<clang::SwitchStmt>(statement))
        return cases->getCond();
    const auto *chosen = llvm::dyn_cast<clang::ConditionalOperator>(statement);
    return chosen != nullptr ? chosen->getCond() : nullptr;
}

} // namespace xmpi
#endif
