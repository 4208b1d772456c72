/* SPDX-License-Identifier: BSD-3-Clause
 * What setup statements compute by the program's own formula for the range: tables of the parts of
 * all ranks are gathered anew, the range gets its values back, and everything else is refused. */
#include "infer/infer_tables.h"
#include "compat.h"
#include "flow/other_files.h"
#include "check/safety.h"
#include "facts/uses.h"
#include "report/advice.h"

namespace xmpi
{

using namespace clang;

namespace
{

class Renewer
{
  public:
    Renewer(Analysis &analysis, const Inference &inference)
        : analysis(analysis), inference(inference), uses(analysis)
    {
    }

    bool renew()
    {
        bool good = true;
        for (Item &item : analysis.prologue) {
            if (item.kind != Class::Setup)
                continue;
            bool ranges = keepRange(item);
            good = (item.pragma->inferred ? renewTables(item) : renewMarked(item)) &&
                   (!ranges || followsLayout(item) || checkOthers(item)) && good;
        }
        return good && checkDividing() && checkBlocks();
    }

  private:
    Analysis &analysis;
    const Inference &inference;
    LoopUses uses;

    bool isRange(const Place &place) const
    {
        return analysis.rangeAt(place) != nullptr;
    }

    /* Tables that tell the range must be right after a reconfiguration. */
    bool checkDividing()
    {
        if (!inference.division)
            return true;
        for (const Place &table : inference.division->tables)
            if (analysis.renewed.count({table.base->getCanonicalDecl(), table.field}) == 0)
                return refuse(analysis.prologue[inference.division->item].statement, table);
        return true;
    }

    /* -- the range itself */

    static bool isOfRows(const RangeVariable &range)
    {
        return range.kind != RangeKind::Rank && range.kind != RangeKind::Size &&
               range.kind != RangeKind::Neighbour;
    }

    /* The copy of ITEM would set range variables by the program's own formula. */
    bool keepRange(const Item &item)
    {
        const Step &step = analysis.loopStep();
        std::set<std::string> done;
        for (const Write &write : item.effects.writes)
            for (const RangeVariable &range : analysis.ranges) {
                if (!isOfRows(range) || !overlap(range.place, write.place) || range.place.behind ||
                    !done.insert(range.place.text()).second ||
                    !analysis.structure.visible(range.place.base, step.function, step.anchor))
                    continue;
                if (inference.division)
                    hideRange(analysis, *inference.division);
                if (analysis.program.hiddenRange)
                    analysis.tables.push_back({item.statement, rangeAgain(analysis, range)});
            }
        return !done.empty();
    }

    /* Where ITEM takes what there is of rows from the range alone, its copy finds the range as it
     * is, and what comes of it is right. */
    bool followsLayout(const Item &item) const
    {
        for (const CallExpr *call : item.effects.calls) {
            llvm::StringRef name = calleeName(call);
            if (name == "MPI_Comm_rank" || name == "MPI_Comm_size" || isUnseen(analysis, call))
                return false;
        }
        return llvm::all_of(item.effects.mentions, [&](const Mention &mention) {
            return !mentionsRank(mention.place) &&
                   (mention.assigned || analysis.rangeAt(mention.place) != nullptr ||
                    !variesByFormula(item, mention.place));
        });
    }

    bool mentionsRank(const Place &place) const
    {
        return llvm::any_of(analysis.ranges, [&](const RangeVariable &range) {
            return overlap(range.place, place) && !isOfRows(range);
        });
    }

    /* What setup statements before ITEM have computed may follow the program's own formula. */
    bool variesByFormula(const Item &item, const Place &place) const
    {
        for (const Item &earlier : analysis.prologue) {
            if (&earlier == &item)
                return false;
            for (const Write &write : earlier.effects.writes)
                if (earlier.kind == Class::Setup && overlap(write.place, place) &&
                    analysis.renewed.count({place.base->getCanonicalDecl(), place.field}) == 0 &&
                    !followsLayout(earlier))
                    return true;
        }
        return false;
    }

    /* The part of the range that ITEM sets beside OTHER. */
    const Place &rangeIn(const Item &item, const Place &other) const
    {
        for (const Write &write : item.effects.writes)
            for (const RangeVariable &range : analysis.ranges)
                if (isOfRows(range) && overlap(range.place, write.place))
                    return write.place;
        return other;
    }

    /* In the copy itself the range has the values of the formula: nothing else may come of them. */
    bool checkOthers(const Item &item)
    {
        if (!analysis.program.hiddenRange || inference.survey == nullptr)
            return refuse(item.statement, item.effects.writes.front().place);
        for (const Write &write : item.effects.writes) {
            bool local = llvm::is_contained(item.effects.declared, write.place.base) &&
                         !isa<DeclStmt>(item.statement);
            if (!local && !checkOther(item, write.place))
                return false;
        }
        return true;
    }

    bool checkOther(const Item &item, const Place &place)
    {
        if (isWholeStruct(place)) {
            for (const FieldDecl *field : place.type->getAsRecordDecl()->fields())
                if (!checkOther(item, {place.base, field, false, false, field->getType()}))
                    return false;
            return true;
        }
        bool table = analysis.renewed.count({place.base->getCanonicalDecl(), place.field}) != 0;
        return analysis.rangeAt(place) != nullptr || !isUsedLater(item, place) || table ||
               isSameOnAll(place) ||
               refuse(item.statement, isHandle(place.type) ? rangeIn(item, place) : place);
    }

    bool refuse(const Stmt *statement, const Place &place)
    {
        return analysis.diagnostics.report(
            statement->getBeginLoc(), Problem::OwnFormula,
            {place.element ? place.base->getNameAsString() : place.text()});
    }

    /* -- sizes of blocks by the program's own formula */

    /* A number, or memory, for as many rows as the formula gives a rank at most (or at least):
     * other ranks than the formula's may have more. */
    bool checkBlocks()
    {
        if (!inference.division || inference.survey == nullptr)
            return true;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                const Place &place = write.place;
                SourceLocation where;
                if (place.element || place.behind || analysis.isData(place.base) ||
                    analysis.rangeAt(place) != nullptr || !isBlock(place) ||
                    analysis.renewed.count({place.base->getCanonicalDecl(), place.field}) != 0 ||
                    analysis.laterUse(place, where).empty())
                    continue;
                return refuse(item.statement, place);
            }
        return true;
    }

    /* The values, or the sizes of the memory, are a multiple of extent / size, rounded up or down.
     */
    bool isBlock(const Place &place) const
    {
        std::map<size_t, long long> least, most;
        bool down = true, up = true, varies = false;
        for (size_t i = 0; i < inference.survey->samples.size(); i++) {
            const Survey::Sample &sample = inference.survey->samples[i];
            long long whole = inference.division->extent[i];
            std::optional<long long> value = measure(sample, place);
            if (!value || *value <= 0 || whole < sample.size)
                return false;
            varies = varies || (whole % sample.size != 0);
            down = down && isMultiple(least, sample.round, *value, whole / sample.size);
            up = up &&
                 isMultiple(most, sample.round, *value, (whole + sample.size - 1) / sample.size);
            if (!down && !up)
                return false;
        }
        return varies;
    }

    static bool isMultiple(std::map<size_t, long long> &factors, size_t round, long long value,
                           long long rows)
    {
        return value % rows == 0 &&
               factors.emplace(round, value / rows).first->second == value / rows;
    }

    /* The integer that PLACE holds, or the bytes that it points to. */
    static std::optional<long long> measure(const Survey::Sample &sample, const Place &place)
    {
        Cell cell{place.base->getCanonicalDecl(), place.field};
        if (!place.type->isPointerType())
            return sample.trial.integerAt(cell);
        Value pointer = sample.trial.valueAt(cell);
        return pointer.kind == Value::Kind::Pointer ? sample.trial.bytesOf(pointer.target.base)
                                                    : std::nullopt;
    }

    bool isUsedLater(const Item &item, const Place &place)
    {
        SourceLocation where;
        if (!analysis.laterUse(place, where).empty())
            return true;
        bool later = false;
        for (const Item &other : analysis.prologue) {
            if (later)
                for (const Mention &mention : other.effects.mentions)
                    if (!mention.assigned && overlap(mention.place, place))
                        return true;
            later = later || &other == &item;
        }
        return false;
    }

    /* An integer, or the size of memory, that ranks of the same number of processes have in common.
     */
    bool isSameOnAll(const Place &place) const
    {
        std::optional<long long> before;
        for (const Survey::Sample &sample : inference.survey->samples) {
            std::optional<long long> value = measure(sample, place);
            if (!value || (sample.rank > 0 && *value != *before))
                return false;
            before = value;
        }
        return true;
    }

    /* -- tables of the parts of all ranks */

    std::string variableOf(RangeKind kind) const
    {
        const Step &step = analysis.loopStep();
        for (const RangeVariable &range : analysis.ranges)
            if (range.kind == kind && !range.place.behind &&
                analysis.structure.visible(range.place.base, step.function, step.anchor))
                return analysis.textOf(range.place, analysis.lastStep());
        if (analysis.program.hiddenRange)
            return kind == RangeKind::Count ? "xmpi_count" : "xmpi_displ";
        return "";
    }

    /* MPI's name for integers of TYPE; null for what is no integer of a usual kind. */
    const char *mpiName(QualType type) const
    {
        const ASTContext &context = analysis.context;
        const std::pair<QualType, const char *> names[] = {
            {context.IntTy, "MPI_INT"},
            {context.LongTy, "MPI_LONG"},
            {context.LongLongTy, "MPI_LONG_LONG"},
            {context.UnsignedIntTy, "MPI_UNSIGNED"},
            {context.UnsignedLongTy, "MPI_UNSIGNED_LONG"}};
        for (const auto &[known, name] : names)
            if (context.hasSameUnqualifiedType(type, known))
                return name;
        return nullptr;
    }

    bool runsAgain(const Item &item) const
    {
        return analysis.runsAgain(item.step, item.statement);
    }

    bool renewTable(Item &item, const Place &table)
    {
        QualType type = table.type;
        QualType element = type->isPointerType() ? type->getPointeeType()
                                                 : analysis.context.getBaseElementType(type);
        const char *word = mpiName(element);
        /* (Made again where the program comes to the loop again, it would have the program's own
         * blocks, and not those that there are by then.) */
        if (word == nullptr || (!analysis.startsOver && runsAgain(item)))
            return false;
        const std::string name = element.getUnqualifiedType().getAsString();
        for (RangeKind kind : {RangeKind::Count, RangeKind::Displ}) {
            std::optional<TableFormula> formula = tableFormulaOfSome(inference, table, kind);
            std::string part = variableOf(kind);
            if (!formula || part.empty() || formula->holder == TableFormula::Holder::Some)
                continue;
            bool all = formula->holder == TableFormula::Holder::All;
            std::string entry = entryText(*formula, part);
            if (entry.empty())
                continue;
            std::string text = analysis.textOf(table, analysis.lastStep());
            analysis.tables.push_back(
                {item.statement, "{ " + name + " xmpi_part = (" + name + ")(" + entry + "); " +
                                     (all ? "MPI_Allgather" : "MPI_Gather") + "(&xmpi_part, 1, " +
                                     word + ", " + text + ", 1, " + word + (all ? "" : ", 0") +
                                     ", MPI_COMM_WORLD); }"});
            analysis.program.remarks.push_back(
                {analysis.source.offset(table.base->getLocation()), "table", text,
                 "'" + text + "' holds the " + (kind == RangeKind::Count ? "counts" : "displs") +
                     " of all ranks"});
            analysis.renewed.insert(
                {{table.base->getCanonicalDecl(), table.field}, {kind, entry == part}});
            return true;
        }
        return false;
    }

    /* What a process has to put into the table, from PART, its own count or first row; or "". */
    std::string entryText(const TableFormula &formula, const std::string &part) const
    {
        const Step &step = analysis.loopStep();
        const Survey &survey = *inference.survey;
        auto are = [](const Values &values, long long all) {
            return llvm::all_of(values, [&](long long value) { return value == all; });
        };
        std::string text = part;
        if (!are(formula.factor, 1)) {
            std::string factor = survey.textFor(formula.factor, step.function, step.anchor);
            if (factor.empty())
                return "";
            text += " * (" + factor + ")";
        }
        if (!are(formula.shift, 0)) {
            std::string shift = survey.textFor(formula.shift, step.function, step.anchor);
            if (shift.empty())
                return "";
            text += " + (" + shift + ")";
        }
        return text;
    }

    /* PLACE, or a member of it, holds the number of all rows. */
    bool isDomain(const Place &place) const
    {
        if (analysis.textOf(place, inference.division->step) == inference.division->domain)
            return true;
        if (isWholeStruct(place)) {
            const auto fields = place.type->getAsRecordDecl()->fields();
            return llvm::any_of(fields, [&](const FieldDecl *field) {
                return isDomain({place.base, field, false, false, field->getType()});
            });
        }
        std::optional<Values> values = inference.survey->valuesOf(place);
        return values && *values == inference.division->extent;
    }

    /* Of a struct whose address STATEMENT hands to a function of the file, the members that are
     * named there; of others, all. */
    bool mentionsDomain(const Stmt *statement) const
    {
        const std::vector<Mention> mentions = namedBy(analysis, statement);
        return inference.division && inference.survey != nullptr &&
               llvm::any_of(mentions,
                            [&](const Mention &mention) { return isDomain(mention.place); });
    }

    bool mentions(const Stmt *statement, RangeKind kind) const
    {
        const std::vector<Mention> mentions = namedBy(analysis, statement);
        return llvm::any_of(mentions, [&](const Mention &mention) {
            return llvm::any_of(analysis.ranges, [&](const RangeVariable &range) {
                return range.kind == kind && overlap(range.place, mention.place);
            });
        });
    }

    /* WRITE sets a pointer to what a function of the file hands back. */
    static bool isMadeByFunction(const Write &write)
    {
        return definitionOf(callIn(write.value)) != nullptr;
    }

    /* WRITE fills elements of TABLE, or makes it in a function that is given the address. */
    static bool isTable(const Write &write, const Place &table)
    {
        bool made = (write.how == Write::How::Passed || isMadeByFunction(write)) &&
                    table.type->isPointerType() && table.type->getPointeeType()->isIntegerType();
        return write.place.element || table.type->isArrayType() || made;
    }

    bool refuseTable(const Item &item, const Place &table)
    {
        Place whole = table;
        whole.behind = table.behind && table.field != nullptr; /* counts, not *counts */
        return analysis.diagnostics.report(
            item.statement->getBeginLoc(), Problem::OwnTable,
            {whole.text(), tableAdvice(whole.text(), isForPairs(table), !item.pragma->inferred)});
    }

    /* The loop hands TABLE to an operation between all pairs of ranks. */
    bool isForPairs(const Place &table) const
    {
        const auto &calls = analysis.inLoop.calls;
        return llvm::any_of(calls, [&](const CallExpr *call) {
            return isBetweenPairs(calleeName(call)) && isGiven(call, table);
        });
    }

    /* CALL has TABLE for an argument. */
    bool isGiven(const CallExpr *call, const Place &table) const
    {
        return llvm::any_of(call->arguments(), [&](const Expr *one) {
            std::optional<Place> place = placeOf(one);
            return place && (overlap(*place, table) || uses.means(place->base, table.base));
        });
    }

    /* A function of another file, which is told the size or rank and not the range, fills counts or
     * displacements of all ranks: it follows its own formula. */
    bool isFilledElsewhere(const Item &item, const Write &write, const Place &table) const
    {
        return write.call != nullptr && isUnseen(analysis, write.call) &&
               (mentions(item.statement, RangeKind::Size) ||
                mentions(item.statement, RangeKind::Rank)) &&
               !mentions(item.statement, RangeKind::Count) &&
               !mentions(item.statement, RangeKind::Displ) && tellsParts(table);
    }

    /* The loop, or what follows it, hands TABLE to a collective operation with counts. */
    bool tellsParts(const Place &table) const
    {
        auto tells = [&](const Effects &effects) {
            return llvm::any_of(effects.calls, [&](const CallExpr *call) {
                return isMpiCall(call) && endsWith(calleeName(call), "v") && isGiven(call, table);
            });
        };
        return tells(analysis.inLoop) || llvm::any_of(analysis.after, tells);
    }

    bool renewTables(Item &item)
    {
        if (!inference.division)
            return true;
        bool all = true;
        std::set<std::pair<const VarDecl *, const FieldDecl *>> seen;
        const VarDecl *other = nullptr;
        for (const Write &write : item.effects.writes) {
            const VarDecl *base = write.place.base->getCanonicalDecl();
            const FieldDecl *field = write.place.field;
            if (isWholeStruct(write.place))
                renewMembers(item, write.place);
            Place table{base, field, false, false, field ? field->getType() : base->getType()};
            if (!isTable(write, table) || (field != nullptr && write.place.behind) ||
                !seen.insert({base, field}).second)
                continue;
            if (isEndOfTable(item.statement))
                continue;
            if ((write.how != Write::How::Declared || isMadeByFunction(write)) &&
                renewTable(item, table)) {
                continue;
            }
            if (write.how == Write::How::Assigned ||
                (write.call != nullptr && !isMpiCall(write.call))) {
                all = false;
                other = base;
                if (isFilledElsewhere(item, write, table))
                    return refuseTable(item, table);
            }
        }
        if ((all && !seen.empty()) || isEndOfTable(item.statement))
            return true;
        return checkFormula(item, other);
    }

    /* In a statement that the user has marked: what trials show to be the parts of all ranks. */
    bool renewMarked(Item &item)
    {
        if (!inference.division || inference.survey == nullptr)
            return true;
        for (const Write &write : item.effects.writes) {
            const VarDecl *base = write.place.base->getCanonicalDecl();
            const FieldDecl *field = write.place.field;
            Place table{base, field, false, false, field ? field->getType() : base->getType()};
            bool parts = isTable(write, table) && (field == nullptr || !write.place.behind) &&
                         analysis.renewed.count({base, field}) == 0 && holdsParts(table);
            if (parts && !renewTable(item, table))
                return refuseTable(item, table);
        }
        return true;
    }

    bool holdsParts(const Place &table)
    {
        return tableFormulaOfSome(inference, table, RangeKind::Count) ||
               tableFormulaOfSome(inference, table, RangeKind::Displ);
    }

    /* begins[size] = n: a table with one more entry than ranks. */
    bool isEndOfTable(const Stmt *statement) const
    {
        const auto *binary = dyn_cast<BinaryOperator>(statement);
        const auto *entry = binary && binary->getOpcode() == BO_Assign
                                ? dyn_cast<ArraySubscriptExpr>(binary->getLHS()->IgnoreParens())
                                : nullptr;
        const auto *index =
            entry ? dyn_cast<DeclRefExpr>(entry->getIdx()->IgnoreParenCasts()) : nullptr;
        return index != nullptr && uses.mentionsRange(index, RangeKind::Size) &&
               !uses.mentionsRange(binary->getRHS(), RangeKind::Size) &&
               !uses.mentionsRange(binary->getRHS(), RangeKind::Rank);
    }

    static bool isWholeStruct(const Place &place)
    {
        return place.field == nullptr && !place.behind && !place.element &&
               place.type->isRecordType();
    }

    /* A struct that a function returns may have tables among its members. */
    void renewMembers(Item &item, const Place &place)
    {
        for (const FieldDecl *field : place.type->getAsRecordDecl()->fields()) {
            Place table{place.base, field, false, false, field->getType()};
            bool several = field->getType()->isPointerType() || field->getType()->isArrayType();
            const VarDecl *base = place.base->getCanonicalDecl();
            if (several && analysis.renewed.count({base, field}) == 0)
                renewTable(item, table);
        }
    }

    /* What is computed from the size and the domain follows the program's own division. */
    bool checkFormula(const Item &item, const VarDecl *other)
    {
        for (const Write &write : item.effects.writes) {
            SourceLocation where;
            QualType type = write.place.type;
            bool numbers = type->isIntegerType() ||
                           (type->isPointerType() && write.how == Write::How::Passed &&
                            type->getPointeeType()->isIntegerType());
            const Stmt *from = item.statement;
            if (write.how == Write::How::Declared && write.value != nullptr)
                from = write.value; /* one of several members in braces */
            if (!numbers || isRange(write.place) || !mentionsDomain(from) ||
                analysis.renewed.count({write.place.base->getCanonicalDecl(), write.place.field}))
                continue;
            if (write.place.base != other && analysis.laterUse(write.place, where).empty())
                continue;
            if (!mentions(from, RangeKind::Size))
                continue;
            if (write.place.element || type->isPointerType())
                return refuseTable(item, write.place);
            return analysis.diagnostics.report(item.statement->getBeginLoc(), Problem::OwnFormula,
                                               {write.place.field != nullptr
                                                    ? write.place.text()
                                                    : write.place.base->getNameAsString()});
        }
        return true;
    }
};

} // namespace

bool renewSetup(Analysis &analysis, const Inference &inference)
{
    return Renewer(analysis, inference).renew();
}

} // namespace xmpi
