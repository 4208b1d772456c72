/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the adaptive loop and the way to it from main, and refuses what stands elsewhere. */
#include "analysis.h"
#include "source/loops.h"

namespace xmpi
{

using namespace clang;

static const Stmt *withoutAttributes(const Stmt *statement)
{
    while (const auto *attributed = dyn_cast<AttributedStmt>(statement))
        statement = attributed->getSubStmt();
    return statement;
}

static bool findLoop(Analysis &analysis)
{
    for (const auto &pragma : analysis.pragmas.list) {
        if (pragma->directive != Directive::Loop)
            continue;
        analysis.loopPragma = pragma.get();
    }
    const Pragma *pragma = analysis.loopPragma;
    if (pragma == nullptr) {
        const Pragma &first = *analysis.pragmas.list.front();
        return analysis.diagnostics.report(first.hash, Problem::LoopMissing,
                                           {spelling(first.directive)});
    }
    const Stmt *loop = pragma->target ? withoutAttributes(pragma->target) : nullptr;
    if (loop == nullptr || !isLoop(loop))
        return analysis.diagnostics.report(pragma->hash, Problem::LoopKind);
    analysis.loop = loop;
    return true;
}

/* The calls of FUNCTION in this file, each with its caller. */
using Calls = std::vector<std::pair<const FunctionDecl *, const CallExpr *>>;

static Calls callsOf(const Analysis &analysis, const FunctionDecl *function)
{
    Calls found;
    for (const FunctionDecl *caller : analysis.structure.functions)
        for (const CallExpr *call : analysis.finder.of(caller->getBody()).calls)
            if (call->getDirectCallee() != nullptr &&
                call->getDirectCallee()->getCanonicalDecl() == function->getCanonicalDecl() &&
                analysis.source.inMain(caller->getLocation()))
                found.emplace_back(caller, call);
    return found;
}

std::vector<std::vector<const CallExpr *>> waysTo(const Analysis &analysis,
                                                  const FunctionDecl *function)
{
    enum { Most = 8, Deepest = 16 };
    std::vector<std::vector<const CallExpr *>> found;
    std::vector<std::pair<const FunctionDecl *, std::vector<const CallExpr *>>> open = {
        {function, {}}};
    while (!open.empty()) {
        const auto [at, way] = open.back();
        open.pop_back();
        if (at->isMain())
            found.push_back(way);
        if (found.size() > Most || way.size() > Deepest)
            return {};
        const Calls calls = at->isMain() ? Calls() : callsOf(analysis, at);
        for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
            open.emplace_back(call->first, way);
            open.back().second.push_back(call->second);
        }
    }
    return found;
}

/* Of CALLS, all of one function, the one that is said to lead to the loop. */
static void chooseCall(const Analysis &analysis, Calls &calls)
{
    const size_t further = analysis.path.size() - 1;
    if (further >= analysis.calledBy.size())
        return;
    const auto chosen = llvm::find_if(
        calls, [&](const auto &one) { return one.second == analysis.calledBy[further]; });
    if (chosen != calls.end())
        calls = {*chosen};
}

static bool addCaller(Analysis &analysis)
{
    const FunctionDecl *function = analysis.path.front().function;
    std::string name = function->getNameAsString();
    Calls calls = callsOf(analysis, function);
    chooseCall(analysis, calls);
    if (calls.empty() || analysis.path.size() > analysis.structure.functions.size())
        return analysis.diagnostics.report(function->getLocation(), Problem::LoopMain,
                                           {analysis.loopPragma->function->getName()});
    if (calls.size() > 1) {
        analysis.diagnostics.report(calls[1].second->getExprLoc(), Problem::LoopCalls, {name});
        analysis.diagnostics.note(calls[0].second->getExprLoc(), "the first call is here");
        return false;
    }
    const auto &[caller, call] = calls.front();
    const Stmt *anchor = analysis.structure.inBlock(call);
    const Stmt *loop = analysis.structure.enclosingLoop(call);
    if (loop != nullptr && analysis.structure.encloses(anchor, loop))
        return analysis.diagnostics.report(call->getExprLoc(), Problem::LoopCalled, {name});
    analysis.path.insert(analysis.path.begin(), {caller, anchor, call});
    return true;
}

bool findPath(Analysis &analysis)
{
    const Pragmas &all = analysis.pragmas.whole ? *analysis.pragmas.whole : analysis.pragmas;
    for (const auto &pragma : all.list)
        analysis.finder.skipped.insert(pragma->marker);
    if (!findLoop(analysis))
        return false;
    analysis.path.push_back({analysis.loopPragma->function, analysis.loopPragma->target, nullptr});
    while (!analysis.path.front().function->isMain())
        if (!addCaller(analysis))
            return false;
    for (const auto &pragma : analysis.pragmas.list)
        if (pragma->directive == Directive::Initial || pragma->directive == Directive::Setup ||
            pragma->directive == Directive::Domain || pragma->directive == Directive::Enter)
            analysis.finder.skipped.insert(pragma->target);
    analysis.framed = analysis.several || !analysis.calledBy.empty();
    for (const Step &step : analysis.path)
        analysis.framed =
            analysis.framed || analysis.structure.enclosingLoop(step.anchor) != nullptr;
    return true;
}

static const Step *stepOf(const Analysis &analysis, const FunctionDecl *function)
{
    for (const Step &step : analysis.path)
        if (step.function == function)
            return &step;
    return nullptr;
}

static const Pragma *markedAround(const Analysis &analysis, const Stmt *place)
{
    for (const auto &pragma : analysis.pragmas.list)
        if (pragma->directive != Directive::Data && pragma->directive != Directive::Loop &&
            pragma->target != place && analysis.structure.encloses(pragma->target, place))
            return pragma.get();
    return nullptr;
}

static bool checkPlace(Analysis &analysis, const Pragma &pragma)
{
    llvm::StringRef name = spelling(pragma.directive);
    const Step *step = stepOf(analysis, pragma.function);
    if (step == nullptr)
        return analysis.diagnostics.report(pragma.hash, Problem::OutsidePath,
                                           {name, pragma.function->getName()});
    if (const Pragma *outer = markedAround(analysis, pragma.marker))
        return analysis.diagnostics.report(pragma.hash, Problem::Nested,
                                           {name, spelling(outer->directive)});
    const Stmt *around = analysis.structure.enclosingLoop(pragma.marker);
    if (around != nullptr &&
        (around == analysis.loop || !analysis.structure.encloses(around, step->anchor)))
        return analysis.diagnostics.report(pragma.hash, Problem::InsideLoop, {name});
    bool after =
        analysis.source.offset(pragma.hash) > analysis.source.offset(step->anchor->getBeginLoc());
    if (after && &pragma != analysis.loopPragma)
        return analysis.diagnostics.report(pragma.hash, Problem::AfterLoop, {name});
    return true;
}

bool checkPlaces(Analysis &analysis)
{
    bool good = true;
    for (const auto &pragma : analysis.pragmas.list)
        if (pragma->directive != Directive::Enter)
            good = checkPlace(analysis, *pragma) && good;
    for (const Step &step : analysis.path) {
        for (const auto &pragma : analysis.pragmas.list) {
            bool marks = pragma->directive == Directive::Initial ||
                         pragma->directive == Directive::Setup ||
                         pragma->directive == Directive::Domain;
            if (marks && step.call != nullptr &&
                analysis.structure.encloses(pragma->target, step.anchor))
                good = analysis.diagnostics.report(pragma->hash, Problem::StatementKind,
                                                   {spelling(pragma->directive),
                                                    "the statement with the adaptive loop",
                                                    "mark the statements before it one by one"});
        }
    }
    return good;
}

} // namespace xmpi
