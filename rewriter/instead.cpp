/* SPDX-License-Identifier: BSD-3-Clause
 * A loop that is not divisible becomes movable. */
#include "instead.h"
#include "check/alike.h"
#include "loop/process_grid.h"
#include "compat.h"
#include "pragmas/movable.h"

namespace xmpi
{
namespace
{

using Notes = std::vector<std::pair<clang::SourceLocation, std::string>>;

/* What a movable loop does, and how it could start over with STATE: what doubts that is told, as
 * far as it is not what HELD begins with, which the remark says. */
std::string movableMeant(const FoundState &state, const Diagnostics &held)
{
    const std::string does = "so its processes move as they are, and their number stays";
    if (state.clause.empty())
        return does + " ('#pragma xmpi loop movable' says that this is meant)";
    return does + "; '#pragma xmpi loop state(" + state.clause +
           ")' lets it change where that is not so" +
           (state.doubt == held.whyLayoutMatters() ? "" : ": " + state.doubt) +
           " (xmpirun --check shows whether it is)";
}

/* Why no clause lets the number of processes change; empty: there may be one. */
std::string whyNoClause(const FoundState &state, const Diagnostics &held)
{
    /* What is open where an iteration begins is of these processes: all of them stay for it. */
    if (!held.reason(Problem::RequestAcross).empty() || !held.reason(Problem::Window).empty())
        return "its processes stay as long as it is open where an iteration begins, and no "
               "state(...) can keep it";
    if (!held.reason(Problem::Decomposition).empty())
        return partsOfGrid;
    if (!held.reason(Problem::MergedPointers).empty())
        return "so its processes move as they are, and their number stays: each pointer that "
               "state(...) names gets rows of its own";
    if (!state.numbered.empty())
        return "so its processes move as they are, and their number stays: state(...) names rows "
               "that are one block in the order of ranks, and '" +
               state.numbered + "' numbers those of a process otherwise";
    return "";
}

std::string stateMeant(const std::string &state)
{
    return "so with another number of processes the program starts over and gets its state: "
           "'#pragma xmpi loop state(" +
           state + ")' says the same";
}

/* TEXT has a line for each note. */
void addNotes(const std::string &text, clang::SourceLocation where, Notes &notes)
{
    for (llvm::StringRef rest = text; !rest.empty();) {
        const auto [line, others] = rest.split('\n');
        notes.emplace_back(where, line.str());
        rest = others;
    }
}

/* All loops of PRAGMAS have a state of which nothing is doubtful. */
bool areResizable(const Pragmas &pragmas, const FoundStates &states)
{
    return llvm::all_of(pragmas.list, [&](const auto &pragma) {
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

/* What is not said by its state either, where it is RESIZABLE. */
bool hasClauses(const Pragma &loop, bool resizable)
{
    const bool told = !loop.operands.empty() || !loop.iterations.empty() || !loop.policy.empty();
    return (told && !resizable) || !loop.weights.empty() || loop.restore;
}

/* The loops of a file, and the lines of its other pragmas. */
struct Loops {
    std::vector<const Pragma *> all;
    std::map<unsigned, KnownLoop> known; /* by their lines */
    std::set<unsigned> others;
};

/* Whether there is more than loops, which then is not used. */
bool collectLoops(const Pragmas &pragmas, const FoundStates &states, bool resizable, Loops &loops)
{
    bool unused = false;
    for (const auto &pragma : pragmas.list) {
        const bool loop = pragma->directive == Directive::Loop;
        unused = unused || !loop || hasClauses(*pragma, resizable);
        if (!loop) {
            loops.others.insert(pragma->line.begin);
            continue;
        }
        loops.all.push_back(pragma.get());
        const auto found = states.find(pragma.get());
        loops.known[pragma->line.begin] =
            resizable ? KnownLoop{found->second.clause, found->second.bound,
                                  pragma->operands.empty() ? "" : pragma->operands.front().text,
                                  pragma->policy}
                      : KnownLoop();
    }
    return unused;
}

/* Adds to the clause of STATE what the file with a point, which POINTED makes of a clause, would
 * lack; where it has none, what is to be written is handed back. SHOWN: nothing of it is doubtful.
 */
std::string completed(FoundState &state, bool shown, const ClauseFinder &clauseFor,
                      const std::function<std::string(const std::string &)> &pointed)
{
    if (!state.clause.empty()) {
        const std::optional<std::string> more = clauseFor(pointed(state.clause), nullptr);
        if (more && !more->empty())
            state.clause += ", scratch(" + *more + ")"; /* no later iteration reads it */
        if (more || shown)
            return "";
        state.clause.clear(); /* something else is kept, too */
    }
    return clauseFor(pointed(namesNothing), &state.shapes).value_or("");
}

/* Where NOTES say of a grid of processes that no clause names its parts, that is the one reason:
 * what else is held back would be in the way of rows, which there are none of. */
void tellGrid(const clang::ASTContext &context, const Notes &notes, Diagnostics &diagnostics)
{
    const bool told =
        llvm::any_of(notes, [](const auto &note) { return startsWith(note.second, partsOfGrid); });
    const std::optional<ProcessGrid> grid =
        told && diagnostics.reason(Problem::Decomposition).empty() ? processGridIn(context)
                                                                   : std::nullopt;
    if (!grid)
        return;
    diagnostics.drop();
    diagnostics.report(grid->where, Problem::Decomposition, {grid->dimensions});
}

/* Says on which rung the loops are, why not on the next one, and NOTES. */
void tellRung(const clang::ASTContext &context, const FoundStates &states, bool resizable,
              const Notes &notes, Diagnostics &diagnostics)
{
    tellGrid(context, notes, diagnostics);
    diagnostics.releaseAsRemark(
        resizable ? "resizable, not divisible: " : "movable, not divisible: ", notes);
    for (const auto &[loop, found] : states)
        if (resizable && found.warnings != nullptr)
            found.warnings->release();
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
    Pointing as(readable);
    as.others = loops.others;
    for (const Pragma *loop : loops.all) {
        const auto found = states.find(loop);
        const bool alone = loops.all.size() == 1; /* else none starts over where one does not */
        FoundState state =
            found != states.end() && (alone || resizable) ? found->second : FoundState();
        auto pointed = [&](const std::string &clause) {
            as.known.emplace();
            (*as.known)[loop->line.begin].state = clause;
            return insertPoints(original, name, as).text;
        };
        const std::string none = alone ? whyNoClause(state, diagnostics) : "";
        const std::string toWrite =
            !alone || !none.empty() ? none : completed(state, resizable, clauseFor, pointed);
        const std::string moved = toWrite.empty() ? movableMeant(state, diagnostics) : toWrite;
        addNotes(resizable ? stateMeant(state.clause) : moved, loop->hash, notes);
    }
    if (unused && !notes.empty())
        notes.back().second += "; other pragmas of the file are not used then";
    as.known = loops.known;
    as.entries = resizable ? entries : Entries();
    const MovableFile file = insertPoints(original, name, as);
    if (diagnostics.holdsMisuse() || !file.error.empty() || file.lines.empty() ||
        !checkAlike(context, members, pragmas, diagnostics)) {
        diagnostics.release();
        return false;
    }
    tellRung(context, states, resizable, notes, diagnostics);
    text = file.text;
    return true;
}

} // namespace xmpi
