/* SPDX-License-Identifier: BSD-3-Clause
 * A loop that is not divisible becomes movable. */
#include "instead.h"
#include "check/alike.h"
#include "pragmas/movable.h"
#include <algorithm>

namespace xmpi
{
namespace
{

/* (Of several loops none starts over where one does not.) */
std::string movableMeant(const FoundState &state, const FoundStates &states)
{
    const std::string perhaps =
        state.clause.empty() || states.size() > 1
            ? ""
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

/* All loops of PRAGMAS have a state of which nothing is doubtful. */
bool areResizable(const Pragmas &pragmas, const FoundStates &states)
{
    return std::all_of(pragmas.list.begin(), pragmas.list.end(), [&](const auto &pragma) {
        const auto state = states.find(pragma.get());
        return pragma->directive != Directive::Loop ||
               (state != states.end() && !state->second.clause.empty() &&
                state->second.doubt.empty());
    });
}

/* Their offsets. */
std::vector<unsigned> loopsOf(const clang::ASTContext &context, const Pragmas &pragmas)
{
    std::vector<unsigned> loops;
    const clang::SourceManager &manager = context.getSourceManager();
    for (const auto &pragma : pragmas.list)
        if (pragma->directive == Directive::Loop && pragma->target != nullptr)
            loops.push_back(
                manager.getFileOffset(manager.getExpansionLoc(pragma->target->getBeginLoc())));
    return loops;
}

bool hasClauses(const Pragma &loop)
{
    return !loop.operands.empty() || !loop.weights.empty() || !loop.iterations.empty() ||
           !loop.policy.empty() || loop.restore;
}

} // namespace

bool moveInstead(clang::ASTContext &context, const StructMembers &members, const Pragmas &pragmas,
                 const FoundStates &states, llvm::StringRef name, bool readable,
                 Diagnostics &diagnostics, std::string &text)
{
    std::map<unsigned, std::string> loops;
    std::set<unsigned> others;
    std::vector<std::pair<clang::SourceLocation, std::string>> notes;
    bool unused = false;
    bool resizable = areResizable(pragmas, states);
    const Entries entries = resizable ? entriesOf(context, loopsOf(context, pragmas)) : Entries();
    resizable = resizable && !entries.unmarked;
    for (const auto &pragma : pragmas.list) {
        const bool loop = pragma->directive == Directive::Loop;
        unused = unused || !loop || hasClauses(*pragma);
        if (!loop) {
            others.insert(pragma->line.begin);
            continue;
        }
        const auto found = states.find(pragma.get());
        const FoundState state = found != states.end() ? found->second : FoundState();
        loops[pragma->line.begin] = resizable ? state.clause : "";
        notes.emplace_back(pragma->hash,
                           resizable ? stateMeant(state.clause) : movableMeant(state, states));
    }
    if (unused && !notes.empty())
        notes.back().second += "; other pragmas and clauses of the file are not used then";
    const clang::SourceManager &manager = context.getSourceManager();
    MovableFile file = insertPoints(manager.getBufferData(manager.getMainFileID()), name, readable,
                                    loops, others, resizable ? entries : Entries());
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
