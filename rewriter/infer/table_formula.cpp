/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a table holds the parts of all ranks, by its values, and what a statement names. */
#include "infer/infer_tables.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

Cell entryOf(const Survey::Sample &sample, const Place &table, long long rank)
{
    const VarDecl *base = table.base->getCanonicalDecl();
    if (table.type->isArrayType())
        return {base, table.field, rank};
    Value value = sample.trial.valueAt(Cell{base, table.field});
    if (value.kind != Value::Kind::Pointer)
        return {};
    value.target.index += rank;
    return value.target;
}

/* What the entries of one input's tables say: a rank without rows before it tells the shift. */
struct OneInput {
    std::optional<long long> shift, factor;

    bool add(long long part, long long value)
    {
        if (part == 0) {
            bool same = !shift || *shift == value;
            shift = value;
            return same;
        }
        if (!shift)
            shift = 0; /* counts: none is 0 in a plain division */
        if ((value - *shift) % part != 0)
            return false;
        long long own = (value - *shift) / part;
        bool same = !factor || *factor == own;
        factor = own;
        return same;
    }
};

/* Which ranks have TABLE, as far as the trials know. */
static TableFormula::Holder holderOf(const Survey &survey, const Place &table)
{
    bool all = true, first = true;
    for (const Survey::Sample &sample : survey.samples) {
        bool has = sample.trial.integerAt(entryOf(sample, table, 0)).has_value();
        all = all && has;
        first = first && has == (sample.rank == 0);
    }
    return all     ? TableFormula::Holder::All
           : first ? TableFormula::Holder::First
                   : TableFormula::Holder::Some;
}

/* The table of SAMPLE, the one at INDEX, where its rank has it. */
static bool addTable(OneInput &input, const Survey::Sample &sample, size_t index,
                     const Place &table, const Values &parts)
{
    if (!sample.trial.integerAt(entryOf(sample, table, 0)))
        return true;
    for (long long rank = 0; rank < sample.size; rank++) {
        auto value = sample.trial.integerAt(entryOf(sample, table, rank));
        long long own = parts[index + static_cast<size_t>(rank) - static_cast<size_t>(sample.rank)];
        if (!value || !input.add(own, *value))
            return false;
    }
    return true;
}

std::optional<TableFormula> tableFormulaOfSome(const Inference &inference, const Place &table,
                                               RangeKind part)
{
    const Survey &survey = *inference.survey;
    Values parts = part == RangeKind::Count ? inference.division->count : inference.division->first;
    for (size_t i = 0; followsRange(part) && i < parts.size(); i++)
        parts[i] += inference.division->count[i] - (part == RangeKind::Last ? 1 : 0);
    std::map<size_t, OneInput> inputs;
    for (size_t i = 0; i < survey.samples.size(); i++)
        if (!addTable(inputs[survey.samples[i].round], survey.samples[i], i, table, parts))
            return std::nullopt;
    TableFormula formula;
    formula.holder = holderOf(survey, table);
    for (const Survey::Sample &sample : survey.samples) {
        const OneInput &input = inputs[sample.round];
        if (!input.factor || *input.factor == 0)
            return std::nullopt;
        formula.factor.push_back(*input.factor);
        formula.shift.push_back(*input.shift);
    }
    return formula;
}

std::optional<TableFormula> tableFormula(const Inference &inference, const Place &table,
                                         RangeKind part)
{
    std::optional<TableFormula> formula = tableFormulaOfSome(inference, table, part);
    return formula && formula->holder == TableFormula::Holder::All ? formula : std::nullopt;
}

std::vector<Mention> namedBy(const Analysis &analysis, const Stmt *statement)
{
    const Effects effects = analysis.finder.withCallees(statement);
    std::vector<Mention> mentions = effects.mentions;
    for (const CallExpr *call : effects.calls) {
        const FunctionDecl *function = definitionOf(call);
        for (unsigned i = 0; function && i < call->getNumArgs() && i < function->getNumParams();
             i++) {
            const Expr *target = addressedBy(call->getArg(i));
            std::optional<Place> whole = target != nullptr ? placeOf(target) : std::nullopt;
            if (!whole || whole->field != nullptr || !whole->type->isRecordType() ||
                !analysis.finder.membersSet(function->getParamDecl(i)))
                continue; /* what is done with it is not known */
            for (Mention &mention : mentions)
                if (mention.where == target->getExprLoc())
                    mention.place.type = QualType(); /* not itself */
            for (const Mention &inside : analysis.finder.of(function->getBody()).mentions)
                if (inside.place.base == function->getParamDecl(i))
                    mentions.push_back({{whole->base, inside.place.field, false, false,
                                         inside.place.field->getType()},
                                        inside.assigned,
                                        inside.where});
        }
    }
    mentions.erase(
        std::remove_if(mentions.begin(), mentions.end(),
                       [](const Mention &mention) { return mention.place.type.isNull(); }),
        mentions.end());
    return mentions;
}

static bool are(const Values &values, long long all)
{
    return llvm::all_of(values, [&](long long value) { return value == all; });
}

void noteTables(Analysis &analysis, const Inference &inference)
{
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            Place table = write.place;
            table.element = table.behind = false;
            table.type = table.field ? table.field->getType() : table.base->getType();
            const VarDecl *base = table.base->getCanonicalDecl();
            if (!(table.type->isPointerType() || table.type->isArrayType()) ||
                analysis.changed.count(base) != 0 || analysis.renewed.count({base, table.field}))
                continue;
            for (RangeKind kind :
                 {RangeKind::Count, RangeKind::Displ, RangeKind::End, RangeKind::Last})
                if (std::optional<TableFormula> formula = tableFormula(inference, table, kind))
                    analysis.renewed.insert(
                        {{base, table.field},
                         {kind, are(formula->factor, 1) && are(formula->shift, 0)}});
        }
}

} // namespace xmpi
