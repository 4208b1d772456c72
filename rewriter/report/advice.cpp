/* SPDX-License-Identifier: BSD-3-Clause
 * Texts of advice. */
#include "report/advice.h"
#include "report/row_file_advice.h"
#include "state/sight.h"
#include "flow/other_files.h"

namespace xmpi
{

using namespace clang;

/* Statements of a loop around the adaptive one make of it what there was. */
static bool isChangedAround(const Analysis &analysis, const Place &place)
{
    for (size_t step = 0; step < analysis.path.size(); step++)
        for (const Stmt *statement : analysis.structure.following(analysis.path[step].anchor)) {
            const Effects effects = analysis.finder.withCallees(statement);
            for (const Write &write : effects.writes)
                if (overlap(write.place, place) && !effects.setsAnew(write) &&
                    analysis.runsAgain(step, statement))
                    return true;
        }
    return false;
}

/* It comes from elements that the loop changes. */
static bool isOfChanged(const Analysis &analysis, const Place &place)
{
    auto isChanged = [&](const Mention &mention) {
        return analysis.isData(mention.place.base->getCanonicalDecl()) &&
               llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
                   return write.place.base->getCanonicalDecl() ==
                          mention.place.base->getCanonicalDecl();
               });
    };
    return llvm::any_of(analysis.derived, [&](const Derived &known) {
        const Effects effects = analysis.finder.of(known.statement);
        return overlap(known.value.place, place) && llvm::any_of(effects.mentions, isChanged);
    });
}

bool isCarriedOn(const Analysis &analysis, const Place &place)
{
    return place.base->isStaticLocal() || analysis.inLoop.changes(place) ||
           isChangedAround(analysis, place) || isOfChanged(analysis, place);
}

std::string declaredFirst(const Analysis &analysis, const VarDecl *variable)
{
    const Step &step = analysis.loopStep();
    if (analysis.structure.visible(variable, step.function, step.anchor))
        return "";
    const std::string name = variable->getNameAsString();
    const bool own = variable->isLocalVarDecl() && !variable->isStaticLocal() &&
                     variable->getDeclContext() == step.function;
    return own ? " before the loop, where '" + name + "' is to be declared first"
               : " before the loop, with '" + name +
                     "' declared at file scope, before the function of the loop";
}

/* Neither initial nor setup would be right. */
static std::string apartAdvice(const std::string &name)
{
    return "let '" + name +
           "' follow from what all ranks have in common where iterations go on from it; what each "
           "row has for itself belongs into an array with a row for each of the domain, from "
           "malloc(count * sizeof ...), which is moved";
}

std::string followerAdvice(const Analysis &analysis, const Place &place)
{
    if (const std::string file = rowFileAdvice(analysis, place.base); !file.empty())
        return file;
    return isCarriedOn(analysis, place) ? apartAdvice(place.text())
                                        : "mark the statement that assigns it '#pragma xmpi setup'";
}

std::string carriedAdvice(const Place &place, bool follows)
{
    return follows ? apartAdvice(place.text())
                   : "use another variable in that statement; or mark it '#pragma xmpi initial', "
                     "if it gives '" +
                         place.text() + "' its first value only";
}

std::string pointerAdvice(const Place &place)
{
    const std::string text = place.text();
    const size_t member = text.find_last_of(".>");
    const std::string name = member == std::string::npos ? text : text.substr(member + 1);
    if (place.type->isPointerType() && place.type->getPointeeType()->isCharType())
        return "keep the text and not the pointer, as arrays travel: declare char " + name +
               "[4096], and in the place of '" + text + " = …' write snprintf(" + text +
               ", sizeof " + text +
               ", \"%s\", …); where it is no text, register it with '#pragma "
               "xmpi data'";
    return "register it with '#pragma xmpi data', or make it in a statement marked '#pragma xmpi "
           "setup'; where it is not used in the loop, allocate it again after the loop, before it "
           "is used there";
}

std::string communicationAdvice(bool made, bool divides)
{
    if (divides && !made)
        return "let the calls that ask for rank or size, or start MPI, stand on their own before "
               "it: then they skip it, and get what it sets";
    return made
               ? "take MPI_COMM_WORLD in the place of the duplicate, without MPI_Comm_dup and "
                 "MPI_Comm_free; or call MPI_Comm_dup where the loop is, in a statement of its own "
                 "before this one that sets what holds the communicator"
               : "mark it '#pragma xmpi initial', if its results travel to them, or '#pragma xmpi "
                 "setup', if all run it again after a reconfiguration; calls that ask for rank or "
                 "size stand on their own";
}

bool isBetweenPairs(llvm::StringRef call)
{
    return call.find("lltoall") != llvm::StringRef::npos;
}

std::string tableAdvice(const std::string &table, bool pairs, bool marked)
{
    const std::string state = "name the state of the loop, state(...), so that the program starts "
                              "over and makes it anew (docs/startover.md)";
    if (pairs)
        return state;
    return "fill it, in the function of the loop, from this process's count or first row: "
           "MPI_Allgather(&count, 1, MPI_INT, " +
           table + ", 1, MPI_INT, MPI_COMM_WORLD); " +
           (marked ? "or " + state
                   : "where it has nothing to do with how rows are divided, write '#pragma xmpi "
                     "setup' before the statement");
}

std::string shapeAdvice(const std::string &name)
{
    return "write '#pragma xmpi data distributed(" + name +
           "[rows][columns])', with ghost rows 'halo(" + name +
           "[rows][columns]: width)', or 'replicated(" + name + "[n])' before the loop";
}

/* Before the loop, of a function of another file: it may be what divides the rows. */
static const CallExpr *callWithRank(const Analysis &analysis)
{
    for (const Item &item : analysis.prologue)
        for (const CallExpr *call : item.effects.calls)
            if (isUnseen(analysis, call) &&
                llvm::any_of(call->arguments(), [&](const Expr *argument) {
                    const std::optional<Place> place = placeOf(argument->IgnoreParenCasts());
                    const RangeVariable *range = place ? analysis.rangeAt(*place) : nullptr;
                    return range != nullptr && range->kind == RangeKind::Rank;
                }))
                return call;
    return nullptr;
}

bool hasRange(const Analysis &analysis)
{
    return analysis.program.hiddenRange || !analysis.renewed.empty() ||
           llvm::any_of(analysis.ranges, [](const RangeVariable &range) {
               return range.kind != RangeKind::Rank && range.kind != RangeKind::Size;
           });
}

/* Elements of the array NAME are put one behind another, as many as there happen to be: as of
 * particles that are in the part of a process. */
static bool isFilledUpSomewhere(const Analysis &analysis, const std::string &name)
{
    return llvm::any_of(analysis.structure.functions, [&](const FunctionDecl *function) {
        return isFilledUp(name, function->getBody());
    });
}

void reportShape(Analysis &analysis, SourceLocation where, const std::string &name, bool changed)
{
    const bool ranged = hasRange(analysis);
    analysis.diagnostics.report(
        where, Problem::ArrayShape,
        {name,
         ranged ? shapeAdvice(name)
         : isFilledUpSomewhere(analysis, name)
             ? "where each process has what happens to be in its part, as particles that go from "
               "one to another, there are no rows, and the loop stays movable ('#pragma xmpi loop "
               "movable' says that this is meant)"
             : "write '#pragma xmpi domain(rows) range(count, first)' before the statement "
               "that computes count and first, variables that are declared before it, "
               "with the number of own rows and the first of them",
         changed ? "changes" : "reads"});
    const CallExpr *call = ranged ? nullptr : callWithRank(analysis);
    if (call != nullptr)
        analysis.diagnostics.note(call->getBeginLoc(),
                                  "'" + calleeName(call).str() +
                                      "', of another file, is given the rank here, and may compute "
                                      "them");
}

} // namespace xmpi
