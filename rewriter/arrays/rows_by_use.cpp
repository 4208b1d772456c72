/* SPDX-License-Identifier: BSD-3-Clause
 * As many rows as a process has are set by it: these are its own. */
#include "arrays/rows_by_use.h"
#include "facts/storage.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

enum { MostBeside = 3 }; /* rows of other processes that an iteration looks at */

std::optional<RowsByUse> RowsByUseFinder::find(const VarDecl *variable)
{
    const std::optional<OwnRows::Stretches> all = own.stretches(variable);
    RowsByUse rows;
    if (!all || !place(*all, rows) || own.storesAcross(variable, rows.length) ||
        !hasRoom(variable, rows) || !hasRows(variable, rows) || !isAlone(variable, *all) ||
        own.areExchangedOtherwise(variable, rows.length, bordersOf(rows)))
        return std::nullopt;
    rows.block = survey.samples.front().trial.valueAt(Cell{variable}).target.base;
    rows.leads = rowBlocks;
    return rows;
}

OwnRows::Borders RowsByUseFinder::bordersOf(const RowsByUse &rows) const
{
    const Values front = rows.numbered ? division.first : Values(rows.length.size(), rows.front);
    return {front, rows.before, rows.behind};
}

/* The stretch that is set is that of the own rows, at the same place on all ranks, or at the number
 * of its first row. */
bool RowsByUseFinder::place(const OwnRows::Stretches &all, RowsByUse &rows) const
{
    Values sizes;
    for (const Reach &set : all.set)
        sizes.push_back(set.empty() ? 0 : set.high - set.low + 1);
    std::optional<Values> length = rowLength(survey, sizes, division.count, 0, 0);
    if (!length)
        return false;
    rows.length = *length;
    bool any = false, local = true;
    rows.numbered = true;
    for (size_t i = 0; i < sizes.size(); i++) {
        if (division.count[i] <= 0)
            continue;
        const long long unit = rows.length[i], low = floorOf(all.set[i].low, unit);
        if (all.set[i].low != low * unit)
            return false;
        local = local && (!any || low == rows.front);
        rows.front = low;
        rows.numbered = rows.numbered && low == division.first[i];
        rows.before = std::max(rows.before, low - floorOf(all.touched[i].low, unit));
        rows.behind = std::max(rows.behind,
                               floorOf(all.touched[i].high, unit) - (low + division.count[i] - 1));
        any = true;
    }
    return any && (local || rows.numbered) && rows.before <= MostBeside &&
           rows.behind <= MostBeside && (rows.numbered || rows.front >= rows.before);
}

/* A pointer that leads as far in front of its memory, AT, as the first own row has a number. */
bool RowsByUseFinder::shift(const Values &at, RowsByUse &rows) const
{
    bool any = false, first = true;
    for (size_t i = 0; i < at.size(); i++) {
        if (division.count[i] <= 0)
            continue;
        const long long front = division.first[i] + at[i] / rows.length[i];
        if (at[i] % rows.length[i] != 0)
            return false;
        first = first && (!any || front == rows.front);
        rows.front = front;
        any = true;
    }
    rows.whole = !first;
    return first || llvm::all_of(at, [](long long one) { return one == 0; });
}

/* All of them lie in the memory that the pointer leads into. */
bool RowsByUseFinder::hasRoom(const VarDecl *variable, RowsByUse &rows) const
{
    const void *block = nullptr;
    Values at;
    for (const Survey::Sample &sample : survey.samples) {
        const Value value = sample.trial.valueAt(Cell{variable});
        if (value.kind != Value::Kind::Pointer || value.target.field != nullptr ||
            (block != nullptr && value.target.base != block))
            return false;
        block = value.target.base;
        at.push_back(value.target.index);
    }
    if (rows.numbered && !shift(at, rows))
        return false;
    const std::optional<Values> room =
        block != nullptr ? elementsOf(analysis, survey, variable, block) : std::nullopt;
    for (size_t i = 0; room && i < at.size(); i++) {
        const long long front = rows.numbered ? division.first[i] : rows.front,
                        end = front + division.count[i] + rows.behind;
        if (division.count[i] > 0 && (at[i] + (front - rows.before) * rows.length[i] < 0 ||
                                      at[i] + end * rows.length[i] > (*room)[i]))
            return false;
    }
    return room.has_value();
}

/* How long the rows are that the pointers of VARIABLE lead to, which have memory of their own, each
 * or all: the first ones, the one in the middle and the last one tell. */
std::optional<long long> RowsByUseFinder::lengthOfRows(const VarDecl *variable, size_t sample,
                                                       const RowsByUse &rows)
{
    const Trial &trial = survey.samples[sample].trial;
    const Cell table = trial.valueAt(Cell{variable}).target;
    const QualType row = pointedBy(variable), element = row->getPointeeType();
    if (element->isIncompleteType() || element->isPointerType() || table.index != 0)
        return std::nullopt;
    const long long size = analysis.context.getTypeSizeInChars(element).getQuantity();
    const long long pointer = analysis.context.getTypeSizeInChars(row).getQuantity();
    const long long from = rows.front - rows.before,
                    end = rows.front + division.count[sample] + rows.behind;
    std::optional<long long> length;
    std::map<long long, Cell> targets;
    for (long long at : {0LL, 1LL, from, from + 1, end / 2, end - 1}) {
        const Value value = trial.valueAt(Cell{table.base, nullptr, at});
        if (value.kind == Value::Kind::Pointer && value.target.field == nullptr && at < end)
            targets.emplace(at, value.target);
    }
    if (end < 2 || !targets.count(0) || !targets.count(1) || !targets.count(end - 1))
        return std::nullopt;
    const Cell first = targets.at(0);
    const bool apart = first.base != targets.at(1).base;
    std::set<const void *> bases;
    length =
        apart ? trial.bytesOf(first.base).value_or(0) / size : targets.at(1).index - first.index;
    for (const auto &[at, target] : targets) {
        const long long room = trial.bytesOf(target.base).value_or(0) / size;
        if (apart ? target.index != 0 || room != *length || !bases.insert(target.base).second
                  : target.base != first.base || target.index != first.index + at * *length ||
                        target.index + *length > room)
            return std::nullopt;
        rowBlocks.insert(target.base);
    }
    const bool within = first.base == table.base; /* rows behind the pointers to them */
    if (*length <= 0 || (within && (apart || size != pointer || first.index < end)))
        return std::nullopt;
    return length;
}

/* WRITE hands an argument to a function of the file, whose own writes tell what it does. */
static bool isSeenInside(const Write &write)
{
    const FunctionDecl *callee = write.call ? write.call->getDirectCallee() : nullptr;
    return write.how == Write::How::Passed && callee != nullptr && callee->getDefinition();
}

/* An array of pointers leads to rows of one length. */
bool RowsByUseFinder::hasRows(const VarDecl *variable, RowsByUse &rows)
{
    rowBlocks.clear();
    if (!pointedBy(variable)->isPointerType())
        return true;
    for (const Write &write : analysis.inLoop.writes)
        if (write.place.element && write.place.type->isPointerType() && !isSeenInside(write))
            return false; /* rows change places */
    if (rows.numbered || rows.length != Values(rows.length.size(), 1))
        return false;
    for (size_t i = 0; i < survey.samples.size(); i++) {
        std::optional<long long> length;
        if (division.count[i] > 1 && !(length = lengthOfRows(variable, i, rows)))
            return false;
        rows.length[i] = length.value_or(0);
    }
    for (size_t i = 0; i < survey.samples.size(); i++)
        for (size_t j = 0; j < survey.samples.size(); j++)
            if (rows.length[i] == 0 && survey.samples[i].round == survey.samples[j].round)
                rows.length[i] = rows.length[j];
    return true;
}

/* Behind ROWS no pointer of VARIABLE leads anywhere. */
bool RowsByUseFinder::isLast(const VarDecl *variable, const RowsByUse &rows) const
{
    for (size_t i = 0; i < survey.samples.size(); i++) {
        const Trial &trial = survey.samples[i].trial;
        const Cell table = trial.valueAt(Cell{variable}).target;
        const long long end = table.index + rows.front + division.count[i] + rows.behind;
        if (division.count[i] > 0 &&
            trial.valueAt(Cell{table.base, nullptr, end}).kind == Value::Kind::Pointer)
            return false;
    }
    return true;
}

std::optional<RowsByUse> RowsByUseFinder::findPointers(const VarDecl *variable)
{
    for (long long width = 0; width <= MostBeside; width++) {
        RowsByUse rows;
        rows.length.assign(survey.samples.size(), 1);
        rows.front = rows.before = rows.behind = width;
        if (isLast(variable, rows) && hasRows(variable, rows))
            return rows;
    }
    return std::nullopt;
}

/* The stretch that is set is that of the own rows, at their numbers behind the same number of
 * others, of EXTRA. */
bool RowsByUseFinder::placeAmongAll(const OwnRows::Stretches &all, long long extra,
                                    RowsAmongAll &rows) const
{
    std::optional<long long> front;
    for (size_t i = 0; i < rows.length.size(); i++) {
        const Reach &set = all.set[i], &touched = all.touched[i];
        if (division.count[i] <= 0)
            continue;
        if (set.empty() || rows.length[i] <= 0)
            return false;
        const long long low = floorOf(set.low, rows.length[i]),
                        high = floorOf(set.high, rows.length[i]);
        if (high - low + 1 != division.count[i] || (front && low - division.first[i] != *front))
            return false;
        front = low - division.first[i];
        if (touched.empty())
            continue;
        rows.before = std::max(rows.before, low - floorOf(touched.low, rows.length[i]));
        rows.behind = std::max(rows.behind, floorOf(touched.high, rows.length[i]) - high);
    }
    rows.front = front.value_or(-1);
    return rows.before <= std::min<long long>(rows.front, MostBeside) &&
           rows.behind <= std::min<long long>(extra - rows.front, MostBeside);
}

std::optional<RowsAmongAll> RowsByUseFinder::findAmongAll(const VarDecl *variable,
                                                          const Values &elements)
{
    const std::optional<OwnRows::Stretches> all =
        pointedBy(variable)->isPointerType() ? std::nullopt : own.stretches(variable);
    if (!all || !isAlone(variable, *all))
        return std::nullopt;
    for (long long extra : {0, 1, 2, 3, 4, 6}) {
        const auto length = rowLength(survey, elements, division.extent, extra, 0);
        RowsAmongAll rows;
        rows.length = length.value_or(Values());
        if (!length || !placeAmongAll(*all, extra, rows))
            continue;
        Values front = division.first;
        for (long long &one : front)
            one += rows.front;
        const bool apart =
            own.storesAcross(variable, *length) != nullptr ||
            own.areExchangedOtherwise(variable, *length, {front, rows.before, rows.behind});
        return apart ? std::nullopt : std::optional(rows);
    }
    return std::nullopt;
}

/* Nothing else that the loop names leads to elements that VARIABLE leads to. */
bool RowsByUseFinder::isAlone(const VarDecl *variable, const OwnRows::Stretches &all) const
{
    std::set<const VarDecl *> seen = {variable};
    for (const Mention &mention : analysis.inLoop.mentions) {
        const VarDecl *other = mention.place.base->getCanonicalDecl();
        if (!other->getType()->isPointerType() || !seen.insert(other).second)
            continue;
        std::optional<OwnRows::Stretches> others;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            const Value one = survey.samples[i].trial.valueAt(Cell{variable}),
                        two = survey.samples[i].trial.valueAt(Cell{other});
            if (two.kind != Value::Kind::Pointer)
                continue;
            if (rowBlocks.count(two.target.base) != 0 && two.target.base != one.target.base)
                return false;
            if (two.target.base != one.target.base)
                continue;
            if (!analysis.context.hasSameUnqualifiedType(pointedBy(variable), pointedBy(other)))
                return false;
            if (!others && !(others = own.stretches(other)))
                return false;
            Reach here = all.touched[i], there = others->touched[i];
            here.add(all.set[i]);
            there.add(others->set[i]);
            if (!here.empty() && !there.empty() &&
                one.target.index + here.low <= two.target.index + there.high &&
                two.target.index + there.low <= one.target.index + here.high)
                return false;
        }
    }
    return true;
}

} // namespace xmpi
