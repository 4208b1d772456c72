/* SPDX-License-Identifier: BSD-3-Clause
 * Sorts the statements of the prologue that nobody has marked into keep, initial and setup. */
#include "library/communicators.h"
#include "library/opened.h"
#include "flow/derived.h"
#include "infer/everywhere.h"
#include "infer/infer_copies.h"
#include "infer/infer_tables.h"
#include "library/mpi_outputs.h"
#include "flow/other_files.h"
#include "flow/root_only.h"
#include "check/safety.h"
#include "infer/setup_starts.h"
#include "facts/storage.h"
#include "facts/statement_kind.h"
#include "facts/uses.h"
#include "report/advice.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

class Sorter
{
  public:
    Sorter(Analysis &analysis, const Inference &inference)
        : analysis(analysis), inference(inference), uses(analysis), values(analysis, uses)
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
        return std::all_of(analysis.prologue.begin(), analysis.prologue.end(),
                           [&](const Item &item) { return checkDomain(item); });
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

    Analysis &analysis;
    const Inference &inference;
    LoopUses uses;
    DerivedValues values;
    size_t index = 0;
    struct Known {
        Place place;
        bool setup; /* set by a setup statement */
    };
    std::vector<Known> ranked;  /* depend on the rank, size or range */
    std::vector<Place> skipped; /* pointers that initial statements set */

    bool containsMarked(const Item &item) const
    {
        for (const Item &other : analysis.prologue)
            if (other.pragma != nullptr && other.statement != item.statement &&
                analysis.structure.encloses(item.statement, other.statement))
                return true;
        return false;
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

    /* -- what a statement depends on */

    bool isRanked(const Place &place) const
    {
        for (const RangeVariable &range : analysis.ranges)
            if (overlap(range.place, place))
                return true;
        for (const Known &known : ranked)
            if (overlap(known.place, place))
                return true;
        return false;
    }

    bool isRanked(const Expr *expression) const
    {
        if (expression == nullptr)
            return false;
        Effects effects = analysis.finder.withCallees(expression);
        return std::any_of(effects.mentions.begin(), effects.mentions.end(),
                           [&](const Mention &mention) { return isRanked(mention.place); });
    }

    /* The trials know its value: whether it follows the layout is seen there. */
    bool isTried(const Place &place) const
    {
        return inference.survey != nullptr && inference.survey->valuesOf(place).has_value();
    }

    bool isRanked(const Write &write) const
    {
        bool whole = !write.place.element && !write.place.behind && write.place.field == nullptr;
        if (whole && (analysis.members.isPointer(write.place.base) ||
                      analysis.members.replaces(write.place.base)))
            return false; /* its members tell */
        if (whole && analysis.members.contains(write.place.base) && followsRange(write.place))
            return true;
        if (isRanked(write.value) ||
            (isByOwnFunction(write) && variesWithLayout(inference, write.place)) ||
            holdsParts(write))
            return true;
        for (const Expr *condition : write.conditions)
            if (isRanked(condition))
                return true;
        if (write.call == nullptr || calleeName(write.call) == "free")
            return false;
        for (const Expr *argument : write.call->arguments()) {
            const Expr *bare = argument->IgnoreParenCasts();
            const auto *address = dyn_cast<UnaryOperator>(bare);
            bool seen = address != nullptr && address->getOpcode() == UO_AddrOf &&
                        isByOwnFunction(write) && isTried(write.place);
            std::optional<Place> own = placeOf(seen ? address->getSubExpr() : bare);
            if ((!own || !overlap(*own, write.place)) && isRanked(argument))
                return true;
        }
        return false;
    }

    /* WRITE, in a function, fills a table of the parts of all ranks. */
    bool holdsParts(const Write &write) const
    {
        const VarDecl *base = write.place.base;
        QualType type = base->getType();
        if (!inference.division || inference.survey == nullptr || !write.place.element ||
            write.place.field != nullptr || !base->hasGlobalStorage() ||
            !write.place.type->isIntegerType())
            return false;
        const Place table{base, nullptr, false, false, type};
        return tableFormulaOfSome(inference, table, RangeKind::Count) ||
               tableFormulaOfSome(inference, table, RangeKind::Displ);
    }

    /* A member for which a function has made memory of a size, or that it has set to a number, that
     * follows the layout. */
    bool followsRange(const Place &place) const
    {
        if (!place.type->isPointerType() || inference.survey == nullptr)
            return variesWithLayout(inference, place);
        const void *block = blockOf(*inference.survey, place.base);
        std::optional<Values> values =
            block ? elementsOf(analysis, *inference.survey, place.base, block) : std::nullopt;
        return values && !isLayoutFree(*inference.survey, *values);
    }

    bool isDataPointer(const Place &place) const
    {
        return (!place.element || place.type->isPointerType()) && analysis.isData(place.base);
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
        std::set<const Stmt *> exits;
        findExits(item.statement, exits);
        hasExits = !exits.empty();
        finder.skipped.insert(exits.begin(), exits.end());
        return finder.withCallees(item.statement);
    }

    /* One of the calls of ITEM that are counted in EFFECTS comes to a function that DEED names. */
    bool calls(const Item &item, const Effects &effects,
               std::string (*deed)(const Analysis &, const CallExpr *)) const
    {
        const std::vector<const CallExpr *> direct = analysis.finder.of(item.statement).calls;
        return std::any_of(direct.begin(), direct.end(), [&](const CallExpr *call) {
            return std::find(effects.calls.begin(), effects.calls.end(), call) !=
                       effects.calls.end() &&
                   !deed(analysis, call).empty();
        });
    }

    /* What a function asks for and keeps to itself does not count. */
    bool startsMpi(const Item &item) const
    {
        if (mayStartMpi(analysis, item))
            return true;
        const std::vector<const CallExpr *> direct = analysis.finder.of(item.statement).calls;
        return std::any_of(
            item.effects.calls.begin(), item.effects.calls.end(), [&](const CallExpr *call) {
                if (isName(call, "MPI_Init", "MPI_Init_thread"))
                    return true;
                if (!isName(call, "MPI_Comm_rank", "MPI_Comm_size") || call->getNumArgs() != 2)
                    return false;
                const auto *address = dyn_cast<UnaryOperator>(call->getArg(1)->IgnoreParenCasts());
                std::optional<Place> place =
                    address ? placeOf(address->getSubExpr()) : std::nullopt;
                return !place || place->base->hasGlobalStorage() ||
                       std::find(direct.begin(), direct.end(), call) != direct.end();
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
            analysis.diagnostics.report(
                item.statement->getBeginLoc(), table ? Problem::OwnTable : Problem::OwnFormula,
                {write.place.text(), tableAdvice(write.place.text(), false, true)});
            return false;
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
        return std::any_of(
            item.effects.writes.begin(), item.effects.writes.end(), [&](const Write &write) {
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
        if (values.areSet(effects, true) ||
            (values.areSet(effects, false) && (sends || accumulates(effects))))
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
        return std::any_of(
            item.effects.calls.begin(), item.effects.calls.end(),
            [&](const CallExpr *call) { return changesHandle(call) && isMade(call->getArg(0)); });
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
        return std::any_of(effects.writes.begin(), effects.writes.end(),
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

    bool fillsData(const Effects &effects) const
    {
        return std::any_of(effects.writes.begin(), effects.writes.end(), [&](const Write &write) {
            bool freed = write.call != nullptr && calleeName(write.call) == "free";
            if ((write.place.element || write.place.behind) &&
                leadsToData(analysis, write.place.base))
                return true;
            return write.place.element && analysis.isData(write.place.base) &&
                   !isDataPointer(write.place) && !freed;
        });
    }

    /* The memory as well, as a function does that makes a field: joining processes make theirs. */
    bool makesWhatItFills(const Effects &effects) const
    {
        return std::all_of(effects.writes.begin(), effects.writes.end(), [&](const Write &write) {
            bool fills = write.place.element && analysis.isData(write.place.base);
            if ((write.place.element || write.place.behind) &&
                leadsToData(analysis, write.place.base))
                return false;
            return !fills || std::any_of(effects.writes.begin(), effects.writes.end(),
                                         [&](const Write &other) {
                                             return other.place.base == write.place.base &&
                                                    !other.place.element &&
                                                    analysis.members.contains(other.place.base);
                                         });
        });
    }

    /* Fills an array that is not registered and used later: every process makes it for itself. */
    bool fillsOther(const Effects &effects) const
    {
        return std::any_of(effects.writes.begin(), effects.writes.end(), [&](const Write &write) {
            SourceLocation where;
            return write.place.element && !analysis.isData(write.place.base) &&
                   !analysis.laterUse(write.place, where).empty();
        });
    }

    /* Sets something that is used later from what a reconfiguration changes. */
    bool dependsOnLayout(const Effects &effects) const
    {
        return std::any_of(effects.writes.begin(), effects.writes.end(),
                           [&](const Write &write) { return setsFromLayout(effects, write); });
    }

    bool setsFromLayout(const Effects &effects, const Write &write) const
    {
        if (isRange(analysis, write.place) || isDataPointer(write.place) || !isRanked(write) ||
            (analysis.members.contains(write.place.base) && analysis.isData(write.place.base)))
            return false;
        SourceLocation where;
        bool own = std::find(effects.declared.begin(), effects.declared.end(), write.place.base) !=
                       effects.declared.end() &&
                   write.how != Write::How::Declared;
        bool agreed = write.call != nullptr && isMpiCall(write.call) && isNamedLater(write.place);
        return !own && (agreed || !analysis.laterUse(write.place, where).empty());
    }

    /* The size of memory, say. */
    bool isNamedLater(const Place &place) const
    {
        return std::any_of(analysis.prologue.begin() + static_cast<ptrdiff_t>(index) + 1,
                           analysis.prologue.end(), [&](const Item &item) {
                               return std::any_of(
                                   item.effects.mentions.begin(), item.effects.mentions.end(),
                                   [&](const Mention &mention) {
                                       return !mention.assigned && overlap(mention.place, place);
                                   });
                           });
    }

    bool isReadLater(const Place &place) const
    {
        for (size_t i = index + 1; i < analysis.prologue.size(); i++)
            if (!analysis.isData(place.base) && place.type->isPointerType())
                for (const Mention &mention : analysis.prologue[i].effects.mentions)
                    if (overlap(mention.place, place) && !mention.assigned)
                        return true;
        return false;
    }

    /* Makes room for registered arrays, whatever their size is computed from. */
    bool allocatesData(const Effects &effects) const
    {
        return !effects.writes.empty() &&
               std::all_of(effects.writes.begin(), effects.writes.end(),
                           [&](const Write &write) { return isDataPointer(write.place); });
    }

    /* The number of entries of a sparse matrix is in its row pointers. */
    bool readsData(const Effects &effects) const
    {
        return std::any_of(effects.writes.begin(), effects.writes.end(), [&](const Write &write) {
            return write.value != nullptr && readsElement(analysis, write.value);
        });
    }

    /* Reads what setup sets; without VALUES, what is behind its pointers. */
    bool readsRanked(const Effects &effects, bool values) const
    {
        for (const Mention &mention : effects.mentions)
            for (const Known &known : ranked)
                if (known.setup && !mention.assigned && overlap(known.place, mention.place) &&
                    (values || !known.place.type->isArithmeticType() || known.place.element))
                    return true;
        return false;
    }

    /* The range is written by reconfigurations. */
    bool setsRangeOnly(const Effects &effects) const
    {
        return std::all_of(effects.writes.begin(), effects.writes.end(),
                           [&](const Write &write) { return isRange(analysis, write.place); });
    }

    /* Sets the range and makes the rows, which move: nothing of it would be right a second time. */
    bool dividesRows(const Effects &effects) const
    {
        bool range = false, rows = false;
        for (const Write &write : effects.writes) {
            SourceLocation where;
            const bool own = std::find(effects.declared.begin(), effects.declared.end(),
                                       write.place.base) != effects.declared.end();
            if (isRange(analysis, write.place))
                range = true;
            else if (analysis.isData(write.place.base))
                rows = true;
            else if (!own &&
                     (!analysis.laterUse(write.place, where).empty() || isNamedLater(write.place)))
                return false;
        }
        return range && rows;
    }

    /* A variable that the statement sets anew, first and in any case, starts afresh. */
    void forget(const Item &item)
    {
        for (const Write &write : item.effects.writes) {
            const Place &place = write.place;
            if (item.effects.setsAnew(write) && !isRanked(write.value))
                ranked.erase(std::remove_if(ranked.begin(), ranked.end(),
                                            [&](const Known &known) {
                                                return known.place.base == place.base;
                                            }),
                             ranked.end());
        }
    }

    bool readsSkipped(const Effects &effects) const
    {
        for (const Mention &mention : effects.mentions)
            for (const Place &pointer : skipped)
                if (!mention.assigned && overlap(mention.place, pointer))
                    return true;
        return false;
    }

    /* Its value before takes part: a second run would not come to the same. */
    bool accumulates(const Effects &effects) const
    {
        return !sumsIn(effects).empty();
    }

    /* Where the statement at hand runs again and again, something sets PLACE each time before. */
    bool isSetInLoop(const Place &place) const
    {
        const Item &reader = analysis.prologue[index];
        if (!analysis.runsAgain(reader.step, reader.statement))
            return true;
        for (size_t i = index; i-- > 0;) {
            const Item &item = analysis.prologue[i];
            for (const Write &write : item.effects.writes)
                if (overlap(write.place, place))
                    return analysis.structure.enclosingLoop(item.statement) ==
                               analysis.structure.enclosingLoop(reader.statement) &&
                           setsAnew(item.effects, write);
        }
        return false;
    }

    std::vector<Place> sumsIn(const Effects &effects) const
    {
        std::vector<Place> sums;
        for (const Write &write : effects.writes) {
            const Place &place = write.place;
            bool known = isSetInLoop(place) &&
                         std::any_of(ranked.begin(), ranked.end(), [&](const Known &other) {
                             return overlap(other.place, place);
                         });
            bool own = std::find(effects.declared.begin(), effects.declared.end(), place.base) !=
                       effects.declared.end();
            if (known || own || place.element || place.type->isArrayType() ||
                isRange(analysis, place))
                continue;
            if (write.how == Write::How::Passed) {
                if (analysis.finder.addsTo(write))
                    sums.push_back(place);
                continue;
            }
            auto first =
                std::find_if(effects.mentions.begin(), effects.mentions.end(),
                             [&](const Mention &mention) { return overlap(mention.place, place); });
            if (first != effects.mentions.end() && !first->assigned)
                sums.push_back(place);
        }
        return sums;
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

    /* It fills tables of all ranks' parts, gathered anew, and nothing else that is used later. */
    bool makesTables(const Effects &effects) const
    {
        if (!inference.division || inference.survey == nullptr)
            return false;
        bool tables = false;
        for (const Write &write : effects.writes) {
            SourceLocation where;
            Place table = write.place;
            table.element = table.behind = false;
            table.type = table.field ? table.field->getType() : table.base->getType();
            bool several = table.type->isPointerType() || table.type->isArrayType();
            if (several && (write.place.element || table.type->isArrayType()) &&
                (tableFormula(inference, table, RangeKind::Count) ||
                 tableFormula(inference, table, RangeKind::Displ)))
                tables = true;
            else if (!analysis.laterUse(write.place, where).empty() || isReadLater(write.place))
                return false;
        }
        return tables;
    }

    /* Set on some ranks only: a second run, on another rank, would leave the old value. */
    bool isPartial(const Effects &effects, const std::vector<Place> &sums) const
    {
        return std::any_of(effects.writes.begin(), effects.writes.end(), [&](const Write &write) {
            return isSetSometimes(effects, write, sums);
        });
    }

    bool isSetSometimes(const Effects &effects, const Write &write,
                        const std::vector<Place> &sums) const
    {
        bool sum = std::any_of(sums.begin(), sums.end(),
                               [&](const Place &place) { return overlap(place, write.place); });
        bool ranks = std::any_of(write.conditions.begin(), write.conditions.end(),
                                 [&](const Expr *condition) { return isRanked(condition); });
        if (!ranks || sum || write.place.element || isRange(analysis, write.place) ||
            write.place.type->isArrayType() ||
            std::find(effects.declared.begin(), effects.declared.end(), write.place.base) !=
                effects.declared.end())
            return false;
        auto same =
            std::count_if(effects.writes.begin(), effects.writes.end(),
                          [&](const Write &other) { return overlap(other.place, write.place); });
        bool known = std::any_of(ranked.begin(), ranked.end(), [&](const Known &other) {
            return overlap(other.place, write.place);
        });
        return same < 2 && !known;
    }

    /* A value that one rank has and a later statement hands to all. */
    bool isInput(const Effects &effects) const
    {
        for (const Write &write : effects.writes) {
            if (isRanked(write.value) || write.conditions.empty() || write.place.element ||
                !isPlainValue(write.place.type))
                continue;
            bool ranks = std::any_of(write.conditions.begin(), write.conditions.end(),
                                     [&](const Expr *condition) { return isRanked(condition); });
            for (size_t i = index + 1; ranks && i < analysis.prologue.size(); i++)
                for (const Write &later : analysis.prologue[i].effects.writes)
                    if (LoopUses::isCollective(later) && overlap(later.place, write.place))
                        return true;
        }
        return false;
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
               std::count_if(item.effects.mentions.begin(), item.effects.mentions.end(),
                             [&](const Mention &mention) {
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
            bool sets = std::any_of(
                item.effects.writes.begin(), item.effects.writes.end(), [&](const Write &write) {
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
