/* SPDX-License-Identifier: BSD-3-Clause
 * What follows the layout before the loop, and what statements of the prologue do with it. */
#include "infer/followers.h"
#include "flow/derived.h"
#include "infer/infer_copies.h"
#include "infer/infer_tables.h"
#include "check/safety.h"
#include "facts/storage.h"
#include "facts/statement_kind.h"
#include "facts/uses.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

bool Followers::isRanked(const Place &place) const
{
    for (const RangeVariable &range : analysis.ranges)
        if (overlap(range.place, place))
            return true;
    return llvm::any_of(ranked, [&](const Known &known) { return overlap(known.place, place); });
}

bool Followers::isRanked(const Expr *expression) const
{
    if (expression == nullptr)
        return false;
    Effects effects = analysis.finder.withCallees(expression);
    return llvm::any_of(effects.mentions,
                        [&](const Mention &mention) { return isRanked(mention.place); });
}

bool Followers::isTried(const Place &place) const
{
    return inference.survey != nullptr && inference.survey->valuesOf(place).has_value();
}

bool Followers::isRanked(const Write &write) const
{
    bool whole = !write.place.element && !write.place.behind && write.place.field == nullptr;
    if (whole && (analysis.members.isPointer(write.place.base) ||
                  analysis.members.replaces(write.place.base)))
        return false; /* its members tell */
    if (whole && analysis.members.contains(write.place.base) && followsRange(write.place))
        return true;
    if (isRanked(write.value) ||
        (isByOwnFunction(write) && variesWithLayout(inference, write.place)) || holdsParts(write))
        return true;
    for (const Expr *condition : write.conditions)
        if (isRanked(condition))
            return true;
    if (write.call == nullptr || calleeName(write.call) == "free")
        return false;
    for (const Expr *argument : write.call->arguments()) {
        const Expr *bare = argument->IgnoreParenCasts();
        const bool seen = isByOwnFunction(write) && isTried(write.place);
        std::optional<Place> own = seen ? placeGiven(bare) : placeOf(bare);
        if ((!own || !overlap(*own, write.place)) && isRanked(argument))
            return true;
    }
    return false;
}

bool Followers::holdsParts(const Write &write) const
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

bool Followers::followsRange(const Place &place) const
{
    if (!place.type->isPointerType() || inference.survey == nullptr)
        return variesWithLayout(inference, place);
    const void *block = blockOf(*inference.survey, place.base);
    std::optional<Values> values =
        block ? elementsOf(analysis, *inference.survey, place.base, block) : std::nullopt;
    return values && !isLayoutFree(*inference.survey, *values);
}

bool Followers::isDataPointer(const Place &place) const
{
    return (!place.element || place.type->isPointerType()) && analysis.isData(place.base);
}

/* -- what a statement sets, and reads */

bool Followers::fillsData(const Effects &effects) const
{
    return llvm::any_of(effects.writes, [&](const Write &write) {
        bool freed = write.call != nullptr && calleeName(write.call) == "free";
        if (isOfData(analysis, write.place))
            return true;
        return write.place.element && analysis.isData(write.place.base) &&
               !isDataPointer(write.place) && !freed;
    });
}

bool Followers::makesWhatItFills(const Effects &effects) const
{
    return llvm::all_of(effects.writes, [&](const Write &write) {
        bool fills = write.place.element && analysis.isData(write.place.base);
        if (isOfData(analysis, write.place))
            return false;
        return !fills || llvm::any_of(effects.writes, [&](const Write &other) {
            return other.place.base == write.place.base && !other.place.element &&
                   analysis.members.contains(other.place.base);
        });
    });
}

bool Followers::fillsOther(const Effects &effects) const
{
    return llvm::any_of(effects.writes, [&](const Write &write) {
        SourceLocation where;
        return write.place.element && !analysis.isData(write.place.base) &&
               !isOfData(analysis, write.place) && !analysis.laterUse(write.place, where).empty();
    });
}

bool Followers::dependsOnLayout(const Effects &effects) const
{
    return llvm::any_of(effects.writes,
                        [&](const Write &write) { return setsFromLayout(effects, write); });
}

bool Followers::setsFromLayout(const Effects &effects, const Write &write) const
{
    if (isRange(analysis, write.place) || isDataPointer(write.place) || !isRanked(write) ||
        (analysis.members.contains(write.place.base) && analysis.isData(write.place.base)))
        return false;
    SourceLocation where;
    bool own =
        llvm::is_contained(effects.declared, write.place.base) && write.how != Write::How::Declared;
    bool agreed = write.call != nullptr && isMpiCall(write.call) && isNamedLater(write.place);
    return !own && (agreed || !analysis.laterUse(write.place, where).empty());
}

bool Followers::isNamedLater(const Place &place) const
{
    return std::any_of(analysis.prologue.begin() + static_cast<ptrdiff_t>(index) + 1,
                       analysis.prologue.end(), [&](const Item &item) {
                           return llvm::any_of(item.effects.mentions, [&](const Mention &mention) {
                               return !mention.assigned && overlap(mention.place, place);
                           });
                       });
}

bool Followers::isReadLater(const Place &place) const
{
    for (size_t i = index + 1; i < analysis.prologue.size(); i++)
        if (!analysis.isData(place.base) && place.type->isPointerType())
            for (const Mention &mention : analysis.prologue[i].effects.mentions)
                if (overlap(mention.place, place) && !mention.assigned)
                    return true;
    return false;
}

bool Followers::allocatesData(const Effects &effects) const
{
    return !effects.writes.empty() && llvm::all_of(effects.writes, [&](const Write &write) {
        return isDataPointer(write.place);
    });
}

bool Followers::readsData(const Effects &effects) const
{
    return llvm::any_of(effects.writes, [&](const Write &write) {
        return write.value != nullptr && readsElement(analysis, write.value);
    });
}

bool Followers::readsRanked(const Effects &effects, bool values) const
{
    for (const Mention &mention : effects.mentions)
        for (const Known &known : ranked)
            if (known.setup && !mention.assigned && overlap(known.place, mention.place) &&
                (values || !known.place.type->isArithmeticType() || known.place.element))
                return true;
    return false;
}

bool Followers::setsRangeOnly(const Effects &effects) const
{
    return llvm::all_of(effects.writes,
                        [&](const Write &write) { return isRange(analysis, write.place); });
}

bool Followers::dividesRows(const Effects &effects) const
{
    bool range = false, rows = false;
    for (const Write &write : effects.writes) {
        SourceLocation where;
        const bool own = llvm::is_contained(effects.declared, write.place.base);
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

void Followers::forget(const Item &item)
{
    for (const Write &write : item.effects.writes) {
        const Place &place = write.place;
        if (item.effects.setsAnew(write) && !isRanked(write.value))
            ranked.erase(
                std::remove_if(ranked.begin(), ranked.end(),
                               [&](const Known &known) { return known.place.base == place.base; }),
                ranked.end());
    }
}

bool Followers::readsSkipped(const Effects &effects) const
{
    for (const Mention &mention : effects.mentions)
        for (const Place &pointer : skipped)
            if (!mention.assigned && overlap(mention.place, pointer))
                return true;
    return false;
}

/* -- whether a second run comes to the same */

bool Followers::accumulates(const Effects &effects) const
{
    return !sumsIn(effects).empty();
}

bool Followers::isSetInLoop(const Place &place) const
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

std::vector<Place> Followers::sumsIn(const Effects &effects) const
{
    std::vector<Place> sums;
    for (const Write &write : effects.writes) {
        const Place &place = write.place;
        bool known = isSetInLoop(place) && llvm::any_of(ranked, [&](const Known &other) {
                         return overlap(other.place, place);
                     });
        bool own = llvm::is_contained(effects.declared, place.base);
        if (known || own || place.element || place.type->isArrayType() || isRange(analysis, place))
            continue;
        if (write.how == Write::How::Passed) {
            if (analysis.finder.addsTo(write))
                sums.push_back(place);
            continue;
        }
        auto first = llvm::find_if(effects.mentions, [&](const Mention &mention) {
            return overlap(mention.place, place);
        });
        if (first != effects.mentions.end() && !first->assigned)
            sums.push_back(place);
    }
    return sums;
}

bool Followers::makesTables(const Effects &effects) const
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

bool Followers::isPartial(const Effects &effects, const std::vector<Place> &sums) const
{
    return llvm::any_of(effects.writes,
                        [&](const Write &write) { return isSetSometimes(effects, write, sums); });
}

bool Followers::isSetSometimes(const Effects &effects, const Write &write,
                               const std::vector<Place> &sums) const
{
    bool sum = llvm::any_of(sums, [&](const Place &place) { return overlap(place, write.place); });
    bool ranks =
        llvm::any_of(write.conditions, [&](const Expr *condition) { return isRanked(condition); });
    if (!ranks || sum || write.place.element || isRange(analysis, write.place) ||
        write.place.type->isArrayType() || llvm::is_contained(effects.declared, write.place.base))
        return false;
    auto same = llvm::count_if(
        effects.writes, [&](const Write &other) { return overlap(other.place, write.place); });
    bool known =
        llvm::any_of(ranked, [&](const Known &other) { return overlap(other.place, write.place); });
    return same < 2 && !known;
}

bool Followers::isInput(const Effects &effects) const
{
    for (const Write &write : effects.writes) {
        if (isRanked(write.value) || write.conditions.empty() || write.place.element ||
            !isPlainValue(write.place.type))
            continue;
        bool ranks = llvm::any_of(write.conditions,
                                  [&](const Expr *condition) { return isRanked(condition); });
        for (size_t i = index + 1; ranks && i < analysis.prologue.size(); i++)
            for (const Write &later : analysis.prologue[i].effects.writes)
                if (LoopUses::isCollective(later) && overlap(later.place, write.place))
                    return true;
    }
    return false;
}

} // namespace xmpi
