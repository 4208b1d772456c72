/* SPDX-License-Identifier: BSD-3-Clause
 * Finds how the arrays of the loop are stored, from the sizes that they were made with. */
#include "report/advice.h"
#include "arrays/received_finder.h"
#include "arrays/row_table.h"
#include "arrays/rows_by_use.h"
#include "arrays/sparse_finder.h"
#include "arrays/table_finder.h"
#include "check/member_arrays.h"
#include "facts/pointer_targets.h"
#include "facts/storage.h"
#include "flow/form.h"
#include "index/index_form.h"

namespace xmpi
{

using namespace clang;

namespace
{

class DataFinder
{
  public:
    DataFinder(Analysis &analysis, const Inference &inference)
        : analysis(analysis), inference(inference), survey(*inference.survey), targets(analysis),
          facts(analysis, inference), registry(analysis, inference, facts),
          tables(analysis, inference, facts, registry, taken),
          sparse(analysis, inference, facts, registry), received(analysis, facts, registry)
    {
    }

    bool find()
    {
        if (!checkMemberArrays(analysis, facts.uses))
            return false;
        bool good = sparse.find();
        std::set<const VarDecl *> seen;
        for (const Effects *effects : {&analysis.inLoop, &analysis.after.back()})
            for (const Mention &mention : effects->mentions) {
                const VarDecl *variable = mention.place.base->getCanonicalDecl();
                if (!seen.insert(variable).second)
                    continue;
                if (isPointerArray(analysis, variable))
                    good = describePointers(variable, mention.where) && good;
                else if (facts.isCandidate(variable))
                    good = describe(variable, mention.where) && good;
                else if (analysis.isData(variable) && inference.division)
                    good = checkWritten(variable, mention.where) && good;
                else if (received.isValueAround(variable) && facts.isReceived(variable))
                    good = received.describe(variable, mention.where) && good;
            }
        for (size_t step = 0; step + 1 < analysis.path.size(); step++)
            good = findKept(step, seen) && good;
        if (facts.own != nullptr)
            needRows(facts.own->leastTold());
        return good && even;
    }

  private:
    Analysis &analysis;
    const Inference &inference;
    const Survey &survey;
    PointerTargets targets;
    ArrayFacts facts;
    ArrayRegistry registry;
    bool even = true;              /* all rows of a block are treated alike */
    std::set<const void *> taken;  /* blocks that have a variable already */
    std::set<const void *> parted; /* of which variables have parts, as the loop uses them */
    TableFinder tables;
    SparseFinder sparse;
    ReceivedFinder received;

    /* The ghost rows on each side of the rows of VARIABLE, as a data clause says. */
    std::optional<int> writtenHalo(const VarDecl *variable) const
    {
        const std::string &name = analysis.data.at(variable);
        for (const Site &site : analysis.program.sites)
            for (const Data &data : site.what.data)
                if (data.name == name && data.scheme == Scheme::Distributed && data.csr == 0)
                    return rowsOfShift(data.halo);
        return std::nullopt;
    }

    /* A data clause says how rows of VARIABLE lie: the loop may not have them otherwise. */
    bool checkWritten(const VarDecl *variable, SourceLocation where)
    {
        const std::optional<int> width = writtenHalo(variable);
        const void *block = width ? blockOf(survey, variable) : nullptr;
        const std::optional<Values> values =
            block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
        const std::optional<Values> length =
            values ? rowLength(survey, *values, inference.division->count, 2 * *width, 0)
                   : std::nullopt;
        if (!length || facts.own->setsGhosts(variable, *length, *width))
            return true; /* or more is to be said (infer/extent.cpp) */
        checkEdges(variable, *length, *width, false);
        return !facts.own->areExchangedOtherwise(
                   variable, *length, {Values(length->size(), *width), *width, *width}) ||
               registry.refuse(where, Problem::Halo,
                               {variable->getName(),
                                "let messages bring the last rows of the process before to those "
                                "in front of the own ones, and the first rows of the next one to "
                                "those behind them"});
    }

    /* What loops around the calls on the way to the loop keep. */
    bool findKept(size_t step, std::set<const VarDecl *> &seen)
    {
        bool good = true;
        for (const Mention &mention : analysis.after[step].mentions) {
            const VarDecl *variable = mention.place.base->getCanonicalDecl();
            if (!facts.isCandidateAt(variable, analysis.path[step]) ||
                !seen.insert(variable).second || !facts.isKeptAround(variable))
                continue;
            good = (facts.isCandidate(variable) ? describe(variable, mention.where)
                                                : describeKept(step, variable, mention.where)) &&
                   good;
        }
        return good;
    }

    /* VARIABLE is one of a caller's own. (What has a size that follows the layout is made by setup,
     * which is to stand elsewhere.) */
    bool describeKept(size_t step, const VarDecl *variable, SourceLocation where)
    {
        const void *block = blockOf(survey, variable);
        const std::optional<Values> values =
            block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
        if (block != nullptr && (taken.count(block) != 0 || parted.count(block) != 0))
            return true;
        if (!values || variable->getType()->getPointeeType()->isPointerType())
            return registry.refuseShape(where, variable);
        if (!isLayoutFree(survey, *values))
            return true;
        const std::vector<std::string> shape = registry.textsOf(variable, {*values}, step);
        taken.insert(block);
        return shape.empty() ? registry.refuseShape(where, variable)
                             : registry.addAt(step, variable, Scheme::Replicated, shape, "");
    }

    bool describe(const VarDecl *variable, SourceLocation where)
    {
        if (!facts.uses.isWritten(variable) && facts.isSameAsAny(sparse.made, variable))
            return true;
        if (isa<ParmVarDecl>(variable) && isFixedArray(analysis, variable)) {
            analysis.fixed.insert(variable);
            return true;
        }
        if (!isa<ParmVarDecl>(variable) && !valuesBehind(targets, variable).empty())
            return true; /* they travel */
        if (addByUse(variable))
            return true;
        if (variable->getType()->getPointeeType()->isPointerType() && facts.isAccessed(variable))
            return tables.describe(variable, where);
        const void *block = blockOf(survey, variable);
        std::optional<Values> values =
            block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
        const bool leads = variable->getType()->getPointeeType()->isPointerType();
        if (!values && !leads && facts.isKeptAround(variable))
            return registry.refuseShape(where, variable);
        if (!values || leads)
            return describeUnknown(variable, where);
        return taken.count(block) != 0 ||
               parted.count(block) != 0 || /* the check of pointers into registered data sees it */
               describeSized(variable, where, block, *values);
    }

    /* Each pointer leads to memory of its own, and all of it is divided in the same way. */
    bool describePointers(const VarDecl *variable, SourceLocation where)
    {
        std::set<const void *> blocks = taken;
        std::optional<Values> values = elementsOfEach(analysis, survey, variable, blocks);
        if (!values || !analysis.structure.visible(variable, analysis.loopStep().function,
                                                   analysis.loopStep().anchor))
            return registry.refuse(where, Problem::PointerArray, {variable->getName()});
        const void *first = blockOf(survey, variable);
        if (analysis.arrays.bytesOf(first) != 0 && addByUse(variable))
            return true; /* there is room for more */
        taken = blocks;
        return describeSized(variable, where, first, *values);
    }

    bool describeSized(const VarDecl *variable, SourceLocation where, const void *block,
                       const std::optional<Values> &values)
    {
        if (inference.division && !isLayoutFree(survey, *values))
            for (auto [extra, slack] : {std::pair{0, 0}, {1, 0}, {0, 1}, {2, 0}, {4, 0}, {6, 0}})
                if (auto length =
                        rowLength(survey, *values, inference.division->count, extra, slack)) {
                    taken.insert(block);
                    return addDistributed(variable, where, *length, extra, slack);
                }
        if (isLayoutFree(survey, *values)) {
            taken.insert(block);
            if (std::optional<int> halo = haloOfFixed(variable, block, *values))
                return registry.add(variable, Scheme::Distributed, {inference.division->extent},
                                    where, *halo > 0 ? std::to_string(*halo) : "");
            return addReplicated(variable, where, *values);
        }
        return describeUnknown(variable, where);
    }

    /* An array of fixed size, with room for the rows of a process and perhaps more: the ghost rows
     * on each side, where the loop touches nothing but its own rows and those. */
    std::optional<int> haloOfFixed(const VarDecl *variable, const void *block, const Values &values)
    {
        const Values one(values.size(), 1);
        bool filled = facts.isFilledInitially(variable);
        bool kept = filled || (facts.uses.isWritten(variable) &&
                               (facts.isUsedAfter(variable) || !facts.isScratch(variable)));
        if (!inference.division || !kept || analysis.arrays.bytesOf(block) == 0)
            return std::nullopt;
        if (facts.own->setsInside(variable, one, 0) && facts.own->isWithin(variable, one))
            return 0;
        for (int width : {1, 2, 3})
            if (facts.own->setsInside(variable, one, width) &&
                facts.own->halo(variable, one, 2 * width) == width &&
                !facts.own->touchesMore(variable, one, 2 * width))
                return width;
        return std::nullopt;
    }

    /* Of a loop that starts over, the loop itself tells how rows lie: the program's start gives
     * them whatever memory it likes. */
    bool addByUse(const VarDecl *variable)
    {
        if (!analysis.startsOver || !inference.division || !facts.uses.isWritten(variable) ||
            facts.isMadeByStart(variable) || facts.isSetApart(variable))
            return false; /* what is set elsewhere, the loop does not tell */
        const size_t last = analysis.lastStep();
        std::optional<RowsByUse> rows =
            RowsByUseFinder(analysis, survey, *inference.division, *facts.own).find(variable);
        std::vector<Values> extents = {inference.division->extent};
        if (rows && rows->length != Values(rows->length.size(), 1))
            extents.push_back(rows->length);
        if (!rows || !isFree(*rows))
            return false;
        Picked picked = registry.pickedByUse(variable);
        const std::string before = survey.widthOf(rows->before, &picked),
                          front = survey.widthOf(rows->front, &picked),
                          behind = survey.widthOf(rows->behind, &picked);
        const std::vector<std::string> shape = registry.texts(extents, last, picked);
        const bool ghosts = rows->before + rows->behind > 0;
        if (shape.empty() ||
            !registry.addAt(last, variable, rows->whole ? Scheme::Owned : Scheme::Distributed,
                            shape, ghosts ? before : ""))
            return false;
        noteLeftOut(variable, rows->length, static_cast<int>(rows->front), rows->numbered);
        std::vector<Data> &all = analysis.entry(last).data;
        for (size_t i = 0; i < std::max<size_t>(pointersIn(variable), 1); i++) {
            Data &data = all[all.size() - 1 - i];
            data.at = front;
            data.numbered = rows->numbered;
            data.behind = behind;
        }
        parted.insert(rows->block);
        taken.insert(rows->leads.begin(), rows->leads.end());
        return true;
    }

    /* No array that is all of a piece of memory has that of ROWS. */
    bool isFree(const RowsByUse &rows) const
    {
        return taken.count(rows.block) == 0 && llvm::none_of(rows.leads, [&](const void *block) {
                   return taken.count(block) != 0 ||
                          (parted.count(block) != 0 && block != rows.block);
               });
    }

    /* Memory of unknown size may only hold what an iteration makes for itself. */
    bool describeUnknown(const VarDecl *variable, SourceLocation where)
    {
        if (facts.uses.isWritten(variable) && facts.isReceived(variable))
            return analysis.startsOver || received.isBuffer(variable) ||
                   registry.refuseShape(where, variable);
        if (!facts.uses.isWritten(variable) || facts.isScratch(variable))
            return true;
        return registry.refuseShape(where, variable);
    }

    /* Own rows behind WIDTH others that the loop leaves out at the edges of blocks, or treats there
     * otherwise than those between. */
    void noteLeftOut(const VarDecl *variable, const Values &length, int width, bool whole = false)
    {
        if (const Expr *index = facts.own->leavesOut(variable, length, width, whole))
            analysis.leftOut.emplace(variable->getCanonicalDecl(), index);
        checkEdges(variable, length, width, whole);
    }

    /* As many rows as a halo has a block has anyhow. */
    void noteLeast(const VarDecl *variable, const Values &length, int width, bool whole)
    {
        const OwnRows::Least needed = facts.own->least(variable, length, width, whole);
        if (needed.open != nullptr)
            even = registry.refuse(needed.open->getExprLoc(), Problem::LocalRows,
                                   {variable->getName(), analysis.source.spelled(needed.open)});
        if (needed.rows > width)
            needRows(needed.rows);
    }

    void needRows(long long rows)
    {
        analysis.program.loop.least = std::max(analysis.program.loop.least, rows);
    }

    void checkEdges(const VarDecl *variable, const Values &length, int width, bool whole)
    {
        noteLeast(variable, length, width, whole);
        const Stmt *element = facts.own->setsAgain(variable, length, width, whole);
        while (element != nullptr && !isa<ArraySubscriptExpr>(element))
            element = analysis.structure.parent(element);
        if (const auto *again = cast_or_null<ArraySubscriptExpr>(element))
            even = registry.refuse(again->getExprLoc(), Problem::LocalRows,
                                   {variable->getName(), analysis.source.spelled(again)});
    }

    /* Rows must be where the runtime looks for them: whole, one after another, with as many ghost
     * rows in front as behind. */
    bool addDistributed(const VarDecl *variable, SourceLocation where, const Values &length,
                        int rows, int slack)
    {
        int halo = facts.own->halo(variable, length, rows);
        const RecordDecl *record = pointedBy(variable)->getAsRecordDecl();
        const bool shown = facts.isAccessed(variable) || /* the loop says where rows are */
                           (record != nullptr && record->hasFlexibleArrayMember());
        bool ghosts =
            rows + slack > 0 && halo == 0 && !(shown && facts.own->isWithin(variable, length));
        if (ghosts && (facts.isMadeInIteration(variable) || facts.isMadeByStart(variable))) {
            noteLeftOut(variable, length, rows / 2);
            return true;
        }
        if (const Expr *strided = facts.own->stridedByCount(variable))
            return registry.refuse(strided->getExprLoc(), Problem::ColumnOrder,
                                   {variable->getName()});
        for (const Access &access : facts.uses.accesses) {
            if (!facts.uses.touches(access, variable))
                continue;
            if (facts.own->isLaterField(access, variable, length))
                return registry.refuse(access.where, Problem::ColumnOrder, {variable->getName()});
            if (ghosts && (hasOffset(analysis, facts.uses, access.index) ||
                           access.variable != variable->getCanonicalDecl()))
                return registry.refuse(
                    access.where, Problem::Halo,
                    {variable->getName(), ghostRows(variable, slack == 0 ? rows : 0)});
        }
        if (const Expr *across = facts.own->storesAcross(variable, length))
            return registry.refuse(across->getExprLoc(), Problem::ColumnOrder,
                                   {variable->getName()});
        if (ghosts && (rows > 1 || facts.own->touchesMore(variable, length, 0) ||
                       (rows > 0 && (!shown || facts.own->isHandedOver(variable)))))
            return registry.refuse(
                where, Problem::Halo,
                {variable->getName(), ghostRows(variable, slack == 0 ? rows : 0)});
        noteLeftOut(variable, length, halo);
        Values one(length.size(), 1);
        std::vector<Values> shape = {inference.division->extent};
        if (length != one)
            shape.push_back(length);
        return registry.add(variable, Scheme::Distributed, shape, where,
                            halo > 0 ? std::to_string(halo) : "");
    }

    bool addReplicated(const VarDecl *variable, SourceLocation where, const Values &values)
    {
        const bool written = facts.isChanged(variable);
        if (!written && !facts.isFilledInitially(variable))
            return true; /* every process makes it for itself */
        if (facts.isReceived(variable))
            return analysis.startsOver || received.isBuffer(variable) ||
                   registry.refuse(where, Problem::PartialArray,
                                   {variable->getName(), declaredFirst(analysis, variable)});
        if (facts.isScratch(variable) && !facts.isUsedAfter(variable) &&
            !facts.isFilledInitially(variable) && !facts.isExchanged(variable))
            return true;
        std::vector<Values> shape;
        Scheme scheme = Scheme::Replicated;
        if (inference.division)
            if (auto length = rowLength(survey, values, inference.division->extent, 0, 0)) {
                shape.push_back(inference.division->extent);
                if (*length != Values(length->size(), 1))
                    shape.push_back(*length);
                if (written && facts.own->setsOwnOnly(variable, *length)) {
                    scheme = Scheme::Owned;
                    noteLeftOut(variable, *length, 0, true);
                }
            }
        const Values one(values.size(), 1);
        if (analysis.startsOver && shape.empty() && written && inference.division &&
            analysis.arrays.bytesOf(blockOf(survey, variable)) != 0 &&
            facts.own->setsOwnOnly(variable, one)) {
            shape.push_back(inference.division->extent); /* there is room for more */
            scheme = Scheme::Owned;
        }
        if (shape.empty())
            shape.push_back(values);
        return registry.add(variable, scheme, shape, where);
    }
};

} // namespace

bool inferData(Analysis &analysis, const Inference &inference)
{
    if (inference.survey == nullptr)
        return checkMemberArrays(analysis, LoopUses(analysis));
    return DataFinder(analysis, inference).find();
}

} // namespace xmpi
