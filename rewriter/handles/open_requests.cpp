/* SPDX-License-Identifier: BSD-3-Clause
 * Follows the calls of a stretch of the program, in their order. */
#include "handles/open_requests.h"
#include "compat.h"
#include "library/library.h"
#include "source/integer.h"
#include "source/loops.h"

namespace xmpi
{

using namespace clang;

static bool opens(llvm::StringRef name)
{
    return startsWith(name, "MPI_Start") ||
           (startsWith(name, "MPI_I") && !startsWith(name, "MPI_In") &&
            !startsWith(name, "MPI_Is_") && name != "MPI_Iprobe" && name != "MPI_Improbe");
}

/* (One that is freed MPI ends by itself.) */
static bool waits(llvm::StringRef name)
{
    return startsWith(name, "MPI_Wait") || startsWith(name, "MPI_Test") ||
           name == "MPI_Request_free";
}

OpenRequests::Last OpenRequests::of(const CallExpr *call) const
{
    Last last;
    const llvm::StringRef name = calleeName(call);
    if (waits(name))
        last = {true, nullptr};
    else if (opens(name))
        last = {true, call};
    for (const FunctionDecl *callee : analysis.finder.callees(call)) {
        if (known.insert({callee, {}}).second)
            known[callee] = of(callee->getBody());
        last.goOn(known[callee]);
    }
    return last;
}

/* Where CALL puts the request that it opens, as it is written; "" where that may be another place
 * each time. */
std::string OpenRequests::requestOf(const CallExpr *call) const
{
    const llvm::StringRef name = calleeName(call);
    if (!opens(name) || name == "MPI_Startall" || call->getNumArgs() == 0)
        return "";
    const Expr *argument = call->getArg(call->getNumArgs() - 1)->IgnoreParenCasts();
    const auto *address = dyn_cast<UnaryOperator>(argument);
    if (address == nullptr || address->getOpcode() != UO_AddrOf)
        return "";
    const Expr *place = address->getSubExpr()->IgnoreParens();
    const auto *element = dyn_cast<ArraySubscriptExpr>(place);
    const bool same = isa<DeclRefExpr>(place) ||
                      (element != nullptr && constantInteger(element->getIdx(), analysis.context));
    return same ? analysis.source.spelled(place) : "";
}

/* They are in different branches, of which one is run. */
bool OpenRequests::areApart(const CallExpr *one, const CallExpr *other) const
{
    const Stmt *around = one;
    while (around != nullptr && !analysis.structure.encloses(around, other))
        around = analysis.structure.parent(around);
    return around != nullptr && (isa<IfStmt, SwitchStmt, ConditionalOperator>(around) ||
                                 isa_and_nonnull<SwitchStmt>(analysis.structure.parent(around)));
}

/* CALL, in a loop of STATEMENT, puts one request after another in the same place, and nothing there
 * waits for them. */
bool OpenRequests::isLostInLoop(const CallExpr *call, const Stmt *statement) const
{
    const Stmt *loop = requestOf(call).empty() ? statement : call;
    while (loop != nullptr && loop != statement && !isLoop(loop))
        loop = analysis.structure.parent(loop);
    if (loop == nullptr || loop == statement)
        return false;
    const std::vector<const CallExpr *> calls = analysis.finder.of(loop).calls;
    return llvm::none_of(calls, [&](const CallExpr *one) {
        const Last last = of(one);
        return last.any && last.open == nullptr;
    });
}

OpenRequests::Last OpenRequests::of(const Stmt *statement) const
{
    Last last;
    std::map<std::string, const CallExpr *> unwaited; /* by their place */
    for (const CallExpr *call : analysis.finder.of(statement).calls) {
        Last next = of(call);
        const std::string request = requestOf(call);
        const auto before = unwaited.find(request);
        if (next.any && next.open == nullptr)
            unwaited.clear();
        else if (before != unwaited.end() && !areApart(before->second, call))
            next.lost = before->second;
        else if (isLostInLoop(call, statement))
            next.lost = call;
        else if (!request.empty())
            unwaited[request] = call;
        last.goOn(next);
    }
    return last;
}

/* What runs from the anchor of STEP to the anchor again, by the loops around it. */
OpenRequests::Last OpenRequests::around(const Step &step) const
{
    Last last;
    const Stmt *outer = analysis.structure.loopAround(step.anchor);
    const SourceManager &sources = analysis.context.getSourceManager();
    if (outer == nullptr)
        return last;
    last.goOn(of(outer));
    for (const CallExpr *call : analysis.finder.of(outer).calls)
        if (sources.isBeforeInTranslationUnit(call->getEndLoc(), step.anchor->getBeginLoc()))
            last.goOn(of(call));
    return last;
}

OpenRequests::Left OpenRequests::afterIteration() const
{
    return of(analysis.loop).left();
}

OpenRequests::Left OpenRequests::atEntry() const
{
    Last first;
    for (const Item &item : analysis.prologue)
        first.goOn(of(item.statement));
    Left left = first.left();
    for (size_t step = 0; left.call == nullptr && step < analysis.path.size(); step++)
        left = around(analysis.path[step]).left();
    return left;
}

} // namespace xmpi
