/* SPDX-License-Identifier: BSD-3-Clause
 * Refuses statements of the prologue that a joining process cannot run, or whose results would be
 * wrong after a reconfiguration. */
#include "compat.h"
#include "library/communicators.h"
#include "library/exits.h"
#include "flow/other_files.h"
#include "check/safety.h"
#include "check/travelling.h"
#include "facts/uses.h"
#include "report/advice.h"
#include "report/marks.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

/* Follows values that depend on the rank through the prologue, statement by statement. */
class Flow
{
  public:
    explicit Flow(Analysis &analysis)
        : analysis(analysis), ranks(followRanks(analysis, analysis.distributed()))
    {
    }

    bool check()
    {
        bool good = true;
        size_t step = 0;
        for (const Item &item : analysis.prologue) {
            while (step < item.step)
                followCall(++step);
            good = checkItem(item) && good;
        }
        while (step + 1 < analysis.path.size())
            followCall(++step);
        return good && reportTainted() && checkTravelling(analysis, ranks);
    }

  private:
    Analysis &analysis;
    const RankFlow ranks;
    std::vector<Tainted> tainted;
    std::vector<Place> setup;                     /* assigned by the setup statements up to here */
    std::vector<std::pair<Place, Class>> skipped; /* pointers that joining processes have not got */

    bool refuse(SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments, const Fix &fix = Fix())
    {
        return analysis.diagnostics.report(where, problem, arguments, fix);
    }

    /* Why PLACE depends on the rank: the name of a variable, or "". */
    std::string causeOf(const Place &place) const
    {
        for (const RangeVariable &range : analysis.ranges)
            if (overlap(range.place, place))
                return range.place.text();
        for (const Tainted &source : analysis.sources)
            if (overlap(source.place, place))
                return source.cause;
        for (const Place &assigned : setup)
            if (overlap(assigned, place))
                return assigned.text();
        for (const Tainted &known : tainted)
            if (overlap(known.place, place) && !known.stale)
                return known.place.text();
        return "";
    }

    std::string causeOf(const Expr *expression) const
    {
        if (expression != nullptr)
            for (const Mention &mention : analysis.finder.withCallees(expression).mentions) {
                std::string cause = causeOf(mention.place);
                if (!cause.empty())
                    return cause;
            }
        return "";
    }

    /* -- one statement of the prologue */

    bool checkItem(const Item &item)
    {
        noteSkipped(item);
        if (item.kind == Class::Setup) {
            for (const Write &write : item.effects.writes)
                if (!duplicatesWorld(analysis, write.call))
                    setup.push_back(write.place);
            return true;
        }
        bool good = true;
        if (item.kind == Class::Keep) {
            good = checkCommunication(item) && checkRanks(item, item.statement, false) &&
                   checkSkipped(item);
        } else if (item.kind == Class::Domain) {
            good = checkCommunication(item);
        }
        if (!good)
            return false; /* one word for one statement */
        forget(item);
        size_t before;
        do {
            before = tainted.size();
            for (const Write &write : item.effects.writes)
                follow(item, write);
        } while (tainted.size() > before);
        followElements(item);
        return good;
    }

    /* What a rank has computed from its own elements is of that rank, until a collective operation
     * has made it the same for all. */
    void followElements(const Item &item)
    {
        for (const Derived &known : analysis.derived)
            if (known.statement == item.statement && known.own)
                tainted.push_back(known.value);
        for (const Write &write : item.effects.writes)
            if (LoopUses::isCollective(write))
                tainted.erase(std::remove_if(tainted.begin(), tainted.end(),
                                             [&](const Tainted &known) {
                                                 return overlap(known.place, write.place);
                                             }),
                              tainted.end());
    }

    /* A variable that the statement sets anew, first and in any case, starts afresh. */
    void forget(const Item &item)
    {
        for (const Write &write : item.effects.writes) {
            const Place &place = write.place;
            if (!item.effects.setsAnew(write) || !causeOf(write.value).empty())
                continue;
            tainted.erase(std::remove_if(
                              tainted.begin(), tainted.end(),
                              [&](const Tainted &known) { return known.place.base == place.base; }),
                          tainted.end());
        }
    }

    bool checkCommunication(const Item &item)
    {
        for (const CallExpr *call : analysis.finder.of(item.statement).calls) {
            const std::string by = communication(analysis, call);
            const bool made = endsWith(by, " calls MPI_Comm_dup");
            const bool divides = item.kind == Class::Domain;
            if (!by.empty())
                return refuse(item.statement->getBeginLoc(), Problem::Communicates,
                              {by, communicationAdvice(made, divides)},
                              made || divides ? Fix()
                                              : markBefore(analysis, item.statement, "initial"));
        }
        return true;
    }

    bool checkRanks(const Item &item, const Stmt *statement, bool leaving)
    {
        if (statement != item.statement && analysis.finder.skipped.count(statement))
            return true;
        if (const auto *choice = dyn_cast<IfStmt>(statement)) {
            bool first = leaving || leavesProgram(choice->getThen());
            bool second = leaving || leavesProgram(choice->getElse());
            bool ranked = !causeOf(choice->getCond()).empty();
            return checkBranch(item, choice, choice->getThen(), ranked && !first, first) &&
                   checkBranch(item, choice, choice->getElse(), ranked && !second, second);
        }
        return llvm::all_of(partsIn(statement),
                            [&](const Stmt *child) { return checkRanks(item, child, leaving); });
    }

    bool checkBranch(const Item &item, const IfStmt *choice, const Stmt *branch, bool ranked,
                     bool leaving)
    {
        if (branch == nullptr)
            return true;
        if (!ranked)
            return checkRanks(item, branch, leaving);
        Effects effects = analysis.finder.withCallees(branch);
        for (const CallExpr *call : analysis.finder.of(branch).calls)
            if (!inputOutput(analysis, call).empty())
                return refuse(choice->getBeginLoc(), Problem::RankCondition,
                              {"reads, writes or prints (" + inputOutput(analysis, call) + ")"},
                              markBefore(analysis, choice, "initial"));
        for (const Write &write : effects.writes) {
            SourceLocation use;
            bool local = llvm::find(effects.declared, write.place.base) != effects.declared.end();
            bool live = !local && !write.place.element && isPlainValue(write.place.type) &&
                        analysis.rangeAt(write.place) == nullptr &&
                        !analysis.isSetup(write.place) &&
                        !analysis.laterUse(write.place, use).empty();
            if (live)
                return refuse(choice->getBeginLoc(), Problem::RankCondition,
                              {"changes '" + write.place.text() + "'"},
                              markBefore(analysis, choice, "initial"));
        }
        return true;
    }

    /* -- pointers that are NULL on joining processes until the loop */

    void noteSkipped(const Item &item)
    {
        const auto &own = item.effects.declared;
        bool marked = item.kind == Class::Initial || item.kind == Class::Setup;
        for (const Write &write : item.effects.writes) {
            const Place &place = write.place;
            bool inside =
                llvm::find(own, place.base) != own.end() && !isa<DeclStmt>(item.statement);
            if (marked && !item.everywhere && !inside && !place.element &&
                place.type->isPointerType() &&
                (item.kind == Class::Setup || analysis.isData(place.base)))
                skipped.emplace_back(place, item.kind);
        }
    }

    bool checkSkipped(const Item &item)
    {
        const std::set<const Stmt *> exits = branchesThatLeave(item.statement);
        for (const Mention &mention : item.effects.mentions) {
            auto found = llvm::find_if(
                skipped, [&](const auto &known) { return overlap(known.first, mention.place); });
            if (found == skipped.end() || isWithinAny(exits, mention.where))
                continue;
            if (!mention.assigned)
                return refuse(
                    mention.where, Problem::SkippedPointer,
                    {found->first.text(), found->second == Class::Setup ? "setup" : "initial"},
                    markBefore(analysis, item.statement,
                               found->second == Class::Setup ? "setup" : "initial"));
            skipped.erase(found);
        }
        return true;
    }

    bool isWithinAny(const std::set<const Stmt *> &statements, SourceLocation where) const
    {
        return llvm::any_of(statements, [&](const Stmt *statement) {
            return isWithin(analysis, statement, where);
        });
    }

    /* -- flow of values */

    bool isRangeOf(const Item &item, const Place &place) const
    {
        if (item.kind != Class::Domain)
            return false;
        for (size_t i = 1; i <= 2; i++) {
            std::optional<Place> range = placeOf(item.pragma->operands[i].expression);
            if (range && range->base == place.base &&
                (range->field == nullptr || range->field == place.field))
                return true;
        }
        return false;
    }

    /* Of a struct that a function of another file fills, the members that it need not be about. */
    void followMembers(const Item &item, const Write &write)
    {
        for (const FieldDecl *field : write.place.type->getAsRecordDecl()->fields()) {
            Write part = write;
            part.place = {write.place.base, field, false, false, field->getType()};
            follow(item, part);
        }
    }

    /* A function of another file that tells the rank or size may compute more from it. */
    const CallExpr *askingCall(const Item &item, const Write &write) const
    {
        const CallExpr *call = write.call;
        if (call == nullptr && write.value != nullptr)
            call = dyn_cast<CallExpr>(write.value->IgnoreParenCasts());
        bool divides = call != nullptr && item.kind == Class::Domain && isUnseen(analysis, call);
        return divides || (call != nullptr && analysis.asking.count(call)) ? call : nullptr;
    }

    /* ITEM communicates, and leaves the same number in PLACE on all ranks. */
    bool isAgreed(const Item &item, const Place &place)
    {
        bool sends = llvm::any_of(item.effects.calls, [&](const CallExpr *call) {
            return !communication(analysis, call).empty();
        });
        if (item.kind != Class::Initial || !sends || !place.type->isArithmeticType() ||
            place.element || place.behind)
            return false;
        return !isRankedAt(ranks.atEntry, place);
    }

    /* The function that a library is given and calls, in which WHERE is, as a cause; or "". */
    std::string givenCause(SourceLocation where) const
    {
        const SourceManager &sources = analysis.context.getSourceManager();
        for (const FunctionDecl *given : analysis.finder.handedOut) {
            const Stmt *body = given->getBody();
            if (body == nullptr ||
                !sources.isPointWithin(where, body->getBeginLoc(), body->getEndLoc()))
                continue;
            const auto names = [&](const Expr *argument) { return namesOf(argument, given) > 0; };
            for (const FunctionDecl *function : analysis.structure.functions)
                for (const CallExpr *call : analysis.finder.of(function->getBody()).calls)
                    if (llvm::any_of(call->arguments(), names))
                        return "'" + given->getNameAsString() + "', which '" +
                               calleeName(call).str() + "' is given";
        }
        return "";
    }

    void follow(const Item &item, const Write &write)
    {
        const Place &place = write.place;
        const CallExpr *asking = askingCall(item, write);
        if ((asking != nullptr || item.kind == Class::Domain) && place.field == nullptr &&
            !place.behind && !place.element && place.type->isRecordType())
            return followMembers(item, write);
        bool known = llvm::any_of(tainted, [&](const Tainted &other) {
            return overlap(other.place, place) && other.place.field == place.field;
        });
        bool whole = place.field == nullptr && !place.behind && !place.element;
        if (whole &&
            (analysis.members.isPointer(place.base) || analysis.members.replaces(place.base)))
            return; /* its members tell */
        bool divided = place.field == nullptr && !place.behind && !place.element &&
                       analysis.divided.count(place.base->getCanonicalDecl()) != 0;
        if (known || divided || analysis.rangeAt(place) != nullptr || isRangeOf(item, place) ||
            isAgreed(item, place))
            return;
        std::string cause = causeOf(write.value);
        if (item.kind != Class::Initial && cause.empty())
            cause = asking != nullptr ? calleeName(asking).str() : indirectCause(write);
        if (item.kind != Class::Initial && cause.empty())
            cause = causeInside(item, write);
        if (!cause.empty())
            return tainted.push_back({place, cause, write.where});
        if (const VarDecl *array = pointsInto(write))
            tainted.push_back({place, array->getNameAsString(), write.where, true});
    }

    /* What a function of the file sets follows the values that it is given. */
    std::string causeInside(const Item &item, const Write &write)
    {
        const Span own = analysis.source.statement(item.statement);
        const unsigned offset = analysis.source.offset(write.where);
        bool here = analysis.source.inMain(write.where) && offset >= own.begin && offset < own.end;
        if (here || write.place.element || write.place.behind || !isPlainValue(write.place.type))
            return "";
        const Form *form = ranks.layoutAt(write.place);
        if (!isRankedAt(ranks.atEntry, write.place) && form == nullptr)
            return "";
        for (const Mention &mention : analysis.finder.of(item.statement).mentions)
            if (std::string cause = causeOf(mention.place); !cause.empty())
                return cause;
        return form != nullptr && !form->cause.empty() ? form->cause : "MPI_Comm_rank";
    }

    /* Through the other arguments of a call, or the condition that decides about the write. */
    std::string indirectCause(const Write &write) const
    {
        for (const Expr *condition : write.conditions)
            if (std::string cause = causeOf(condition); !cause.empty())
                return cause;
        if (write.call == nullptr || calleeName(write.call) == "MPI_Init" ||
            calleeName(write.call) == "MPI_Init_thread")
            return "";
        if (isMpiCall(write.call))
            for (const Tainted &source : analysis.sources)
                if (source.where == write.call->getExprLoc())
                    return source.cause;
        for (const Expr *argument : write.call->arguments()) {
            std::optional<Place> own = placeGiven(argument);
            if (own && overlap(*own, write.place))
                continue;
            if (std::string cause = causeOf(argument); !cause.empty())
                return cause;
        }
        return "";
    }

    const VarDecl *pointsInto(const Write &write) const
    {
        if (write.value == nullptr || !write.place.type->isPointerType() ||
            !write.value->getType()->isPointerType() || analysis.isData(write.place.base))
            return nullptr;
        std::optional<Place> target = placeGiven(write.value);
        return target && analysis.isData(target->base) ? target->base : nullptr;
    }

    /* Arguments of the call on the path that depend on the rank, other than plain variables. */
    void followCall(size_t step)
    {
        const CallExpr *call = analysis.path[step - 1].call;
        const FunctionDecl *function = analysis.path[step].function;
        for (const auto &[parameter, argument] : passedBy(call, function)) {
            Place place = Place::of(parameter);
            bool ranged = llvm::any_of(analysis.ranges, [&](const RangeVariable &range) {
                return overlap(range.place, place);
            });
            std::string cause = causeOf(argument);
            if (!cause.empty() && !ranged)
                tainted.push_back({place, cause, argument->getExprLoc()});
        }
    }

    /* -- the verdict */

    /* Setup is run again in the loop: what it reads must be right then too. */
    std::string useInSetup(const Place &place, SourceLocation &where) const
    {
        for (const Item &item : analysis.prologue) {
            if (item.kind != Class::Setup)
                continue;
            for (const Mention &mention : item.effects.mentions)
                if (overlap(mention.place, place) && !mention.assigned) {
                    where = mention.where;
                    return "in setup";
                }
        }
        return "";
    }

    /* (A name, in quotes where the message has none.) */
    std::string toldCause(const Tainted &value) const
    {
        const std::string given = value.stale ? "" : givenCause(value.where);
        return value.stale ? value.cause : given.empty() ? "'" + value.cause + "'" : given;
    }

    bool reportTainted()
    {
        bool good = true;
        for (const Tainted &value : tainted) {
            bool safe = analysis.isData(value.place.base) || analysis.isSetup(value.place) ||
                        analysis.rootOnly.count(value.place.base->getCanonicalDecl()) != 0 ||
                        analysis.rangeAt(value.place) != nullptr;
            SourceLocation where;
            std::string use = safe ? "" : analysis.laterUse(value.place, where);
            if (use.empty() && !safe)
                use = useInSetup(value.place, where);
            if (use.empty())
                continue;
            good = refuse(
                value.where, value.stale ? Problem::StalePointer : Problem::RankDependent,
                {value.place.element ? value.place.base->getNameAsString() : value.place.text(),
                 toldCause(value), use, followerAdvice(analysis, value.place)},
                isCarriedOn(analysis, value.place) && !value.stale
                    ? Fix()
                    : markAt(analysis, value.where, value.place, "setup"));
            analysis.diagnostics.note(where, "it is used here");
        }
        return good;
    }
};

} // namespace

bool checkSafety(Analysis &analysis)
{
    bool good = checkSetup(analysis);
    return Flow(analysis).check() && good;
}

} // namespace xmpi
