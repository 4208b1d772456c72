/* SPDX-License-Identifier: BSD-3-Clause
 * Tells rows and row lengths from the sizes that memory was made with. */
#include "facts/storage.h"
#include "source/variable.h"

namespace xmpi
{

using namespace clang;

size_t pointersIn(const VarDecl *variable)
{
    const auto *array =
        dyn_cast<ConstantArrayType>(variable->getType().getCanonicalType().getTypePtr());
    return array != nullptr && array->getElementType()->isPointerType()
               ? array->getSize().getLimitedValue()
               : 0;
}

QualType pointedBy(const VarDecl *variable)
{
    QualType type = variable->getType();
    if (pointersIn(variable) > 0)
        type = QualType(type->getPointeeOrArrayElementType(), 0);
    return type->getPointeeType();
}

bool isMainParameter(const Analysis &analysis, const VarDecl *variable)
{
    const auto *parameter = dyn_cast<ParmVarDecl>(variable);
    return parameter != nullptr && parameter->getDeclContext() == analysis.path[0].function;
}

bool isFixedArray(Analysis &analysis, const VarDecl *variable)
{
    size_t step = analysis.path.size() - 1;
    while (const auto *parameter = dyn_cast<ParmVarDecl>(variable)) {
        if (step == 0 || parameter->getDeclContext() != analysis.path[step].function ||
            parameter->getFunctionScopeIndex() >= analysis.path[step - 1].call->getNumArgs())
            return false;
        const Expr *argument =
            analysis.path[--step].call->getArg(parameter->getFunctionScopeIndex());
        variable = variableNamed(argument);
        if (variable == nullptr)
            return false;
    }
    if (!variable->getType()->isConstantArrayType() || !isPlainValue(variable->getType()))
        return false;
    analysis.addLive(analysis.entry(step), Place::of(variable));
    return true;
}

const FieldDecl *pointerMember(QualType type)
{
    while (const auto *array = dyn_cast<ConstantArrayType>(type.getCanonicalType().getTypePtr()))
        type = array->getElementType();
    const RecordDecl *record = type->getAsRecordDecl();
    if (record == nullptr || record->getDefinition() == nullptr)
        return nullptr;
    for (const FieldDecl *field : record->getDefinition()->fields())
        if ((field->getType()->isPointerType() && !isHandle(field->getType())) ||
            pointerMember(field->getType()) != nullptr)
            return field;
    return nullptr;
}

const void *blockOf(const Survey &survey, const VarDecl *variable, size_t element)
{
    const void *block = nullptr;
    for (const Survey::Sample &sample : survey.samples) {
        Value value =
            sample.trial.valueAt(Cell{variable, nullptr, static_cast<long long>(element)});
        if (value.kind != Value::Kind::Pointer || value.target.index != 0 ||
            (block != nullptr && value.target.base != block))
            return nullptr;
        block = value.target.base;
    }
    return block;
}

std::optional<long long> bytesIn(const ASTContext &context, QualType type, const Length &length)
{
    long long count = 1;
    for (; const auto *array = context.getAsVariableArrayType(type);
         type = array->getElementType()) {
        std::optional<long long> own =
            array->getSizeExpr() != nullptr ? length(array->getSizeExpr()) : std::nullopt;
        if (!own)
            return std::nullopt;
        count *= *own;
    }
    if (type->isVariablyModifiedType() || type->isIncompleteType() || type->isFunctionType())
        return std::nullopt;
    return count * context.getTypeSizeInChars(type).getQuantity();
}

/* The bytes of what VARIABLE points to, which may be a row of a length that the trial knows. */
static std::optional<long long> bytesBehind(const Analysis &analysis, const VarDecl *variable,
                                            const Survey::Sample &sample)
{
    return bytesIn(analysis.context, pointedBy(variable), [&](const Expr *length) {
        Trial trial = sample.trial;
        trial.over = true;
        return trial.integerOf(length);
    });
}

std::optional<Values> elementsOf(const Analysis &analysis, const Survey &survey,
                                 const VarDecl *variable, const void *block)
{
    Values values;
    for (const Survey::Sample &sample : survey.samples) {
        const Value value = sample.trial.valueAt(Cell{variable});
        const void *own = block != nullptr ? block
                          : value.kind == Value::Kind::Pointer && value.target.field == nullptr &&
                                  value.target.index == 0
                              ? value.target.base
                              : nullptr;
        std::optional<long long> bytes = own ? sample.trial.bytesOf(own) : std::nullopt,
                                 size = bytesBehind(analysis, variable, sample);
        if (!bytes || !size || *size == 0)
            return std::nullopt;
        values.push_back(*bytes / *size);
    }
    return values;
}

/* Another variable than OWN points to the begin of BLOCK. */
static bool isHeldBy(const Analysis &analysis, const Survey &survey, const void *block,
                     const VarDecl *own)
{
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes) {
            const VarDecl *other = write.place.base->getCanonicalDecl();
            if (other != own && other->getType()->isPointerType() &&
                blockOf(survey, other) == block)
                return true;
        }
    return false;
}

std::optional<Values> elementsOfEach(const Analysis &analysis, const Survey &survey,
                                     const VarDecl *variable, std::set<const void *> &taken)
{
    std::optional<Values> values;
    std::set<const void *> blocks;
    for (size_t i = 0; i < pointersIn(variable); i++) {
        const void *block = blockOf(survey, variable, i);
        std::optional<Values> own =
            block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
        if (!own || (values && *values != *own) || taken.count(block) != 0 ||
            isHeldBy(analysis, survey, block, variable) || !blocks.insert(block).second)
            return std::nullopt;
        values = own;
    }
    taken.merge(blocks);
    return values;
}

bool isLayoutFree(const Survey &survey, const Values &values)
{
    for (size_t i = 1; i < values.size(); i++)
        if (survey.samples[i].round == survey.samples[i - 1].round && values[i] != values[i - 1])
            return false;
    return true;
}

std::optional<Values> rowLength(const Survey &survey, const Values &values, const Values &rows,
                                long long extra, long long slack)
{
    std::map<size_t, long long> lengths;
    for (size_t i = 0; i < values.size(); i++) {
        long long own = rows[i] + extra, rest = values[i] - slack;
        if (own == 0)
            continue;
        if (rest <= 0 || rest % own != 0)
            return std::nullopt;
        auto known = lengths.emplace(survey.samples[i].round, rest / own).first;
        if (known->second != rest / own)
            return std::nullopt;
    }
    Values length;
    for (const Survey::Sample &sample : survey.samples)
        length.push_back(lengths[sample.round]);
    return length;
}

} // namespace xmpi
