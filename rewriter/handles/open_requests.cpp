/* SPDX-License-Identifier: BSD-3-Clause
 * Follows the calls of a stretch of the program, in their order. */
#include "handles/open_requests.h"
#include "compat.h"
#include "library/library.h"

namespace xmpi
{

using namespace clang;

static bool opens(llvm::StringRef name)
{
    return startsWith(name, "MPI_Start") ||
           (startsWith(name, "MPI_I") && !startsWith(name, "MPI_In") &&
            !startsWith(name, "MPI_Is_") && name != "MPI_Iprobe" && name != "MPI_Improbe");
}

OpenRequests::Last OpenRequests::of(const CallExpr *call) const
{
    Last last;
    const llvm::StringRef name = calleeName(call);
    if (startsWith(name, "MPI_Wait") || startsWith(name, "MPI_Test"))
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

OpenRequests::Last OpenRequests::of(const Stmt *statement) const
{
    Last last;
    for (const CallExpr *call : analysis.finder.of(statement).calls)
        last.goOn(of(call));
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

const CallExpr *OpenRequests::afterIteration() const
{
    return of(analysis.loop).open;
}

const CallExpr *OpenRequests::atEntry() const
{
    Last first;
    for (const Item &item : analysis.prologue)
        first.goOn(of(item.statement));
    for (size_t step = 0; first.open == nullptr && step < analysis.path.size(); step++)
        first.open = around(analysis.path[step]).open;
    return first.open;
}

} // namespace xmpi
