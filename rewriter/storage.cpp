/* SPDX-License-Identifier: BSD-3-Clause
 * Tells rows and row lengths from the sizes that memory was made with. */
#include "storage.h"

namespace xmpi
{

using namespace clang;

const void *blockOf(const Survey &survey, const VarDecl *variable)
{
    const void *block = nullptr;
    for (const Survey::Sample &sample : survey.samples) {
        Value value = sample.trial.valueAt(Cell{variable});
        if (value.kind != Value::Kind::Pointer || value.target.index != 0 ||
            (block != nullptr && value.target.base != block))
            return nullptr;
        block = value.target.base;
    }
    return block;
}

std::optional<Values> elementsOf(const Analysis &analysis, const Survey &survey,
                                 const VarDecl *variable, const void *block)
{
    CharUnits size = analysis.context.getTypeSizeInChars(variable->getType()->getPointeeType());
    Values values;
    for (const Survey::Sample &sample : survey.samples) {
        std::optional<long long> bytes = sample.trial.bytesOf(block);
        if (!bytes || size.getQuantity() == 0)
            return std::nullopt;
        values.push_back(*bytes / size.getQuantity());
    }
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
