/* SPDX-License-Identifier: BSD-3-Clause
 * Finds how the arrays of the loop are stored, from the sizes that they were made with. */
#include "rows/elements.h"
#include "facts/first_use.h"
#include "rows/index_form.h"
#include "infer/infer.h"
#include "check/member_arrays.h"
#include "rows/own_rows.h"
#include "facts/pointer_targets.h"
#include "infer/row_table.h"
#include "infer/rows_by_use.h"
#include "check/safety.h"
#include "rows/sparse.h"
#include "facts/storage.h"
#include "facts/uses.h"
#include "report/advice.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

class DataFinder
{
  public:
    DataFinder(Analysis &analysis, const Inference &inference)
        : analysis(analysis), inference(inference), survey(*inference.survey), uses(analysis),
          targets(analysis)
    {
        if (inference.division)
            own = std::make_unique<OwnRows>(analysis, survey, *inference.division, uses);
    }

    bool find()
    {
        if (!checkMemberArrays(analysis, uses))
            return false;
        bool good = findSparse();
        std::set<const VarDecl *> seen;
        for (const Effects *effects : {&analysis.inLoop, &analysis.after.back()})
            for (const Mention &mention : effects->mentions) {
                const VarDecl *variable = mention.place.base->getCanonicalDecl();
                if (!seen.insert(variable).second)
                    continue;
                if (isPointerArray(analysis, variable))
                    good = describePointers(variable, mention.where) && good;
                else if (isCandidate(variable))
                    good = describe(variable, mention.where) && good;
                else if (isValueAround(variable) && isReceived(variable))
                    good = describeReceived(variable, mention.where) && good;
            }
        return good;
    }

  private:
    Analysis &analysis;
    const Inference &inference;
    const Survey &survey;
    LoopUses uses;
    PointerTargets targets;
    std::unique_ptr<OwnRows> own;
    std::set<const void *> taken;   /* blocks that have a variable already */
    std::set<const void *> parted;  /* of which variables have parts, as the loop uses them */
    std::set<const VarDecl *> made; /* set by each process, again after a reconfiguration */

    bool refuse(SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments)
    {
        analysis.diagnostics.report(where, problem, arguments);
        return false;
    }

    bool refuseShape(SourceLocation where, const VarDecl *variable)
    {
        reportShape(analysis, where, variable->getNameAsString());
        return false;
    }

    static bool isFile(QualType element)
    {
        const RecordDecl *record = element->getAsRecordDecl();
        return record != nullptr &&
               (record->getName() == "_IO_FILE" || record->getName() == "__sFILE");
    }

    bool isCandidate(const VarDecl *variable) const
    {
        const Step &step = analysis.loopStep();
        QualType type = variable->getType();
        QualType element = type->isPointerType() ? type->getPointeeType() : QualType();
        return !element.isNull() && element->isObjectType() && !element->isIncompleteType() &&
               !isFile(element) && !isHandle(type) && !analysis.requests.holds(variable) &&
               !type.isConstQualified() && !analysis.isData(variable) &&
               analysis.rootOnly.count(variable->getCanonicalDecl()) == 0 && !isMarked(variable) &&
               !isMainParameter(analysis, variable) &&
               !analysis.context.getSourceManager().isInSystemHeader(variable->getLocation()) &&
               analysis.structure.alive(variable, step.function, step.anchor) &&
               analysis.structure.visible(variable, step.function, step.anchor);
    }

    /* Named in a data pragma, or assigned in a statement marked setup by the user. */
    bool isMarked(const VarDecl *variable) const
    {
        for (const auto &pragma : analysis.pragmas.list)
            for (const ArrayOperand &array : pragma->arrays)
                if (const auto *named = dyn_cast<DeclRefExpr>(array.variable.expression))
                    if (named->getDecl()->getCanonicalDecl() == variable)
                        return true;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes)
                if (item.kind == Class::Setup && !write.place.element &&
                    write.place.base->getCanonicalDecl() == variable)
                    return true;
        return false;
    }

    static std::string lastField(const RecordDecl *record)
    {
        std::string name;
        for (const FieldDecl *field : record->fields())
            name = field->getNameAsString();
        return name;
    }

    /* The loop gives it memory of another size. */
    bool isResized(const VarDecl *variable) const
    {
        return std::any_of(
            analysis.inLoop.writes.begin(), analysis.inLoop.writes.end(), [&](const Write &write) {
                const auto *call =
                    write.value ? dyn_cast<CallExpr>(write.value->IgnoreParenCasts()) : nullptr;
                return call != nullptr && calleeName(call) == "realloc" && !write.place.element &&
                       uses.means(write.place.base, variable);
            });
    }

    /* Sparse matrices tell what becomes of the arrays that are filled with them. */
    bool findSparse()
    {
        std::set<const VarDecl *> seen;
        bool good = true;
        for (const Mention &mention : analysis.inLoop.mentions) {
            const VarDecl *variable = mention.place.base->getCanonicalDecl();
            if (!inference.division || !seen.insert(variable).second || !isCandidate(variable))
                continue;
            const void *block = blockOf(survey, variable);
            std::optional<Values> values =
                block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
            if (values && isRowPointers(variable, *values))
                good = describeSparse(variable, mention.where) && good;
        }
        return good;
    }

    bool describe(const VarDecl *variable, SourceLocation where)
    {
        if (!uses.isWritten(variable) && isSameAsAny(made, variable))
            return true;
        if (isa<ParmVarDecl>(variable) && isFixedArray(analysis, variable)) {
            analysis.fixed.insert(variable);
            return true;
        }
        if (!isa<ParmVarDecl>(variable) && !valuesBehind(targets, variable).empty())
            return true; /* they travel */
        if (addByUse(variable))
            return true;
        if (variable->getType()->getPointeeType()->isPointerType() && isAccessed(variable))
            return describeTable(variable, where);
        const void *block = blockOf(survey, variable);
        std::optional<Values> values =
            block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
        if (!values || variable->getType()->getPointeeType()->isPointerType())
            return describeUnknown(variable, where);
        return taken.count(block) != 0 ||
               parted.count(block) != 0 || /* the check of pointers into registered data sees it */
               describeSized(variable, where, block, *values);
    }

    /* Each pointer leads to memory of its own, and all of it is divided in the same way. */
    bool describePointers(const VarDecl *variable, SourceLocation where)
    {
        std::optional<Values> values = elementsOfEach(analysis, survey, variable, taken);
        if (!values || !analysis.structure.visible(variable, analysis.loopStep().function,
                                                   analysis.loopStep().anchor))
            return refuse(where, Problem::PointerArray, {variable->getName()});
        return describeSized(variable, where, blockOf(survey, variable), *values);
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
                return add(variable, Scheme::Distributed, {inference.division->extent}, where,
                           *halo > 0 ? std::to_string(*halo) : "");
            return addReplicated(variable, where, *values);
        }
        return describeUnknown(variable, where);
    }

    /* An array of fixed size, with room for the rows of a process and perhaps more: the ghost rows
     * on each side, where the loop touches nothing but its own rows and those. */
    std::optional<int> haloOfFixed(const VarDecl *variable, const void *block, const Values &values)
    {
        const Values one(values.size(), 1);
        bool filled = isFilledInitially(variable);
        bool kept =
            filled || (uses.isWritten(variable) && (isUsedAfter(variable) || !isScratch(variable)));
        if (!inference.division || !kept || analysis.arrays.bytesOf(block) == 0)
            return std::nullopt;
        if (own->setsInside(variable, one, 0) && own->isWithin(variable, one))
            return 0;
        for (int width : {1, 2, 3})
            if (own->setsInside(variable, one, width) &&
                own->halo(variable, one, 2 * width) == width &&
                !own->touchesMore(variable, one, 2 * width))
                return width;
        return std::nullopt;
    }

    /* One more than rows, and the loop goes over entries from one to the next. */
    bool isRowPointers(const VarDecl *variable, const Values &values) const
    {
        std::optional<Values> unit = rowLength(survey, values, inference.division->count, 1, 0);
        return unit && *unit == Values(unit->size(), 1) && pointersIn(variable) == 0 &&
               pointedBy(variable)->isIntegerType() && !entriesOf(uses, variable).empty();
    }

    /* A sparse matrix that everybody assembles for himself is assembled again; else it is moved. */
    bool describeSparse(const VarDecl *variable, SourceLocation where)
    {
        std::vector<const VarDecl *> arrays = {variable};
        for (const VarDecl *entries : entriesOf(uses, variable))
            if (isCandidate(entries))
                arrays.push_back(entries);
        if (isMadeAgain(arrays))
            return true;
        size_t step = analysis.path.size() - 1;
        std::vector<std::string> shape = texts({inference.division->extent}, step);
        if (arrays.size() == 3 && !arrays[1]->getType()->getPointeeType()->isIntegerType())
            std::swap(arrays[1], arrays[2]);
        if (arrays.size() != 3 || shape.empty() ||
            !arrays[1]->getType()->getPointeeType()->isIntegerType())
            return refuseShape(where, variable);
        for (size_t i = 0; i < 3; i++) {
            addAt(step, arrays[i], Scheme::Distributed, shape, "");
            analysis.program.loop.before.data.back().csr = static_cast<int>(i) + 1;
        }
        return true;
    }

    /* No statement that fills ARRAYS does what only the first processes may do, or sets what the
     * loop goes on with. What is filled with them and not changed is made again, too. */
    bool isMadeAgain(const std::vector<const VarDecl *> &arrays)
    {
        auto filled = filledAlong(analysis, arrays, [&](const VarDecl *one, const VarDecl *other) {
            return isSame(one, other);
        });
        if (!filled || (!inference.division->variables.empty() && dividesRows(arrays)))
            return false;
        if (analysis.movesSparse && arrays.size() == 3)
            return false;
        for (const VarDecl *array : *filled) {
            bool entries = std::find(arrays.begin(), arrays.end(), array) != arrays.end();
            bool changed = uses.isWritten(array);
            if ((changed && (entries || !isScratch(array) || isUsedAfter(array))) ||
                isFilledInitially(array))
                return false;
        }
        made.insert(filled->begin(), filled->end());
        analysis.assembles = true;
        return true;
    }

    /* The first statement that sets something of the range fills one of ARRAYS as well: it is not
     * told which rows, but follows its own formula. */
    bool dividesRows(const std::vector<const VarDecl *> &arrays) const
    {
        size_t first = SIZE_MAX;
        for (const auto &[range, item] : inference.division->variables)
            first = std::min(first, item);
        const auto &writes = analysis.prologue[first].effects.writes;
        return std::any_of(writes.begin(), writes.end(), [&](const Write &write) {
            const VarDecl *base = write.place.base->getCanonicalDecl();
            return write.place.element && write.place.field == nullptr &&
                   std::any_of(arrays.begin(), arrays.end(),
                               [&](const VarDecl *array) { return isSame(base, array); });
        });
    }

    /* Of a loop that starts over, the loop itself tells how rows lie: the program's start gives
     * them whatever memory it likes. */
    bool addByUse(const VarDecl *variable)
    {
        if (!analysis.startsOver || !inference.division || !uses.isWritten(variable) ||
            isMadeByStart(variable))
            return false;
        const size_t last = analysis.lastStep();
        std::optional<RowsByUse> rows =
            RowsByUseFinder(analysis, survey, *inference.division, *own).find(variable);
        std::vector<Values> extents = {inference.division->extent};
        if (rows && rows->length != Values(rows->length.size(), 1))
            extents.push_back(rows->length);
        const std::vector<std::string> shape =
            rows ? texts(extents, last) : std::vector<std::string>();
        if (!rows || !isFree(*rows))
            return false;
        const bool ghosts = rows && rows->before + rows->behind > 0;
        if (shape.empty() ||
            !addAt(last, variable, rows->whole ? Scheme::Owned : Scheme::Distributed, shape,
                   ghosts ? std::to_string(rows->before) : ""))
            return false;
        Data &data = analysis.entry(last).data.back();
        data.at = std::to_string(rows->front);
        data.numbered = rows->numbered;
        parted.insert(rows->block);
        taken.insert(rows->leads.begin(), rows->leads.end());
        data.behind = std::to_string(rows->behind);
        return true;
    }

    /* No array that is all of a piece of memory has that of ROWS. */
    bool isFree(const RowsByUse &rows) const
    {
        return taken.count(rows.block) == 0 &&
               std::none_of(rows.leads.begin(), rows.leads.end(), [&](const void *block) {
                   return taken.count(block) != 0 ||
                          (parted.count(block) != 0 && block != rows.block);
               });
    }

    /* The program's start makes room for it, and each iteration what is in it. */
    bool isMadeByStart(const VarDecl *variable)
    {
        return analysis.startsOver && isScratch(variable) && !isUsedAfter(variable);
    }

    bool isScratch(const VarDecl *variable)
    {
        return setsBeforeReading(analysis, variable, nullptr, false);
    }

    /* Memory of unknown size may only hold what an iteration makes for itself. */
    bool describeUnknown(const VarDecl *variable, SourceLocation where)
    {
        if (uses.isWritten(variable) && isReceived(variable))
            return analysis.startsOver || isBuffer(variable) || refuseShape(where, variable);
        if (!uses.isWritten(variable) || isScratch(variable))
            return true;
        return refuseShape(where, variable);
    }

    /* An array of pointers to rows that lie one after another in one block. */
    bool describeTable(const VarDecl *variable, SourceLocation where)
    {
        std::optional<RowTable> table =
            inference.division ? findRowTable(analysis, *inference.survey, variable) : std::nullopt;
        if (isMadeByStart(variable))
            return true;
        if (!table || !(analysis.startsOver || isRebuilt(variable)))
            return refuse(where, Problem::RowPointers, {variable->getName()});
        if (!taken.insert(table->block).second)
            return refuse(where, Problem::RowPointers, {variable->getName()});
        const Values one(table->rows.size(), 1);
        if (analysis.startsOver && table->rows == inference.division->extent)
            return addRows(variable, where, *table,
                           own->setsOwnOnly(variable, one) ? Scheme::Owned : Scheme::Replicated, 0);
        for (int extra : {0, 2, 4, 6}) {
            std::optional<Values> unit =
                rowLength(survey, table->rows, inference.division->count, extra, 0);
            if (!unit || *unit != one)
                continue;
            int halo = own->halo(variable, one, extra);
            if ((extra > 0 && halo == 0 && !own->isWithin(variable, one)) ||
                (halo > 0 && analysis.startsOver)) /* rows around the domain stay behind */
                return refuse(where, Problem::Halo, {variable->getName()});
            return analysis.startsOver ? addRows(variable, where, *table, Scheme::Distributed, halo)
                                       : addTable(variable, where, *table, halo);
        }
        return refuse(where, Problem::RowPointers, {variable->getName()});
    }

    /* Rows are where the program's own start puts them. */
    bool addRows(const VarDecl *variable, SourceLocation where, const RowTable &table,
                 Scheme scheme, int halo)
    {
        const size_t last = analysis.path.size() - 1;
        std::vector<std::string> shape = texts({inference.division->extent, table.length}, last);
        if (shape.empty())
            return refuseShape(where, variable);
        if (!addAt(last, variable, scheme, shape, halo > 0 ? std::to_string(halo) : ""))
            return false;
        aliasHolders(analysis, table, analysis.data.at(variable));
        return true;
    }

    /* The pointers can be written anew where the loop is: nobody else holds them, and the loop does
     * not exchange rows. */
    bool isRebuilt(const VarDecl *variable) const
    {
        if (countName().empty() || !canTellCallers(analysis, variable))
            return false;
        return std::none_of(
            analysis.inLoop.writes.begin(), analysis.inLoop.writes.end(), [&](const Write &write) {
                return write.how == Write::How::Assigned && write.place.element &&
                       write.place.type->isPointerType() && uses.means(write.place.base, variable);
            });
    }

    /* What holds the number of own rows where the loop is. */
    std::string countName() const
    {
        const Step &step = analysis.loopStep();
        for (const RangeVariable &range : analysis.ranges)
            if (range.kind == RangeKind::Count && !range.place.behind &&
                analysis.structure.visible(range.place.base, step.function, step.anchor))
                return analysis.textOf(range.place, analysis.lastStep());
        return analysis.program.hiddenRange ? "xmpi_count" : "";
    }

    bool addTable(const VarDecl *variable, SourceLocation where, const RowTable &table, int halo)
    {
        const Step &step = analysis.loopStep();
        std::string length = survey.textFor(table.length, step.function, step.anchor);
        std::string name = analysis.textOf({variable, nullptr, false, false, variable->getType()},
                                           analysis.lastStep());
        std::string rows = countName();
        std::vector<Values> shape = {inference.division->extent, table.length};
        if (length.empty() || texts(shape, analysis.path.size() - 1).empty())
            return refuseShape(where, variable);
        if (halo > 0)
            rows += " + " + std::to_string(2 * halo);
        std::string ours = "xmpi_rows_" + name;
        std::replace_if(
            ours.begin(), ours.end(), [](char c) { return !isalnum(c) && c != '_'; }, '_');
        if (analysis.several)
            ours += "_" + std::to_string(analysis.source.offset(variable->getLocation()));
        std::string told = tellCallers(analysis, variable, ours);
        if (!told.empty())
            ours += "[0]";
        std::string first =
            ours + " = " + rows + " > 0 ? (void *)" + name + "[0] : (void *)0;" + told;
        Registrations &before = analysis.program.loop.before;
        Registrations &inside = analysis.program.loop.inside;
        before.prepare += (before.prepare.empty() ? "" : " ") + first;
        inside.prepare += (inside.prepare.empty() ? "" : " ") + first;
        analysis.program.loop.again.push_back(name + " = xmpi_gen_rows((void *)" + name + ", " +
                                              ours + ", (long long)(" + rows + "), sizeof **" +
                                              name + " * (unsigned long)(" + length + "));" + told);
        if (!addAt(analysis.path.size() - 1, variable, Scheme::Distributed,
                   texts(shape, analysis.path.size() - 1), halo > 0 ? std::to_string(halo) : ""))
            return false;
        Data &data = before.data.back();
        data.table = name;
        data.variable = ours;
        data.elements = elementsOf(analysis.context, pointedBy(variable)->getPointeeType());
        aliasHolders(analysis, table, data.name);
        return true;
    }

    bool isAccessed(const VarDecl *variable) const
    {
        return std::any_of(uses.accesses.begin(), uses.accesses.end(),
                           [&](const Access &access) { return uses.touches(access, variable); });
    }

    /* Rows must be where the runtime looks for them: whole, one after another, with as many ghost
     * rows in front as behind. */
    bool addDistributed(const VarDecl *variable, SourceLocation where, const Values &length,
                        int rows, int slack)
    {
        int halo = own->halo(variable, length, rows);
        const RecordDecl *record = pointedBy(variable)->getAsRecordDecl();
        const bool shown = isAccessed(variable) || /* the loop says where rows are */
                           (record != nullptr && record->hasFlexibleArrayMember());
        bool ghosts = rows + slack > 0 && halo == 0 && !(shown && own->isWithin(variable, length));
        if (ghosts && (isMadeInIteration(variable) || isMadeByStart(variable)))
            return true;
        for (const Access &access : uses.accesses) {
            if (!uses.touches(access, variable))
                continue;
            if (isStridedByCount(analysis, uses, access.index) ||
                own->isLaterField(access, variable, length))
                return refuse(access.where, Problem::ColumnOrder, {variable->getName()});
            if (ghosts && (hasOffset(analysis, uses, access.index) ||
                           access.variable != variable->getCanonicalDecl()))
                return refuse(access.where, Problem::Halo, {variable->getName()});
        }
        if (const Expr *across = own->storesAcross(variable, length))
            return refuse(across->getExprLoc(), Problem::ColumnOrder, {variable->getName()});
        if (ghosts && (rows > 1 || own->touchesMore(variable, length, 0) ||
                       (rows > 0 && (!shown || own->isHandedOver(variable)))))
            return refuse(where, Problem::Halo, {variable->getName()});
        if (const Expr *index = own->leavesOut(variable, length, halo))
            analysis.leftOut.emplace(variable->getCanonicalDecl(), index);
        Values one(length.size(), 1);
        std::vector<Values> shape = {inference.division->extent};
        if (length != one)
            shape.push_back(length);
        return add(variable, Scheme::Distributed, shape, where,
                   halo > 0 ? std::to_string(halo) : "");
    }

    /* Fluxes through the faces between rows: nothing of them outlasts an iteration, and what makes
     * room for them is run again. */
    bool isMadeInIteration(const VarDecl *variable)
    {
        return isScratch(variable) && own->setsAllFirst(variable) && !isUsedAfter(variable) &&
               !isFilledInitially(variable) && variable->hasLocalStorage() &&
               variable->getDeclContext() == analysis.loopStep().function;
    }

    /* The extents as the function of STEP can write them; empty where it cannot. */
    std::vector<std::string> texts(const std::vector<Values> &shape, size_t step) const
    {
        std::vector<std::string> all;
        for (const Values &values : shape) {
            const Step &place = analysis.path[step];
            std::string text = inference.division && values == inference.division->extent &&
                                       step == inference.division->step
                                   ? inference.division->domain
                                   : survey.textFor(values, place.function, place.anchor);
            if (text.empty())
                return {};
            all.push_back(text);
        }
        return all;
    }

    /* What holds the pointer of VARIABLE, of the function of STEP, in the caller; or null. */
    const VarDecl *inCaller(const VarDecl *variable, size_t step) const
    {
        if (variable->hasGlobalStorage())
            return variable;
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        if (parameter == nullptr || step == 0)
            return nullptr;
        const CallExpr *call = analysis.path[step - 1].call;
        if (parameter->getFunctionScopeIndex() >= call->getNumArgs())
            return nullptr;
        const Expr *argument = call->getArg(parameter->getFunctionScopeIndex());
        const auto *reference = dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts());
        const auto *passed = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        return passed != nullptr && passed->getType()->isPointerType() ? passed->getCanonicalDecl()
                                                                       : nullptr;
    }

    /* Filled by something that joining processes do not run, or on some ranks only. */
    bool isFilledInitially(const VarDecl *variable) const
    {
        return std::any_of(
            analysis.prologue.begin(), analysis.prologue.end(), [&](const Item &item) {
                return isBeyondJoiners(analysis, item) &&
                       std::any_of(item.effects.writes.begin(), item.effects.writes.end(),
                                   [&](const Write &write) {
                                       return write.place.element &&
                                              isSame(write.place.base, variable);
                                   });
            });
    }

    bool isSameAsAny(const std::set<const VarDecl *> &others, const VarDecl *variable) const
    {
        return std::any_of(others.begin(), others.end(),
                           [&](const VarDecl *other) { return isSame(other, variable); });
    }

    /* VARIABLE, or a variable of a caller that is passed on for it. */
    bool isSame(const VarDecl *other, const VarDecl *variable) const
    {
        if (other->getCanonicalDecl() == variable->getCanonicalDecl())
            return true;
        const void *block = blockOf(survey, variable);
        return block != nullptr && blockOf(survey, other->getCanonicalDecl()) == block;
    }

    bool addReplicated(const VarDecl *variable, SourceLocation where, const Values &values)
    {
        bool written = uses.isWritten(variable);
        if (!written && !isFilledInitially(variable))
            return true; /* every process makes it for itself */
        if (isReceived(variable))
            return analysis.startsOver || isBuffer(variable) ||
                   refuse(where, Problem::PartialArray, {variable->getName()});
        if (isScratch(variable) && !isUsedAfter(variable) && !isFilledInitially(variable))
            return true;
        std::vector<Values> shape;
        Scheme scheme = Scheme::Replicated;
        if (inference.division)
            if (auto length = rowLength(survey, values, inference.division->extent, 0, 0)) {
                shape.push_back(inference.division->extent);
                if (*length != Values(length->size(), 1))
                    shape.push_back(*length);
                if (written && own->setsOwnOnly(variable, *length))
                    scheme = Scheme::Owned;
            }
        const Values one(values.size(), 1);
        if (analysis.startsOver && shape.empty() && written && inference.division &&
            analysis.arrays.bytesOf(blockOf(survey, variable)) != 0 &&
            own->setsOwnOnly(variable, one)) {
            shape.push_back(inference.division->extent); /* there is room for more */
            scheme = Scheme::Owned;
        }
        if (shape.empty())
            shape.push_back(values);
        return add(variable, scheme, shape, where);
    }

    /* Messages of an iteration fill it. A process without a neighbour keeps what the prologue has
     * put there, which each layout needs anew: nothing comes from MPI_PROC_NULL. */
    bool isReceived(const VarDecl *variable) const
    {
        return !isUsedAfter(variable) && !isFilledInitially(variable) &&
               receivesBeforeReading(analysis, variable);
    }

    /* A number, or an array of fixed size, declared outside the loop. */
    bool isValueAround(const VarDecl *variable) const
    {
        const Step &step = analysis.loopStep();
        QualType type = variable->getType();
        return isPlainValue(type) && !type->isRecordType() && !type.isConstQualified() &&
               analysis.structure.alive(variable, step.function, step.anchor) &&
               analysis.structure.visible(variable, step.function, step.anchor);
    }

    /* A number gets its first value again after a reconfiguration. */
    bool describeReceived(const VarDecl *variable, SourceLocation where)
    {
        const Write *only = nullptr;
        size_t writes = 0;
        if (analysis.startsOver)
            return true;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes)
                if (write.place.base->getCanonicalDecl() == variable) {
                    only = &write;
                    writes++;
                }
        bool number = variable->getType()->isArithmeticType();
        if (writes == 0 && variable->hasGlobalStorage() && variable->getInit() == nullptr) {
            clearAgain(variable);
            return true;
        }
        if (writes == 0 && !variable->hasGlobalStorage())
            return true;
        if (writes > 0 && !number && isBuffer(variable))
            return true;
        const Expr *value = only != nullptr ? only->value : variable->getInit();
        if (!number || writes > 1 || value == nullptr || !value->isEvaluatable(analysis.context))
            return refuse(where, Problem::LocalState, {variable->getName()});
        analysis.program.loop.again.push_back(
            nameAtLoop(variable) + " = " +
            analysis.source.text(analysis.source.expression(value)).str() + ";");
        return true;
    }

    std::string nameAtLoop(const VarDecl *variable) const
    {
        return analysis.textOf({variable, nullptr, false, false, variable->getType()},
                               analysis.lastStep());
    }

    /* What the program starts with. */
    void clearAgain(const VarDecl *variable)
    {
        std::string name = nameAtLoop(variable);
        analysis.program.loop.again.push_back(variable->getType()->isArithmeticType()
                                                  ? name + " = 0;"
                                                  : "__builtin_memset(&" + name + ", 0, sizeof " +
                                                        name + ");");
    }

    /* What gives a received array its first contents can be run again. */
    bool isBuffer(const VarDecl *variable)
    {
        std::set<const VarDecl *> buffers;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                if (!isSame(write.place.base, variable))
                    continue;
                bool filled = write.place.element || isCleared(write) ||
                              !write.place.base->getType()->isPointerType();
                if (filled && !isForBuffersOnly(item))
                    return false;
                if (filled)
                    buffers.insert(write.place.base->getCanonicalDecl());
            }
        analysis.buffers.insert(buffers.begin(), buffers.end());
        return true;
    }

    static bool isCleared(const Write &write)
    {
        const auto *call =
            write.value ? dyn_cast<CallExpr>(write.value->IgnoreParenCasts()) : nullptr;
        return call != nullptr && calleeName(call) == "calloc";
    }

    /* What it sets beside can be set again: the loop does not change it. */
    bool isForBuffersOnly(const Item &item) const
    {
        const auto &own = item.effects.declared;
        bool silent = std::none_of(
            item.effects.calls.begin(), item.effects.calls.end(), [&](const CallExpr *call) {
                return !inputOutput(analysis, call).empty() ||
                       (isMpiCall(call) && !PersistentRequests::isInit(call) &&
                        !communication(analysis, call).empty());
            });
        return std::all_of(item.effects.writes.begin(), item.effects.writes.end(),
                           [&](const Write &write) {
                               const VarDecl *base = write.place.base;
                               bool inside = base->getType()->isArithmeticType() &&
                                             std::find(own.begin(), own.end(), base) != own.end();
                               bool kept = silent && !write.place.element &&
                                           analysis.members.contains(base) && !uses.isWritten(base);
                               return inside || kept || isReceived(base);
                           });
    }

    bool isUsedAfter(const VarDecl *variable) const
    {
        for (const Effects &after : analysis.after)
            for (const Mention &mention : after.mentions)
                if (isSame(mention.place.base, variable) && !isFreed(mention))
                    return true;
        return false;
    }

    bool isFreed(const Mention &mention) const
    {
        for (const Effects &after : analysis.after)
            for (const CallExpr *call : after.calls)
                if (calleeName(call) == "free" && call->getNumArgs() == 1 &&
                    call->getArg(0)->IgnoreParenCasts()->getExprLoc() == mention.where)
                    return true;
        return false;
    }

    /* Registered where its extents can be written: before the loop, or before a call on the way. */
    bool add(const VarDecl *variable, Scheme scheme, const std::vector<Values> &extents,
             SourceLocation where, const std::string &halo = "")
    {
        size_t step = analysis.path.size() - 1;
        const VarDecl *named = variable;
        std::vector<std::string> shape = texts(extents, step);
        while (shape.empty() && step > 0 && (named = inCaller(named, step)) != nullptr)
            shape = texts(extents, --step);
        if (shape.empty())
            return refuseShape(where, variable);
        return addAt(step, named, scheme, shape, halo);
    }

    bool addAt(size_t step, const VarDecl *variable, Scheme scheme,
               const std::vector<std::string> &shape, const std::string &halo)
    {
        if (const FieldDecl *field = pointerMember(pointedBy(variable)))
            return refuse(variable->getLocation(), Problem::MemberArray,
                          {variable->getNameAsString() + "[]." + field->getNameAsString()});
        const RecordDecl *record = pointedBy(variable)->getAsRecordDecl();
        if (record != nullptr && record->getDefinition() != nullptr &&
            record->getDefinition()->hasFlexibleArrayMember())
            return refuse(
                variable->getLocation(), Problem::MemberArray,
                {variable->getNameAsString() + "->" + lastField(record->getDefinition())});
        if (isResized(variable))
            return refuseShape(variable->getLocation(), variable);
        Data data;
        data.halo = halo;
        data.name = uniqueName(analysis, variable);
        data.variable =
            analysis.textOf({variable, nullptr, false, false, variable->getType()}, step);
        data.scheme = scheme;
        data.shape = shape;
        data.fixed = analysis.arrays.bytesOf(blockOf(survey, variable));
        data.elements = elementsOf(analysis.context, pointedBy(variable));
        data.where = analysis.source.offset(variable->getLocation());
        analysis.data[variable] = data.name;
        const Data one = data;
        for (size_t i = 0; i < pointersIn(variable); i++) {
            data.name = one.name + "[" + std::to_string(i) + "]";
            data.variable = one.variable + "[" + std::to_string(i) + "]";
            analysis.data[variable] = one.name + "[0]";
            analysis.entry(step).data.push_back(data);
        }
        if (pointersIn(variable) == 0)
            analysis.entry(step).data.push_back(data);
        addCopies(step, variable, one);
        return true;
    }

    /* A struct that was handed on by value has the pointers of its own as well. */
    void addCopies(size_t step, const VarDecl *variable, const Data &data)
    {
        if (!analysis.members.contains(variable))
            return;
        for (size_t holder : analysis.holders(variable)) {
            std::string text =
                analysis.textOf({variable, nullptr, false, false, variable->getType()}, holder);
            for (size_t i = 0; holder != step && i < std::max<size_t>(pointersIn(variable), 1);
                 i++) {
                std::string index = pointersIn(variable) ? "[" + std::to_string(i) + "]" : "";
                analysis.entry(holder).aliases.push_back(
                    {data.name + index, text + index, data.where});
            }
        }
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
