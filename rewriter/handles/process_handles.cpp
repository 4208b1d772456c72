/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at values that travel, and at what the loop does with files of MPI. */
#include "report/advice.h"
#include "handles/process_handles.h"
#include "compat.h"
#include "library/library.h"
#include "library/traits.h"
#include "ranks/rank_flow.h"
#include "facts/uses.h"

namespace xmpi
{

using namespace clang;

static bool isAnyNaming(const Analysis &analysis)
{
    for (const FunctionDecl *function : analysis.structure.functions) {
        const std::vector<const CallExpr *> calls = analysis.finder.of(function->getBody()).calls;
        if (llvm::any_of(calls, namesOfProcess))
            return true;
    }
    return false;
}

/* None of HANDLES travels. */
static bool stayHere(Analysis &analysis, const Ranked &handles, Problem problem)
{
    for (const auto &[name, place] : analysis.livePlaces) {
        const VarDecl *variable = place.base->getCanonicalDecl();
        SourceLocation used;
        for (const auto &[holder, where] : handles) {
            bool fits = holder.first == variable &&
                        (holder.second == nullptr || !place.field || holder.second == place.field);
            if (!fits || analysis.rootOnly.count(variable) != 0)
                continue;
            std::string use = analysis.laterUse(place, used);
            analysis.diagnostics.report(where, problem,
                                        {place.text(),
                                         problem == Problem::LocalState
                                             ? declaredFirst(analysis, place.base)
                                             : place.type.getAsString(),
                                         use.empty() ? "in the loop" : use});
            analysis.diagnostics.note(where, "it names something of this process only");
            return false;
        }
    }
    return true;
}

/* What an open file is called here is another file there, or none. */
static bool checkTravelling(Analysis &analysis)
{
    const HandleFlow flow = isAnyNaming(analysis) ? followHandles(analysis) : HandleFlow();
    return stayHere(analysis, flow.atEntry, Problem::InitialValue) &&
           stayHere(analysis, flow.carried, Problem::LocalState);
}

/* The function moves on where the file is read or written next. */
static bool movesPosition(llvm::StringRef name)
{
    return startsWith(name, "MPI_File_") && !has(name, Trait::AtTold) &&
           (name.contains("read") || name.contains("write") || name.contains("seek"));
}

static bool isOpenedInLoop(const Analysis &analysis, const VarDecl *file)
{
    return llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
        return write.call != nullptr && calleeName(write.call) == "MPI_File_open" &&
               write.place.base->getCanonicalDecl() == file;
    });
}

/* A file that is opened again after a reconfiguration begins at its begin. */
static bool checkFiles(Analysis &analysis)
{
    std::optional<LoopUses> uses;
    for (const CallExpr *call : analysis.inLoop.calls) {
        if (!movesPosition(calleeName(call)) || call->getNumArgs() == 0)
            continue;
        std::optional<Place> place = placeOf(call->getArg(0));
        if (!uses)
            uses.emplace(analysis);
        bool here = false;
        if (place)
            for (const VarDecl *file : uses->meaning(place->base))
                here = here || isOpenedInLoop(analysis, file);
        if (here)
            continue;
        analysis.diagnostics.report(
            call->getExprLoc(), Problem::FilePointer,
            {analysis.source.spelled(call->getArg(0)),
             "open the file inside the iteration, or write after the loop"});
        analysis.diagnostics.note(call->getExprLoc(),
                                  "or say where to read or write, with MPI_File_write_at and its "
                                  "like: the position is lost when the file is opened again");
        return false;
    }
    return true;
}

bool checkProcessHandles(Analysis &analysis)
{
    return checkTravelling(analysis) && checkFiles(analysis);
}

} // namespace xmpi
