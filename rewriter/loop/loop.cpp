/* SPDX-License-Identifier: BSD-3-Clause
 * Describes the adaptive loop itself: its parts, its exits, its own variables. */
#include "analysis.h"

namespace xmpi
{

using namespace clang;

static const char *keyword(const Stmt *loop)
{
    return isa<ForStmt>(loop) ? "'for'" : isa<WhileStmt>(loop) ? "'while'" : "'do'";
}

static bool hasMacroHead(const Stmt *loop)
{
    if (const auto *counted = dyn_cast<ForStmt>(loop))
        return counted->getLParenLoc().isMacroID() || counted->getRParenLoc().isMacroID();
    if (const auto *whole = dyn_cast<WhileStmt>(loop))
        return whole->getLParenLoc().isMacroID() || whole->getRParenLoc().isMacroID();
    return cast<DoStmt>(loop)->getWhileLoc().isMacroID() || loop->getEndLoc().isMacroID();
}

static bool checkSpelling(Analysis &analysis)
{
    const auto *block = dyn_cast<CompoundStmt>(bodyOf(analysis.loop));
    SourceLocation where = analysis.loopPragma->hash;
    if (analysis.loop->getBeginLoc().isMacroID())
        return analysis.diagnostics.report(where, Problem::LoopMacro, {keyword(analysis.loop)});
    if (hasMacroHead(analysis.loop))
        return analysis.diagnostics.report(where, Problem::LoopMacro, {"head"});
    if (block != nullptr && (block->getLBracLoc().isMacroID() || block->getRBracLoc().isMacroID()))
        return analysis.diagnostics.report(where, Problem::LoopMacro, {"body"});
    return true;
}

static bool isInside(Analysis &analysis, SourceLocation location)
{
    unsigned offset = analysis.source.offset(location);
    return offset >= analysis.program.loop.body.begin && offset < analysis.program.loop.body.end;
}

/* return and goto statements that leave the loop: its end is told before them. */
static bool findExits(Analysis &analysis, const Stmt *statement)
{
    const auto *jump = dyn_cast<GotoStmt>(statement);
    bool leaves = isa<ReturnStmt>(statement) ||
                  (jump != nullptr && !isInside(analysis, jump->getLabel()->getLocation()));
    if (leaves && statement->getBeginLoc().isMacroID())
        return analysis.diagnostics.report(statement->getBeginLoc(), Problem::LoopExit, {});
    if (leaves)
        analysis.program.loop.exits.push_back(analysis.source.statement(statement));
    bool good = true;
    for (const Stmt *child : statement->children())
        good = (child == nullptr || findExits(analysis, child)) && good;
    return good;
}

static bool addLoopVariables(Analysis &analysis)
{
    const auto *counted = dyn_cast<ForStmt>(analysis.loop);
    const auto *declaration = counted ? dyn_cast_or_null<DeclStmt>(counted->getInit()) : nullptr;
    if (declaration == nullptr)
        return true;
    for (const VarDecl *variable : declaredBy(declaration)) {
        if (variable->getType().isConstQualified())
            continue;
        if (!isPlainValue(variable->getType()))
            return analysis.diagnostics.report(
                variable->getLocation(), Problem::LoopVariable,
                {variable->getName(), variable->getType().getAsString()});
        if (variable->getStorageClass() == SC_Register)
            return analysis.diagnostics.report(variable->getLocation(), Problem::RegisterVariable,
                                               {variable->getName()});
        analysis.addLive(analysis.program.loop.inside, Place::of(variable));
    }
    return true;
}

bool describeLoop(Analysis &analysis)
{
    if (!checkSpelling(analysis))
        return false;
    const Stmt *statement = analysis.loop;
    Loop &loop = analysis.program.loop;
    analysis.program.hasLoop = true;
    loop.pragma = analysis.loopPragma->line;
    loop.where = analysis.source.offset(statement->getBeginLoc());
    loop.name = analysis.source.position(statement->getBeginLoc());
    loop.end = analysis.source.statement(statement).end;
    if (!analysis.loopPragma->operands.empty())
        loop.interval = analysis.loopPragma->operands.front().text;
    if (!analysis.loopPragma->iterations.empty())
        loop.bound = analysis.loopPragma->iterations.front().text;
    else
        loop.bound = inferBound(analysis);
    loop.policy = analysis.loopPragma->policy;
    loop.computed = analysis.loopPragma->computed;
    loop.hasCondition = conditionBefore(statement) != nullptr;
    if (loop.hasCondition)
        loop.condition = analysis.source.expression(conditionBefore(statement));
    loop.braces = isa<CompoundStmt>(bodyOf(statement));
    loop.body = analysis.source.statement(bodyOf(statement));
    bool good = findExits(analysis, bodyOf(statement)) && describeRestore(analysis);
    return addLoopVariables(analysis) && good;
}

} // namespace xmpi
