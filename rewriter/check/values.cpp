/* SPDX-License-Identifier: BSD-3-Clause
 * Follows the values that differ from rank to rank to what the loop and the program do with them.
 */
#include "check/values.h"
#include "check/row_numbers.h"
#include "facts/first_use.h"
#include "flow/gathered.h"
#include "flow/other_files.h"
#include "joined/places.h"
#include "ranks/rank_flow.h"
#include "report/advice.h"

namespace xmpi
{

using namespace clang;

namespace
{

class ValueChecker
{
  public:
    ValueChecker(Analysis &analysis, LoopUses &uses) : analysis(analysis), uses(uses)
    {
    }

    bool check()
    {
        std::set<const VarDecl *> own = analysis.distributed();
        RankFlow flow = followRanks(analysis, own);
        if (flow.drawn != nullptr)
            return refuse(flow.drawn->getExprLoc(), Problem::RandomStream,
                          {calleeName(flow.drawn)});
        for (const Ranked *ranked : {&flow.atEntry, &flow.carried})
            for (const auto &[holder, where] : *ranked)
                if (analysis.isData(holder.first) && own.count(holder.first) == 0)
                    return refusePart(where, holder.first, ranked == &flow.atEntry);
        for (const auto &[holder, where] : flow.carried)
            if ((analysis.startsOver ? isChangedState(holder)
                                     : flow.atEntry.count(holder) == 0 || isBegun(holder)) &&
                !checkValue(holder, where, flow.guided.count(holder.first) ? &flow : nullptr))
                return false;
        for (const auto &[holder, where] : flow.atEntry)
            if (isChangedState(holder) && !isBegun(holder) && !checkValue(holder, where))
                return false;
        for (const auto &[holder, where] : flow.atEntry)
            if (isByInitial(holder) && !isBegun(holder) && !checkValue(holder, where)) {
                analysis.diagnostics.note(
                    where,
                    "or compute it in a statement of its own, which is run again after every "
                    "reconfiguration");
                return false;
            }
        for (const auto &[holder, where] : flow.carried)
            if (analysis.fixed.count(holder.first) && analysis.rootOnly.count(holder.first) == 0 &&
                analysis.own.count(holder.first) == 0)
                return refuse(where, Problem::PartialArray,
                              {holder.first->getName(), declaredFirst(analysis, holder.first)});
        return checkMisuses(flow) && checkKept(flow, own) && checkOwn(flow) && checkMade(flow) &&
               checkGhosts(flow) && tellPrinted(flow);
    }

  private:
    Analysis &analysis;
    LoopUses &uses;

    bool refuse(SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments = {})
    {
        return analysis.diagnostics.report(where, problem, arguments);
    }

    /* BEGUN: before the loop, as its size may be; without a range nothing tells whose parts these
     * are. */
    bool refusePart(SourceLocation where, const VarDecl *array, bool begun)
    {
        const std::string name = array->getNameAsString();
        if (!begun || hasRange(analysis))
            return refuse(where, Problem::PartialArray, {name, declaredFirst(analysis, array)});
        reportShape(analysis, where, name, true);
        return false;
    }

    /* The loop tells of an array, by its own indices, how the rows of its elements are divided. */
    bool isIndexed(const VarDecl *array) const
    {
        return llvm::any_of(uses.accesses,
                            [&](const Access &access) { return uses.touches(access, array); });
    }

    /* What the start has filled, and iterations leave as it is, moves as rows: numbers of a block
     * that only others look at are none. Nor are, in a state, those that it has put one behind
     * another; where the loop goes on with them, what it does with them tells. */
    bool checkMade(const RankFlow &flow)
    {
        for (const auto &[array, misuse] : flow.made) {
            const bool list = analysis.startsOver && misuse.problem == Problem::LocalRows;
            if (uses.isWritten(array) || (isIndexed(array) && !list))
                continue;
            if (list && isOfMatrix(array) && !isChangedRows(array))
                continue; /* its row pointers tell what is a row of it, and the start makes it */
            return refuse(misuse.where, misuse.problem, {misuse.what, misuse.by});
        }
        return true;
    }

    /* A sparse matrix, by its rows (program.h). */
    bool isOfMatrix(const VarDecl *array) const
    {
        const std::string &name = analysis.data.at(array->getCanonicalDecl());
        const auto &all = analysis.program.loop.before.data;
        return llvm::any_of(all,
                            [&](const Data &data) { return data.name == name && data.csr != 0; });
    }

    /* What is printed of the blocks is as right as before, but of other blocks. (A state that is
     * found is one with which all that is printed around the loop is the same.) */
    bool tellPrinted(const RankFlow &flow)
    {
        if (analysis.startsOver && analysis.framed && !flow.printed.empty())
            return false;
        for (const Misuse &one : flow.printed)
            analysis.diagnostics.report(one.where, one.problem, {one.what, one.by, one.advice});
        return true;
    }

    bool checkMisuses(const RankFlow &flow)
    {
        const bool all = llvm::all_of(
            flow.misuses, [&](const Misuse &one) { return flow.outside.count(one.by) != 0; });
        if (!all && !checkRowNumbers(analysis, uses))
            return false; /* it says more */
        for (const Misuse &misuse : flow.misuses)
            if (!reliesOn(flow, misuse.by))
                return refuse(misuse.where, misuse.problem, {misuse.what, misuse.by});
        return true;
    }

    /* BY is a function of another file, of which the linked program has to tell. */
    bool reliesOn(const RankFlow &flow, const std::string &by)
    {
        auto function = flow.outside.find(by);
        if (function == flow.outside.end())
            return false;
        const CallExpr *call = function->second;
        relyOn(analysis, call->getDirectCallee(), call->getExprLoc());
        return true;
    }

    /* Ghost rows that are read hold what the iteration has been sent, or the one before at its end:
     * a reconfiguration fills them with rows as they are then, not as they were some time ago. */
    bool checkGhosts(const RankFlow &flow)
    {
        const SourceManager &sources = analysis.context.getSourceManager();
        for (const auto &[array, read] : flow.unfilled) {
            const std::set<const VarDecl *> same = uses.exchangedWith(array);
            const int reach = read.reach;
            const bool apart = analysis.framed && isChangedRows(array);
            if ((uses.isWritten(array) || apart || flow.changed.count(array) != 0) &&
                llvm::none_of(same, [&](const VarDecl *one) {
                    auto known = flow.filled.find(one->getCanonicalDecl());
                    return known != flow.filled.end() && known->second >= reach;
                }))
                return refuse(read.where, Problem::GhostsKept, {array->getName()});
            if (auto set = flow.changed.find(array); set != flow.changed.end())
                return refuse(read.where, Problem::GhostsOld,
                              {array->getName(), lineOf(sources, set->second, read.where)});
        }
        return true;
    }

    /* Also by what is around the loop, of a program that starts over. */
    bool isChangedRows(const VarDecl *array) const
    {
        return analysis.startsOver && analysis.changed.count(array->getCanonicalDecl()) != 0;
    }

    /* An array that all processes have whole has no rows. */
    bool isWhole(const VarDecl *array) const
    {
        const std::string &name = analysis.data.at(array);
        const auto holds = [&](const Registrations &what) {
            return llvm::any_of(what.data, [&](const Data &data) {
                return data.name == name && data.scheme == Scheme::Replicated;
            });
        };
        const Loop &loop = analysis.program.loop;
        const auto &sites = analysis.program.sites;
        return holds(loop.before) || holds(loop.inside) ||
               llvm::any_of(sites, [&](const auto &site) { return holds(site.what); });
    }

    /* What iterations read of earlier ones, and what follows the loop, is no number of a layout
     * that may have gone. */
    bool checkKept(const RankFlow &flow, const std::set<const VarDecl *> &own)
    {
        for (const auto &[holder, form] : flow.forms) {
            if (!form.isOfLayout())
                continue;
            if (analysis.isData(holder.first)) {
                const bool numbers = flow.numbered.count(holder.first) != 0 &&
                                     (!isIndexed(holder.first) ||
                                      !setsBeforeReading(analysis, holder.first, nullptr, false));
                if ((own.count(holder.first) == 0 || numbers) && !reliesOn(flow, form.cause))
                    return refuse(holder.first->getLocation(),
                                  isWhole(holder.first) ? Problem::KeptValue : Problem::LocalValue,
                                  {holder.first->getName(), form.cause});
                continue;
            }
            if (!isKept(holder) || (analysis.startsOver && !isChangedState(holder)) ||
                reliesOn(flow, form.cause))
                continue;
            return refuse(form.where.isValid() ? form.where : holder.first->getLocation(),
                          Problem::KeptValue, {nameOf(holder), form.cause});
        }
        for (const auto &[holder, form] : flow.behind)
            if ((analysis.isData(holder.first) || analysis.isLiveArray(holder.first)) &&
                own.count(holder.first) == 0 && !reliesOn(flow, form.cause))
                return refuse(form.where.isValid() ? form.where : holder.first->getLocation(),
                              Problem::LocalValue, {holder.first->getName(), form.cause});
        return true;
    }

    /* The program's start makes HOLDER, but iterations change it: no start comes to what it is. */
    bool isChangedState(const Holder &holder) const
    {
        const VarDecl *variable = holder.first->getCanonicalDecl();
        return analysis.startsOver && analysis.changed.count(variable) != 0 &&
               !analysis.isData(variable);
    }

    /* (Arrays of characters are messages.) */
    bool isOfNumbers(QualType type) const
    {
        QualType element = analysis.context.getBaseElementType(type);
        return element->isArithmeticType() && !(type->isArrayType() && element->isCharType());
    }

    /* An initial statement sets HOLDER, a number or an array of numbers that is used later; what
     * all other statements set is followed elsewhere. */
    bool isByInitial(const Holder &holder)
    {
        QualType type = holder.second ? holder.second->getType() : holder.first->getType();
        Place place{holder.first, holder.second, false, false, type};
        SourceLocation where;
        if (!isOfNumbers(type) || analysis.laterUse(place, where).empty())
            return false;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes)
                if (item.kind == Class::Initial && overlap(write.place, place) &&
                    isOfNumbers(write.place.type))
                    return true;
        return false;
    }

    /* The loop's own first statement sets HOLDER, the counter: what it was before is gone. */
    bool isBegun(const Holder &holder) const
    {
        const auto *loop = dyn_cast<ForStmt>(analysis.loop);
        if (loop == nullptr || loop->getInit() == nullptr)
            return false;
        const Effects effects = analysis.finder.of(loop->getInit());
        return llvm::any_of(effects.writes, [&](const Write &write) {
            return write.place.base->getCanonicalDecl() == holder.first &&
                   write.place.field == holder.second && !write.place.element &&
                   effects.setsAnew(write);
        });
    }

    static std::string nameOf(const Holder &holder)
    {
        std::string name = holder.first->getNameAsString();
        return holder.second ? name + "." + holder.second->getNameAsString() : name;
    }

    /* Whether HOLDER, or a part of it, travels to joining processes. */
    bool isLive(const Holder &holder) const
    {
        auto within = [&](const Registrations &what) {
            return llvm::any_of(what.lives, [&](const Live &live) {
                return live.where == analysis.source.offset(holder.first->getLocation()) &&
                       (live.lvalue == holder.first->getName() || live.lvalue == nameOf(holder) ||
                        holder.second == nullptr);
            });
        };
        for (const Site &site : analysis.program.sites)
            if (within(site.what))
                return true;
        for (const Guarded &guarded : analysis.program.guarded)
            if (within(guarded.after))
                return true;
        return within(analysis.program.loop.before) || within(analysis.program.loop.inside);
    }

    /* HOLDER travels to joining processes, and is read there. */
    bool isKept(const Holder &holder)
    {
        const auto &[variable, field] = holder;
        QualType type = field ? field->getType() : variable->getType();
        Place place{variable, field, false, false, type};
        if (analysis.rootOnly.count(variable->getCanonicalDecl()))
            return false;
        if (analysis.equal.count(variable->getCanonicalDecl()) ||
            analysis.own.count(variable->getCanonicalDecl()) || !isLive(holder) ||
            analysis.rangeAt(place) != nullptr || analysis.isSetup(place))
            return false;
        const Step &step = analysis.loopStep();
        bool local = variable->getDeclContext() == step.function && !variable->isStaticLocal();
        if (local && field == nullptr && !type->isArrayType() && !analysis.liveAtLoop(variable))
            return false;
        return !setsBeforeReading(analysis, variable, field, uses.isNamedAfter(variable));
    }

    /* A number, no rank or part of a range, in the condition by which some ranks leave others in an
     * iteration; or null. (Of an element it is not the number that it has in its array.) */
    const DeclRefExpr *decidingIn(const Stmt *condition, const RankFlow &flow) const
    {
        if (const auto *element = dyn_cast_or_null<ArraySubscriptExpr>(condition))
            return decidingIn(element->getBase(), flow);
        const auto *reference = dyn_cast_or_null<DeclRefExpr>(condition);
        const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (variable != nullptr && variable->getType()->isArithmeticType() &&
            flow.carried.count({variable->getCanonicalDecl(), nullptr}) != 0 &&
            flow.atEntry.count({variable->getCanonicalDecl(), nullptr}) == 0)
            return reference;
        if (condition != nullptr)
            for (const Stmt *child : condition->children())
                if (const DeclRefExpr *found = decidingIn(child, flow))
                    return found;
        return nullptr;
    }

    /* GUIDED, not null: HOLDER differs as some ranks leave the iteration before others. */
    bool checkValue(const Holder &holder, SourceLocation where, const RankFlow *guided = nullptr)
    {
        const auto &[variable, field] = holder;
        QualType type = field ? field->getType() : variable->getType();
        if (!isKept(holder))
            return true;
        analysis.lacking = variable->getCanonicalDecl();
        const std::string declared = declaredFirst(analysis, variable);
        if (type->isArrayType())
            return refuse(where, Problem::PartialArray, {nameOf(holder), declared});
        const DeclRefExpr *decides = guided ? decidingIn(guided->leaving, *guided) : nullptr;
        if (decides == nullptr)
            return refuse(where, Problem::LocalState, {nameOf(holder), declared});
        const auto *decider = cast<VarDecl>(decides->getDecl());
        refuse(decides->getExprLoc(), Problem::LocalState,
               {decider->getName(), declaredFirst(analysis, decider)});
        analysis.diagnostics.note(where, "so some ranks leave the iteration before others, and '" +
                                             nameOf(holder) + "' follows");
        return false;
    }

    /* What processes have added up for themselves is, all together, what the rows come to. */
    bool checkOwn(const RankFlow &flow)
    {
        for (const VarDecl *variable : analysis.own) {
            auto form = flow.sums.find({variable, nullptr});
            if (form == flow.sums.end() || !isOfAllRows(form->second))
                return refuse(variable->getLocation(), Problem::LocalState,
                              {variable->getName(), declaredFirst(analysis, variable)});
        }
        return true;
    }
};

} // namespace

bool checkValues(Analysis &analysis, LoopUses &uses)
{
    return ValueChecker(analysis, uses).check();
}

} // namespace xmpi
