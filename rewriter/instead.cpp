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

/* How a loop with STATE could start over; TO_WRITE: where its state is not found. (Of several loops
 * none starts over where one does not.) */
std::string perhaps(const FoundState &state, const FoundStates &states, const std::string &toWrite)
{
    if (!state.clause.empty() && states.size() == 1)
        return "; '#pragma xmpi loop state(" + state.clause +
               ")' lets it change, too, where this is not so: " + state.doubt +
               " (xmpirun --check shows whether it is)";
    if (toWrite.empty())
        return "";
    return "; it starts over with more or fewer processes where its state is named "
           "(docs/startover.md), which is what iterations change and read again: " +
           toWrite;
}

std::string movableMeant(const std::string &more)
{
    return "so the processes of this loop go to other processing elements as they are, and their "
           "number stays" +
           more +
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

/* A clause for a look at the loop alone. */
const char namesNothing[] = "scratch((0))";

bool hasClauses(const Pragma &loop)
{
    return !loop.operands.empty() || !loop.weights.empty() || !loop.iterations.empty() ||
           !loop.policy.empty() || loop.restore;
}

using Notes = std::vector<std::pair<clang::SourceLocation, std::string>>;

/* The loops of a file, and the lines of its other pragmas. */
struct Loops {
    std::vector<const Pragma *> all;
    std::map<unsigned, std::string> clauses; /* by their lines; "": none */
    std::set<unsigned> others;
};

/* Whether there is more than loops, which then is not used. */
bool collectLoops(const Pragmas &pragmas, const FoundStates &states, bool resizable, Loops &loops)
{
    bool unused = false;
    for (const auto &pragma : pragmas.list) {
        const bool loop = pragma->directive == Directive::Loop;
        unused = unused || !loop || hasClauses(*pragma);
        if (!loop) {
            loops.others.insert(pragma->line.begin);
            continue;
        }
        loops.all.push_back(pragma.get());
        const auto found = states.find(pragma.get());
        loops.clauses[pragma->line.begin] = resizable ? found->second.clause : "";
    }
    return unused;
}

} // namespace

bool moveInstead(clang::ASTContext &context, const StructMembers &members, const Pragmas &pragmas,
                 const FoundStates &states, llvm::StringRef name, bool readable,
                 const ClauseFinder &clauseFor, Diagnostics &diagnostics, std::string &text)
{
    Loops loops;
    bool resizable = areResizable(pragmas, states);
    const Entries entries = resizable ? entriesOf(context, loopsOf(context, pragmas)) : Entries();
    resizable = resizable && !entries.unmarked;
    const bool unused = collectLoops(pragmas, states, resizable, loops);
    const clang::SourceManager &manager = context.getSourceManager();
    const llvm::StringRef original = manager.getBufferData(manager.getMainFileID());
    Notes notes;
    for (const Pragma *loop : loops.all) {
        const auto found = states.find(loop);
        FoundState state = found != states.end() ? found->second : FoundState();
        const bool named = !state.clause.empty();
        const std::map<unsigned, std::string> alone = {
            {loop->line.begin, named ? state.clause : namesNothing}};
        auto withPoint = [&] {
            return insertPoints(original, name, readable, alone, loops.others, Entries()).text;
        };
        const std::string more = resizable || loops.all.size() > 1
                                     ? ""
                                     : clauseFor(withPoint(), named ? nullptr : &state.shapes);
        const std::string toWrite = named ? "" : more;
        if (named && !more.empty())
            state.clause += ", scratch(" + more + ")"; /* no later iteration reads it */
        notes.emplace_back(loop->hash, resizable ? stateMeant(state.clause)
                                                 : movableMeant(perhaps(state, states, toWrite)));
    }
    if (unused && !notes.empty())
        notes.back().second += "; other pragmas and clauses of the file are not used then";
    const MovableFile file = insertPoints(original, name, readable, loops.clauses, loops.others,
                                          resizable ? entries : Entries());
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
