/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the loops by the points that the rewriter has put into them. */
#include "cells/told_loops.h"
#include "analysis.h"
#include "source/loops.h"
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

namespace xmpi
{

using namespace clang;

bool calls(const Stmt *statement, llvm::StringRef name)
{
    const auto *call = dyn_cast_or_null<CallExpr>(statement);
    return call != nullptr && calleeName(call) == name;
}

static void findLoop(const FunctionDecl *function, const Stmt *statement, std::vector<Told> &found)
{
    const auto *point = isLoop(statement) ? dyn_cast_or_null<IfStmt>(bodyOf(statement)) : nullptr;
    const auto *both = point ? dyn_cast<BinaryOperator>(point->getCond()) : nullptr;
    if (both != nullptr && both->getOpcode() == BO_LAnd &&
        calls(both->getLHS()->IgnoreParenImpCasts(), "xmpi_gen_due"))
        found.push_back({function, statement, point});
}

std::vector<Told> toldLoops(const std::vector<const FunctionDecl *> &functions)
{
    std::vector<Told> loops;
    for (const FunctionDecl *function : functions)
        eachWithin(function->getBody(), [&](const Stmt *one) { findLoop(function, one, loops); });
    return loops;
}

std::vector<Told> inOrder(const ASTContext &context, std::vector<Told> loops)
{
    llvm::sort(loops, [&](const Told &one, const Told &other) {
        return context.getSourceManager().isBeforeInTranslationUnit(one.loop->getBeginLoc(),
                                                                    other.loop->getBeginLoc());
    });
    return loops;
}

} // namespace xmpi
