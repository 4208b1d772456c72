/* SPDX-License-Identifier: BSD-3-Clause
 * Lists the statements that run before the loop, in their order and with their class. */
#include "analysis.h"
#include "flow/other_files.h"
#include "library/exits.h"
#include "library/traits.h"
#include "source/within.h"

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
    for (const Stmt *child : partsIn(statement)) {
        if (marking(analysis, child) != nullptr)
            add(analysis, child, step);
        else
            addMarkedInside(analysis, child, step);
    }
}

/* FUNCTION, or one that it calls, has to do with variables that outlive the call, and comes back.
 */
static bool outlives(const Analysis &analysis, const FunctionDecl *function)
{
    Effects start;
    start.functions = {function};
    const auto reached = analysis.finder.reachable(start);
    return !endsProgram(function->getBody()) && llvm::any_of(reached, [&](const FunctionDecl *one) {
        const Effects inside = analysis.finder.of(one->getBody());
        const auto isFlag = [&](const VarDecl *base) {
            return base->getType().isVolatileQualified() &&
                   llvm::none_of(inside.writes, [&](const Write &write) {
                       return write.place.base == base && tellsOfCalls(analysis.context, write);
                   });
        };
        return llvm::any_of(inside.mentions, [&](const Mention &mention) {
            const VarDecl *base = mention.place.base;
            return base->hasGlobalStorage() && !base->getType().isConstQualified() && !isFlag(base);
        });
    });
}

/* What the library is given anywhere and may call later; but not what concerns its arguments alone.
 */
static void collectKept(Analysis &analysis)
{
    std::set<const FunctionDecl *> given;
    for (const FunctionDecl *function : analysis.structure.functions)
        eachWithin(function->getBody(), [&](const Stmt *one) {
            const auto *call = dyn_cast<CallExpr>(one);
            const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
            if (callee != nullptr && callee->getDefinition() == nullptr && !isForeign(callee) &&
                !has(calleeName(call), Trait::NotLater))
                for (const FunctionDecl *possible : analysis.finder.callees(call))
                    given.insert(possible);
        });
    for (const FunctionDecl *function : given)
        if (outlives(analysis, function))
            analysis.finder.handedOut.insert(function);
}

void collectPrologue(Analysis &analysis)
{
    collectKept(analysis);
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
