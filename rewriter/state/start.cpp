/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at the calls before the loop, and at what follows from those that come to something else
 * each time. */
#include "state/start.h"
#include "handles/streams.h"
#include "ranks/rank_flow.h"
#include "library/library.h"
#include "loop/unsteady.h"
#include "cells/passing.h"
#include "source/loops.h"
#include "source/within.h"
#include <fcntl.h>
#include <optional>

namespace xmpi
{

using namespace clang;

namespace
{

class Start
{
  public:
    explicit Start(Analysis &analysis) : analysis(analysis)
    {
        for (const Item &item : analysis.prologue)
            beside.push_back({item.statement, item.effects});
        for (const Stmt *statement : statementsApart(analysis))
            beside.push_back({statement, analysis.finder.withCallees(statement)});
    }

    std::string whyDifferent()
    {
        for (const Item &item : analysis.prologue)
            for (const CallExpr *call : item.effects.calls)
                if (!comesToTheSame(call) &&
                    !(asks(call) && isOfNoAccount({item.statement, item.effects})))
                    return "the program's start may come to something else when it is made again, "
                           "as it calls '" +
                           calleeName(call).str() + "' at " +
                           analysis.source.position(call->getExprLoc());
        return "";
    }

  private:
    /* A statement before the loop, or around it. */
    struct Part {
        const Stmt *statement;
        Effects effects; /* with those of the functions that it calls */
    };

    Analysis &analysis;
    std::vector<Part> beside;
    std::optional<bool> alike;

    /* -- calls */

    bool comesToTheSame(const CallExpr *call)
    {
        if (deedOf(call) == Deed::Unknown) /* of the file: what it calls is looked at */
            return call->getDirectCallee() != nullptr &&
                   call->getDirectCallee()->getDefinition() != nullptr;
        switch (anewOf(call)) {
        case Anew::Same:
            return onlyReads(call) && !isFromInput(call);
        case Anew::Drawn:
            return isDrawnAlike();
        default:
            return false;
        }
    }

    /* A file that is opened otherwise than as a stream is not written to by the start (one that is
     * has its writing held back). */
    bool onlyReads(const CallExpr *call) const
    {
        enum { ReadOnlyOfMpi = 2, AccessOfMpi = 2 | 4 | 8 };
        const llvm::StringRef name = calleeName(call);
        if (name == "open" || name == "open64")
            return isMode(call, 1, O_ACCMODE, O_RDONLY);
        return name.drop_while([](char c) { return c == 'P'; }) != "MPI_File_open" ||
               isMode(call, 2, AccessOfMpi, ReadOnlyOfMpi);
    }

    /* Of the bits of MASK, argument I has these. */
    bool isMode(const CallExpr *call, unsigned i, int64_t mask, int64_t wanted) const
    {
        Expr::EvalResult mode;
        return i < call->getNumArgs() && !call->getArg(i)->isValueDependent() &&
               call->getArg(i)->EvaluateAsInt(mode, analysis.context) &&
               (mode.Val.getInt().getExtValue() & mask) == wanted;
    }

    /* Standard input is not read a second time. */
    static bool isFromInput(const CallExpr *call)
    {
        return llvm::any_of(call->arguments(), [](const Expr *argument) {
            const auto *name = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts());
            return isStream(argument->getType()) && name != nullptr &&
                   name->getDecl()->getName() == "stdin";
        });
    }

    bool isDrawnAlike()
    {
        if (!alike)
            alike = followRanks(analysis, analysis.distributed()).drawnApart == nullptr;
        return *alike;
    }

    /* -- who asks a clock, or where it is */

    static bool asks(const CallExpr *call)
    {
        const Deed deed = deedOf(call);
        return deed == Deed::Clock || deed == Deed::Place;
    }

    /* Nobody goes by what ITEM sets, nor by what others set after it, but who prints and what
     * follows the loop. */
    bool isOfNoAccount(const Part &first) const
    {
        std::vector<Part> all = {first};
        for (size_t i = 0; i < all.size(); i++) {
            const Part next = all[i];
            if (isNamed(next, analysis.inLoop) || decidesAround(next))
                return false;
            for (const Part &other : beside)
                if (isNamed(next, other.effects) && llvm::none_of(all, [&](const Part &known) {
                        return known.statement == other.statement;
                    }))
                    all.push_back(other);
        }
        return llvm::all_of(all, [&](const Part &part) { return isHarmless(part, all); });
    }

    /* What decides whether or how often the loop is come to names what PART sets. */
    bool decidesAround(const Part &part) const
    {
        for (const Step &step : analysis.path)
            for (const Stmt *around : analysis.structure.around(step.anchor)) {
                const Expr *condition = conditionIn(around);
                if (condition != nullptr && isNamed(part, analysis.finder.withCallees(condition)))
                    return true;
            }
        return false;
    }

    /* It sets variables, prints, and goes on. */
    bool isHarmless(const Part &part, const std::vector<Part> &all) const
    {
        return !anyWithin(part.statement, [](const Stmt *part) {
            return isa<ReturnStmt, GotoStmt>(part);
        }) && llvm::all_of(part.effects.writes, [](const Write &write) {
            return isNumberOrText(write.place);
        }) && llvm::all_of(part.effects.calls, [&](const CallExpr *call) {
            return isHarmless(call, all);
        });
    }

    /* What stands in a file that is printed to; not the variable with it. */
    static bool isOfStream(const Place &place)
    {
        return isStream(place.base->getType()) && place.behind;
    }

    /* All of it is known by the name of its variable; or it is a stream. */
    static bool isNumberOrText(const Place &place)
    {
        const QualType type = place.base->getType();
        return isOfStream(place) || (!place.behind && !(place.element && type->isPointerType()));
    }

    bool isHarmless(const CallExpr *call, const std::vector<Part> &all) const
    {
        switch (deedOf(call)) {
        case Deed::Computes:
        case Deed::Prints:
        case Deed::Clock:
        case Deed::Place:
            return true;
        case Deed::Stream:
            return !isReading(call);
        case Deed::Communicates: /* with none of that */
            return !isNamedBy(call, all);
        case Deed::File:
            return anewOf(call) == Anew::Same && !isNamedBy(call, all);
        case Deed::Unknown:
            return call->getDirectCallee() != nullptr &&
                   call->getDirectCallee()->getDefinition() != nullptr;
        default:
            return false;
        }
    }

    bool isNamedBy(const CallExpr *call, const std::vector<Part> &all) const
    {
        const Effects effects = analysis.finder.of(call);
        return llvm::any_of(all, [&](const Part &part) { return isNamed(part, effects); });
    }

    static bool isReading(const CallExpr *call)
    {
        const llvm::StringRef name = calleeName(call);
        return !(name.contains("print") || name.contains("put") || name.contains("write") ||
                 name == "fflush" || name == "fclose");
    }

    /* EFFECTS are of somebody who names what PART sets. */
    static bool isNamed(const Part &part, const Effects &effects)
    {
        return llvm::any_of(effects.mentions, [&](const Mention &one) {
            return llvm::any_of(part.effects.writes, [&](const Write &write) {
                return !isOfStream(write.place) && overlap(write.place, one.place);
            });
        });
    }
};

} // namespace

std::string whyStartDiffers(Analysis &analysis)
{
    return Start(analysis).whyDifferent();
}

} // namespace xmpi
