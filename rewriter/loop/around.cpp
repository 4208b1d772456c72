/* SPDX-License-Identifier: BSD-3-Clause
 * What is around the adaptive loop: loops that enter it again, and calls on the way to it. */
#include "analysis.h"
#include "source/loops.h"

namespace xmpi
{

using namespace clang;

/* The loops and ifs that a joiner must get into: the outermost loop and what is inside it. */
static std::vector<const Stmt *> aroundIn(const Analysis &analysis, const Step &step)
{
    std::vector<const Stmt *> all = analysis.structure.around(step.anchor);
    while (!all.empty() && !isLoop(all.front()))
        all.erase(all.begin());
    return all;
}

static const Expr *conditionAround(const Stmt *statement)
{
    if (const auto *choice = dyn_cast<IfStmt>(statement))
        return choice->getCond();
    return conditionBefore(statement);
}

bool checkAround(Analysis &analysis)
{
    for (const Step &step : analysis.path)
        for (const Stmt *statement : aroundIn(analysis, step)) {
            const Stmt *body = isLoop(statement) ? bodyOf(statement) : nullptr;
            if (!statement->getBeginLoc().isMacroID() &&
                (body == nullptr || !body->getBeginLoc().isMacroID()))
                continue;
            return analysis.diagnostics.report(step.anchor->getBeginLoc(), Problem::LoopMacro,
                                               {"surrounding loop"});
        }
    return true;
}

/* Variables that live longer than an iteration of OUTER are what they are elsewhere from its begin
 * on, so that the statements up to the adaptive loop run as they should. */
static void registerAtBody(Analysis &analysis, size_t index, const Stmt *outer)
{
    const Step &step = analysis.path[index];
    const auto *body = dyn_cast<CompoundStmt>(bodyOf(outer));
    const auto *counted = dyn_cast<ForStmt>(outer);
    const Registrations entry = analysis.entry(index);
    if (body == nullptr || body->body_empty())
        return;
    unsigned offset = analysis.source.offset(body->getLBracLoc()) + 1;
    for (const Live &live : entry.lives) {
        const VarDecl *variable = analysis.liveVariables.at(live.name);
        bool inHead = counted != nullptr && declares(counted->getInit(), variable);
        if ((inHead || analysis.structure.alive(variable, step.function, outer)) &&
            analysis.structure.visible(variable, step.function, body->body_front()))
            analysis.site(Site::Kind::After, offset).lives.push_back(live);
    }
}

void describePath(Analysis &analysis)
{
    if (!analysis.framed)
        return;
    Program &program = analysis.program;
    for (size_t i = 0; i < analysis.path.size(); i++) {
        const Step &step = analysis.path[i];
        std::vector<const Stmt *> around = aroundIn(analysis, step);
        if (!around.empty())
            registerAtBody(analysis, i, around.front());
        for (const Stmt *statement : around) {
            const Expr *condition = conditionAround(statement);
            const auto *choice = dyn_cast<IfStmt>(statement);
            bool otherwise = choice != nullptr && choice->getElse() != nullptr &&
                             analysis.structure.encloses(choice->getElse(), step.anchor);
            if (condition != nullptr)
                program.wraps.push_back({analysis.source.expression(condition), otherwise});
        }
        if (step.call != nullptr)
            program.calls.push_back(
                {analysis.source.statement(step.anchor), static_cast<int>(i), "", ""});
        else
            program.loop.depth = static_cast<int>(i);
    }
}

} // namespace xmpi
