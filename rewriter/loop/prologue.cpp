/* SPDX-License-Identifier: BSD-3-Clause
 * Lists the statements that run before the loop, in their order and with their class. */
#include "analysis.h"

namespace xmpi
{

using namespace clang;

static const Pragma *marking(const Analysis &analysis, const Stmt *statement)
{
    for (const auto &pragma : analysis.pragmas.list)
        if (pragma->target == statement && pragma->directive != Directive::Data &&
            pragma->directive != Directive::Loop)
            return pragma.get();
    return nullptr;
}

static Class classOf(const Pragma *pragma)
{
    if (pragma == nullptr)
        return Class::Keep;
    if (pragma->directive == Directive::Domain)
        return Class::Domain;
    return pragma->directive == Directive::Setup ? Class::Setup : Class::Initial;
}

static void add(Analysis &analysis, const Stmt *statement, size_t step)
{
    const Pragma *pragma = marking(analysis, statement);
    analysis.prologue.push_back(
        {classOf(pragma), statement, pragma, step, analysis.finder.withCallees(statement)});
    for (const CallExpr *call : analysis.prologue.back().effects.calls)
        if (call->getDirectCallee() != nullptr && isForeign(call->getDirectCallee()))
            for (const FunctionDecl *handed : analysis.finder.callees(call))
                analysis.finder.handedOut.insert(handed);
}

/* Marked statements inside an unmarked one become items of their own, after it. */
static void addMarkedInside(Analysis &analysis, const Stmt *statement, size_t step)
{
    for (const Stmt *child : statement->children()) {
        if (child == nullptr)
            continue;
        if (marking(analysis, child) != nullptr)
            add(analysis, child, step);
        else
            addMarkedInside(analysis, child, step);
    }
}

void collectPrologue(Analysis &analysis)
{
    for (size_t step = 0; step < analysis.path.size(); step++) {
        for (const Stmt *statement : analysis.structure.preceding(analysis.path[step].anchor)) {
            const auto *block = dyn_cast<CompoundStmt>(statement);
            if (block != nullptr && analysis.pragmas.at(block->getLBracLoc()) != nullptr)
                continue;
            add(analysis, statement, step);
            if (marking(analysis, statement) == nullptr)
                addMarkedInside(analysis, statement, step);
        }
    }
}

} // namespace xmpi
