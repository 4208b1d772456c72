/* SPDX-License-Identifier: BSD-3-Clause
 * Sorts the statements of the prologue that nobody has marked into keep, initial and setup. */
#include "library/communicators.h"
#include "library/opened.h"
#include "flow/derived.h"
#include "infer/everywhere.h"
#include "infer/followers.h"
#include "infer/infer_copies.h"
#include "library/mpi_outputs.h"
#include "flow/other_files.h"
#include "flow/root_only.h"
#include "check/safety.h"
#include "infer/setup_starts.h"
#include "facts/storage.h"
#include "facts/statement_kind.h"
#include "library/exits.h"
#include "facts/uses.h"
#include "report/advice.h"

namespace xmpi
{

using namespace clang;

namespace
{

class Sorter : Followers
{
  public:
    Sorter(Analysis &analysis, const Inference &inference)
        : Followers(analysis, inference), uses(analysis), values(analysis, uses)
    {
    }

    bool sort()
    {
        findDivided(analysis, inference);
        do
            classify();
        while (addNeeded() || addStarts());
        findEverywhere(analysis);
        addHandedOn(analysis, analysis.shared);
        return llvm::all_of(analysis.prologue, [&](const Item &item) { return checkDomain(item); });
    }

  private:
    void classify()
    {
        ranked.clear();
        skipped.clear();
        analysis.shared.clear();
        values.restart();
        for (index = 0; index < analysis.prologue.size(); index++) {
            Item &item = analysis.prologue[index];
            forget(item);
            if (item.kind == Class::Keep && !containsMarked(item))
                mark(item, classIn(item));
            else if (item.kind == Class::Domain)
                mark(item, classOfDomain(item));
            follow(item);
            values.note(item);
        }
    }

    LoopUses uses;
    DerivedValues values;

    bool containsMarked(const Item &item) const
    {
        return llvm::any_of(analysis.prologue, [&](const Item &other) {
            return other.pragma != nullptr && other.statement != item.statement &&
                   analysis.structure.encloses(item.statement, other.statement);
        });
    }

    void mark(Item &item, Class kind)
    {
        if (kind == Class::Keep)
            return;
        auto pragma = std::make_unique<Pragma>();
        pragma->directive = kind == Class::Setup ? Directive::Setup : Directive::Initial;
        pragma->inferred = true;
        pragma->hash = item.statement->getBeginLoc();
        pragma->line.begin = pragma->line.end = analysis.source.offset(pragma->hash);
        pragma->function = analysis.path[item.step].function;
        pragma->target = item.statement;
        item.kind = kind;
        item.pragma = pragma.get();
        analysis.inferred.push_back(std::move(pragma));
    }

    void follow(const Item &item)
    {
        if (item.kind == Class::Setup && opensSharedFile(item))
            analysis.shared.insert(item.effects.writes.front().place.base->getCanonicalDecl());
        for (const Write &write : item.effects.writes) {
            if (duplicatesWorld(analysis, write.call))
                continue;
            bool pointer = !write.place.element && write.place.type->isPointerType();
            if (pointer && item.kind == Class::Initial)
                skipped.push_back(write.place);
            if (!isRange(analysis, write.place) && !analysis.isData(write.place.base) &&
                item.kind != Class::Initial && (item.kind == Class::Setup || isRanked(write)))
                ranked.push_back({write.place, item.kind == Class::Setup});
        }
    }

    /* -- the class */

    /* The effects of ITEM without those of its error exits. */
    Effects effectsOf(const Item &item, bool &hasExits) const
    {
        EffectsFinder finder = analysis.finder;
        const std::set<const Stmt *> exits = branchesThatLeave(item.statement);
        hasExits = !exits.empty();
        finder.skipped.insert(exits.begin(), exits.end());
        return finder.withCallees(item.statement);
    }

    /* One of the calls of ITEM that are counted in EFFECTS comes to a function that DEED names. */
    bool calls(const Item &item, const Effects &effects,
               std::string (*deed)(const Analysis &, const CallExpr *)) const
    {
        const std::vector<const CallExpr *> direct = analysis.finder.of(item.statement).calls;
        return llvm::any_of(direct, [&](const CallExpr *call) {
            return llvm::is_contained(effects.calls, call) && !deed(analysis, call).empty();
        });
    }

    /* What a function asks for and keeps to itself does not count. */
    bool startsMpi(const Item &item) const
    {
        if (mayStartMpi(analysis, item))
            return true;
        const std::vector<const CallExpr *> direct = analysis.finder.of(item.statement).calls;
        return llvm::any_of(item.effects.calls, [&](const CallExpr *call) {
            if (isName(call, "MPI_Init", "MPI_Init_thread"))
                return true;
            if (!isName(call, "MPI_Comm_rank", "MPI_Comm_size") || call->getNumArgs() != 2)
                return false;
            const auto *address = dyn_cast<UnaryOperator>(call->getArg(1)->IgnoreParenCasts());
            std::optional<Place> place = address ? placeOf(address->getSubExpr()) : std::nullopt;
            return !place || place->base->hasGlobalStorage() || llvm::is_contained(direct, call);
        });
    }

    /* The statement that computes the range sets something else from rank and size, too. */
    bool setsMore(const Item &item) const
    {
        return inference.division && item.step + 1 == analysis.path.size() &&
               dependsOnLayout(item.effects);
    }

    /* Joiners run what computes the range and no more. What also communicates, or fills the arrays,
     * is skipped or run again as it would be without its pragma. Keep: it is no more, or refused.
     */
    Class classOfDomain(const Item &item)
    {
        bool hasExits;
        const Class kind = classOf(item);
        if (calls(item, effectsOf(item, hasExits), communication))
            return kind;
        if (!setsMore(item))
            return Class::Keep;
        return kind == Class::Initial && fillsData(item.effects) ? kind : Class::Setup;
    }

    bool checkDomain(const Item &item)
    {
        for (const Write &write : item.effects.writes) {
            if (item.kind != Class::Domain || !isByOwnFunction(write) ||
                !setsFromLayout(item.effects, write))
                continue;
            bool table = write.place.element || write.place.type->isPointerType();
            return analysis.diagnostics.report(
                item.statement->getBeginLoc(), table ? Problem::OwnTable : Problem::OwnFormula,
                {write.place.text(), tableAdvice(write.place.text(), false, true)});
        }
        return true;
    }

    /* Statements of a loop around that leave it are right for members only; what is skipped on
     * the way to another adaptive loop is skipped on the way to this one. */
    Class classIn(const Item &item)
    {
        Class kind = classOf(item);
        if (kind == Class::Keep && fillsBuffer(item))
            return Class::Setup;
        if (kind == Class::Keep && (analysis.skippedElsewhere.count(item.statement) ||
                                    (analysis.structure.enclosingLoop(item.statement) != nullptr &&
                                     leavesAround(item.statement, false))))
            return Class::Initial;
        return kind;
    }

    bool fillsBuffer(const Item &item) const
    {
        return llvm::any_of(item.effects.writes, [&](const Write &write) {
            return analysis.buffers.count(write.place.base->getCanonicalDecl()) != 0 &&
                   (write.call == nullptr || calleeName(write.call) != "free");
        });
    }

    Class classOf(const Item &item)
    {
        bool hasExits;
        Effects effects = effectsOf(item, hasExits);
        if (startsMpi(item))
            return Class::Keep;
        if (setsRootOnly(analysis, item))
            return Class::Initial;
        if (changesMade(item) || copiesMade(effects) || opensSharedFile(item))
            return Class::Setup;
        const bool sends = calls(item, effects, communication);
        const bool prints = calls(item, effects, inputOutput);
        bool layout =
            dependsOnLayout(effects) || (readsRanked(effects, !setsRangeOnly(effects)) &&
                                         !allocatesData(effects) && !dividesRows(effects));
        if (prints ||
            (fillsData(effects) && (sends || (!fillsOther(effects) && !makesWhatItFills(effects)))))
            return Class::Initial;
        if (values.areSetForGood(effects, index) ||
            (values.areSet(effects) && (sends || accumulates(effects))))
            return Class::Initial;
        if (sends)
            return (layout || makesHandle(effects)) && !values.startState(effects) ? Class::Setup
                                                                                   : Class::Initial;
        if (isInput(effects) ||
            (allocatesData(effects) && (readsData(effects) || readsRanked(effects, false))))
            return Class::Initial;
        if (layout)
            return !repeats(effects) && !makesTables(effects) ? Class::Keep : Class::Setup;
        if (readsSkipped(effects) || (hasExits && chooses(item)))
            return Class::Initial;
        return Class::Keep;
    }

    /* It gives an error handler, a name or the like to an object of MPI that setup makes anew. */
    bool changesMade(const Item &item) const
    {
        return llvm::any_of(item.effects.calls, [&](const CallExpr *call) {
            return changesHandle(call) && isMade(call->getArg(0));
        });
    }

    /* It opens a file that all processes share, and does nothing else. */
    bool opensSharedFile(const Item &item) const
    {
        const std::vector<Write> &writes = item.effects.writes;
        return writes.size() == 1 && item.effects.calls.size() == 1 && !isRanked(writes.front()) &&
               opensShared(analysis, writes.front());
    }

    bool copiesMade(const Effects &effects)
    {
        return llvm::any_of(effects.writes,
                            [&](const Write &write) { return copiesDuplicate(analysis, write); });
    }

    bool isMade(const Expr *handle) const
    {
        const Expr *bare = handle->IgnoreParenCasts();
        const auto *address = dyn_cast<UnaryOperator>(bare);
        std::optional<Place> place = placeOf(address ? address->getSubExpr() : bare);
        for (size_t i = 0; place && i < index; i++)
            for (const Write &write : analysis.prologue[i].effects.writes)
                if (analysis.prologue[i].kind == Class::Setup && overlap(write.place, *place))
                    return true;
        return false;
    }

    /* A second run comes to the same. */
    bool repeats(const Effects &effects)
    {
        std::vector<Place> sums = sumsIn(effects);
        for (const Write &write : effects.writes)
            if (isSetSometimes(effects, write, sums) && startOf(write.place).first != nullptr)
                sums.push_back(write.place); /* int left = MPI_PROC_NULL; if (rank > 0) ... */
        return !isPartial(effects, sums) && startsAgain(sums);
    }

    /* SUMS have begun with a value that they can be given again. */
    bool startsAgain(const std::vector<Place> &sums)
    {
        std::vector<std::pair<Item *, const Write *>> starts;
        for (const Place &sum : sums) {
            starts.push_back(startOf(sum));
            if (starts.back().first == nullptr)
                return false;
        }
        for (const auto &[item, write] : starts) {
            if (write->how == Write::How::Declared)
                beginAgain(analysis, *write);
            else if (item->kind == Class::Keep)
                mark(*item, Class::Setup);
        }
        return true;
    }

    /* What sets SUM last before the statement at hand, and each time before it: a declaration with
     * a constant, or `sum = 0;` by itself. */
    std::pair<Item *, const Write *> startOf(const Place &sum)
    {
        const Item &reader = analysis.prologue[index];
        bool own = sum.type->isArithmeticType() && !sum.behind && !sum.base->isStaticLocal() &&
                   reader.step + 1 == analysis.path.size();
        for (size_t i = index; own && i-- > 0;) {
            Item &item = analysis.prologue[i];
            const Write *last = nullptr;
            for (const Write &write : item.effects.writes)
                last = overlap(write.place, sum) ? &write : last;
            if (last == nullptr)
                continue;
            bool each = analysis.structure.enclosingLoop(item.statement) ==
                        analysis.structure.enclosingLoop(reader.statement);
            bool constant = each && item.step == reader.step && last->value != nullptr &&
                            last->value->isEvaluatable(analysis.context);
            bool plain = last->how == Write::How::Declared
                             ? sum.field == nullptr && isa<DeclStmt>(item.statement) &&
                                   item.kind == Class::Keep
                             : isa<BinaryOperator>(item.statement) &&
                                   item.effects.writes.size() == 1 && setsAnew(item.effects, *last);
            if (constant && plain && item.kind != Class::Initial)
                return {&item, last};
            break;
        }
        return {nullptr, nullptr};
    }

    /* A check of the layout that ends the program: it is about the first layout. */
    bool chooses(const Item &item) const
    {
        const auto *choice = dyn_cast<IfStmt>(item.statement);
        return choice != nullptr && isRanked(choice->getCond());
    }

    /* -- what setup needs */

    /* What a setup statement reads must be right when it is run again: it is set again before. */
    bool addNeeded()
    {
        bool any = false;
        for (bool more = true; more;) {
            more = false;
            for (size_t reader = analysis.prologue.size(); reader-- > 0;)
                if (analysis.prologue[reader].kind == Class::Setup)
                    for (const Mention &mention : analysis.prologue[reader].effects.mentions)
                        more = (!mention.assigned && markSetters(reader, mention.place)) || more;
            any = any || more;
        }
        return any;
    }

    bool addStarts()
    {
        bool any = false;
        for (size_t i : findStarts(analysis)) {
            Item &item = analysis.prologue[i];
            bool kept = item.kind == Class::Keep && !containsMarked(item) && !startsMpi(item);
            mark(item, kept ? Class::Setup : Class::Keep);
            any = any || kept;
        }
        return any;
    }

    /* `sub[0] = count;`, of an array of fixed size. */
    static bool setsElement(const Item &item, const Write &write)
    {
        const auto *binary = dyn_cast<BinaryOperator>(item.statement);
        return binary != nullptr && binary->getOpcode() == BO_Assign &&
               write.value == binary->getRHS() && write.place.type->isConstantArrayType() &&
               write.conditions.empty() &&
               llvm::count_if(item.effects.mentions, [&](const Mention &mention) {
                   return overlap(mention.place, write.place);
               }) == 1;
    }

    bool markSetters(size_t reader, const Place &place)
    {
        bool marked = false;
        bool plain = place.type->isArithmeticType() || place.type->isPointerType() ||
                     place.type->isConstantArrayType() || place.element;
        if (isRange(analysis, place) || analysis.isData(place.base) || !plain)
            return false;
        for (size_t i = 0; i < reader; i++) {
            Item &item = analysis.prologue[i];
            if (item.kind != Class::Keep || containsMarked(item) || startsMpi(item))
                continue;
            bool sets = llvm::any_of(item.effects.writes, [&](const Write &write) {
                return overlap(write.place, place) && isRanked(write) &&
                       (setsAnew(item.effects, write) || setsElement(item, write));
            });
            if (!sets)
                continue;
            mark(item, Class::Setup);
            marked = true;
        }
        return marked;
    }
};

} // namespace

bool inferClasses(Analysis &analysis, const Inference &inference)
{
    return Sorter(analysis, inference).sort() && renewSetup(analysis, inference);
}

} // namespace xmpi
