/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at the pointers that the trials of the prologue have stored. */
#include "arrays/row_table.h"
#include "source/variable.h"

namespace xmpi
{

using namespace clang;

/* The begin of a block that VARIABLE points to; or null. */
static const void *blockAt(const Trial &trial, const VarDecl *variable)
{
    Value value = trial.valueAt(Cell{variable->getCanonicalDecl()});
    bool begin = value.kind == Value::Kind::Pointer && value.target.index == 0 &&
                 value.target.field == nullptr;
    return begin && trial.bytesOf(value.target.base) ? value.target.base : nullptr;
}

/* One sample; ROWS and LENGTH get one element each. */
static bool addSample(const Analysis &analysis, const Trial &trial, const VarDecl *variable,
                      RowTable &table)
{
    QualType row = variable->getType()->getPointeeType(), element = row->getPointeeType();
    const void *pointers = blockAt(trial, variable);
    if (pointers == nullptr || element->isIncompleteType())
        return false;
    long long rows =
        *trial.bytesOf(pointers) / analysis.context.getTypeSizeInChars(row).getQuantity();
    long long size = analysis.context.getTypeSizeInChars(element).getQuantity();
    const void *block = nullptr;
    long long length = 0;
    for (long long r = 0; r < rows; r++) {
        Value value = trial.valueAt(Cell{pointers, nullptr, r});
        if (value.kind != Value::Kind::Pointer || value.target.field != nullptr ||
            (r > 0 && value.target.base != block))
            return false;
        block = value.target.base;
        if (r == 1)
            length = value.target.index;
        if (value.target.index != r * length)
            return false;
    }
    long long bytes = block != nullptr ? trial.bytesOf(block).value_or(0) : 0;
    if (rows == 1)
        length = bytes / size;
    if (block == pointers || bytes != rows * length * size || length <= 0 ||
        (table.block != nullptr && table.block != block))
        return false;
    table.block = block;
    table.rows.push_back(rows);
    table.length.push_back(length);
    return true;
}

std::optional<RowTable> findRowTable(Analysis &analysis, const Survey &survey,
                                     const VarDecl *variable)
{
    RowTable table;
    for (const Survey::Sample &sample : survey.samples)
        if (!addSample(analysis, sample.trial, variable, table))
            return std::nullopt;
    std::set<const VarDecl *> seen;
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            const VarDecl *other = write.place.base->getCanonicalDecl();
            if (!write.place.element && other->getType()->isPointerType() &&
                seen.insert(other).second &&
                blockAt(survey.samples.back().trial, other) == table.block)
                table.holders.push_back(other);
        }
    return table;
}

void aliasHolders(Analysis &analysis, const RowTable &table, const std::string &data)
{
    const std::string name = data; /* registering may move what DATA is part of */
    for (const VarDecl *other : table.holders) {
        size_t at = stepOfVariable(analysis, other);
        const Step &step = analysis.path[at];
        if (!analysis.structure.visible(other, step.function, step.anchor))
            continue;
        analysis.data[other] = name;
        analysis.entry(at).aliases.push_back(
            {name, analysis.structure.textOf(other, step.function, step.anchor),
             analysis.source.offset(other->getLocation())});
    }
}

std::string holderOf(const Analysis &analysis, const RowTable &table)
{
    const Step &last = analysis.loopStep();
    for (const VarDecl *holder : table.holders)
        if (analysis.structure.visible(holder, last.function, last.anchor))
            return analysis.textOf(Place::of(holder), analysis.lastStep());
    return "";
}

/* The variable that the call to the function of STEP passes for PARAMETER; or null. */
static const VarDecl *passedFor(const Analysis &analysis, const ParmVarDecl *parameter, size_t step)
{
    const CallExpr *call = analysis.path[step - 1].call;
    unsigned index = parameter->getFunctionScopeIndex();
    if (parameter->getDeclContext() != analysis.path[step].function || index >= call->getNumArgs())
        return nullptr;
    return variableNamed(call->getArg(index));
}

bool canTellCallers(const Analysis &analysis, const VarDecl *table)
{
    size_t step = analysis.path.size() - 1;
    while (const auto *parameter = dyn_cast<ParmVarDecl>(table)) {
        if (step == 0 || !canBeWritten(analysis, parameter))
            return false;
        table = passedFor(analysis, parameter, step--);
        if (table == nullptr || !isa<Expr, DeclStmt, ReturnStmt>(analysis.path[step].anchor) ||
            !analysis.context.hasSameUnqualifiedType(table->getType(), parameter->getType()) ||
            !canBeWritten(analysis, table))
            return false;
    }
    return true;
}

std::string tellCallers(Analysis &analysis, const VarDecl *table, const std::string &ours)
{
    const std::string name = table->getNameAsString();
    size_t step = analysis.path.size() - 1;
    bool any = false;
    while (const auto *parameter = dyn_cast<ParmVarDecl>(table)) {
        any = true;
        makeWritable(analysis, parameter);
        table = passedFor(analysis, parameter, step--);
        makeWritable(analysis, table);
        unsigned end = analysis.source.statement(analysis.path[step].anchor).end;
        std::string &finish = analysis.site(Site::Kind::After, end).finish;
        finish += (finish.empty() ? "" : " ") + analysis.textOf(Place::of(table), step) + " = " +
                  ours + "[1];";
    }
    return any ? " " + ours + "[1] = (void *)" + name + ";" : "";
}

} // namespace xmpi
