/* SPDX-License-Identifier: BSD-3-Clause
 * A loop that is not divisible becomes movable. */
#include "instead.h"
#include "check/alike.h"
#include "pragmas/movable.h"

namespace xmpi
{
namespace
{

std::string movableMeant(const FoundState &state)
{
    const std::string perhaps =
        state.clause.empty() ? ""
                             : "; '#pragma xmpi loop state(" + state.clause +
                                   ")' lets it change, too, where this is not so: " + state.doubt +
                                   " (xmpirun --check shows whether it is)";
    return "so the processes of this loop go to other processing elements as they are, and their "
           "number stays" +
           perhaps +
           "; '#pragma xmpi loop movable' says that this is meant, '#pragma xmpi loop divisible' "
           "that it is an error";
}

std::string stateMeant(const std::string &state)
{
    return "so with another number of processes the program starts over and gets its state: "
           "'#pragma xmpi loop state(" +
           state +
           ")' says the same, '#pragma xmpi loop movable' that the number stays, '#pragma xmpi "
           "loop divisible' that it is an error";
}

bool hasClauses(const Pragma &loop)
{
    return !loop.operands.empty() || !loop.weights.empty() || !loop.iterations.empty() ||
           !loop.policy.empty() || loop.restore;
}

} // namespace

bool moveInstead(clang::ASTContext &context, const StructMembers &members, const Pragmas &pragmas,
                 const FoundState &state, llvm::StringRef name, bool readable,
                 Diagnostics &diagnostics, std::string &text)
{
    std::set<unsigned> loops, others;
    std::vector<std::pair<clang::SourceLocation, std::string>> notes;
    bool unused = false;
    const bool resizable = !state.clause.empty() && state.doubt.empty();
    for (const auto &pragma : pragmas.list) {
        const bool loop = pragma->directive == Directive::Loop;
        (loop ? loops : others).insert(pragma->line.begin);
        unused = unused || !loop || hasClauses(*pragma);
        if (loop)
            notes.emplace_back(pragma->hash,
                               resizable ? stateMeant(state.clause) : movableMeant(state));
    }
    if (unused && !notes.empty())
        notes.back().second += "; other pragmas and clauses of the file are not used then";
    const clang::SourceManager &manager = context.getSourceManager();
    MovableFile file = insertPoints(manager.getBufferData(manager.getMainFileID()), name, readable,
                                    loops, others, resizable ? state.clause : "");
    if (diagnostics.holdsMisuse() || !file.error.empty() || file.lines.empty() ||
        !checkAlike(context, members, pragmas, diagnostics)) {
        diagnostics.release();
        return false;
    }
    diagnostics.releaseAsRemark(
        resizable ? "resizable, not divisible: " : "movable, not divisible: ", notes);
    text = file.text;
    return true;
}

} // namespace xmpi
