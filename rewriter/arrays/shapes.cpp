/* SPDX-License-Identifier: BSD-3-Clause
 * Compares the sizes of memory with the numbers of rows. */
#include "arrays/shapes.h"
#include "arrays/array_registry.h"
#include "arrays/row_table.h"
#include "arrays/rows_by_use.h"
#include "cells/range_text.h"
#include "compat.h"
#include "check/member_arrays.h"
#include "facts/storage.h"
#include "cells/memory_sizes.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

enum { MostParts = 16 }; /* pointers of an array, each of which is named */

class ShapeFinder
{
  public:
    ShapeFinder(Analysis &analysis, const Inference &inference, const RangeText &range)
        : analysis(analysis), inference(inference), survey(*inference.survey), range(range),
          where(range.first.empty()
                    ? ""
                    : "from " + operandOf(range.first) + ", " + operandOf(range.count)),
          facts(analysis, inference), registry(analysis, inference, facts)
    {
    }

    Shapes find()
    {
        Shapes found;
        std::set<const VarDecl *> seen;
        for (const Effects *effects : {&analysis.inLoop, &analysis.after.back()})
            for (const Mention &mention : effects->mentions) {
                const VarDecl *variable = mention.place.base->getCanonicalDecl();
                const std::string name = seen.insert(variable).second ? nameOf(variable) : "";
                if (name.empty())
                    continue;
                if (std::optional<Shape> shape = shapeOf(variable, name)) {
                    found.emplace(name, *shape);
                    blocks.insert(baseOf(variable));
                    if (shape->kind == Shape::Kind::Rows)
                        noteTabled(variable);
                }
            }
        nameByTables(found, seen);
        addNamed(found, seen);
        addExchanged(found, seen);
        addBySize(found);
        return found;
    }

  private:
    Analysis &analysis;
    const Inference &inference;
    const Survey &survey;
    const RangeText range;
    const std::string where;
    ArrayFacts facts;
    ArrayRegistry registry;

    std::set<const void *> blocks; /* that have a shape */
    std::set<const void *> tabled; /* those of them that a table of pointers leads to */

    /* The memory that VARIABLE leads into; null: it is not known. */
    const void *baseOf(const VarDecl *variable) const
    {
        const Value value = survey.samples.back().trial.valueAt(Cell{variable});
        return value.kind == Value::Kind::Pointer ? value.target.base : nullptr;
    }

    /* What is behind the pointers of VARIABLE, rows or tables of them. */
    void noteTabled(const VarDecl *variable)
    {
        QualType type = variable->getType();
        const Trial &trial = survey.samples.back().trial;
        for (Value at = trial.valueAt(Cell{variable});
             type->isPointerType() && type->getPointeeType()->isPointerType();
             type = type->getPointeeType()) {
            at = at.kind == Value::Kind::Pointer ? trial.valueAt(at.target) : Value();
            if (at.kind == Value::Kind::Pointer)
                tabled.insert(at.target.base);
        }
    }

    /* What a table of pointers leads to is named with the table, which the loop goes by: not once
     * more by a pointer to its begin. */
    void nameByTables(Shapes &found, const std::set<const VarDecl *> &seen)
    {
        for (const VarDecl *variable : seen)
            if (const auto shape = found.find(nameOf(variable));
                shape != found.end() && tabled.count(baseOf(variable)) != 0)
                shape->second = Shape{Shape::Kind::Named, "", ""};
        blocks.insert(tabled.begin(), tabled.end());
    }

    /* Members of structs that no variable stands for, and arrays of variable length. */
    void addBySize(Shapes &found)
    {
        const Step &step = analysis.loopStep();
        std::set<const VarDecl *> seen;
        for (const Mention &mention : analysis.inLoop.mentions) {
            const VarDecl *variable = mention.place.base->getCanonicalDecl();
            if (!seen.insert(variable).second ||
                !analysis.structure.visible(variable, step.function, step.anchor))
                continue;
            const Division *division = inference.division ? &*inference.division : nullptr;
            for (const auto &[name, values] : sizesOfMembers(analysis, survey, division, variable))
                if (std::optional<Shape> shape = byRows(name, values))
                    found.emplace(name, *shape);
            const std::string name = variable->getNameAsString();
            const auto lengths = lengthsOf(*inference.survey, variable);
            for (int extra : {0, 2, 4, 6})
                if (lengths && division != nullptr &&
                    rowLength(survey, lengths->first, division->count, extra, 0) == one())
                    if (const auto shape = rowsOf({name}, lengths->second, atOf(extra, extra / 2)))
                        found.emplace(name, *shape);
        }
    }

    Values one() const
    {
        return Values(survey.samples.size(), 1);
    }

    /* By nothing but the size. */
    std::optional<Shape> byRows(const std::string &name, const Values &values) const
    {
        for (int extra : {0, 2, 4, 6})
            if (const auto length =
                    !isLayoutFree(survey, values) && inference.division
                        ? rowLength(survey, values, inference.division->count, extra, 0)
                        : std::nullopt)
                return rowsOf({name}, *length, atOf(extra, extra / 2));
        return isLayoutFree(survey, values) ? whole({name}, values) : std::nullopt;
    }

    /* Further pointers into the same memory, which the loop does not use. */
    void addNamed(Shapes &found, std::set<const VarDecl *> &seen) const
    {
        for (const Item &item : analysis.prologue)
            for (const Mention &mention : item.effects.mentions) {
                const VarDecl *variable = mention.place.base->getCanonicalDecl();
                const std::string name = seen.insert(variable).second ? nameOf(variable) : "";
                const void *base = name.empty() ? nullptr : baseOf(variable);
                if (base != nullptr && blocks.count(base) != 0)
                    found.emplace(name, Shape{Shape::Kind::Named, "", ""});
            }
    }

    /* Rows of memory of their own that change places. */
    void addExchanged(Shapes &found, const std::set<const VarDecl *> &seen) const
    {
        auto isRows = [&](const VarDecl *variable) {
            const auto shape = found.find(nameOf(variable));
            return shape != found.end() && shape->second.kind == Shape::Kind::Rows;
        };
        for (const VarDecl *variable : seen) {
            if (!variable->getType()->isPointerType() || !isRows(variable))
                continue;
            for (const VarDecl *other : facts.uses.exchangedWith(variable))
                if (seen.count(other) != 0 && isRows(other) && baseOf(other) != nullptr &&
                    baseOf(other) != baseOf(variable))
                    found.at(nameOf(variable)).exchanged.push_back(nameOf(other));
        }
    }

    /* Of a pointer, or an array of pointers, that the loop's function sees. */
    std::string nameOf(const VarDecl *variable) const
    {
        const Step &step = analysis.loopStep();
        const QualType type = variable->getType();
        const bool pointer = type->isPointerType() && type->getPointeeType()->isObjectType() &&
                             !type->getPointeeType()->isIncompleteType();
        if ((!pointer && !isPointerArray(analysis, variable) && !isFixed(variable)) ||
            (!analysis.members.contains(variable) &&
             !analysis.structure.visible(variable, step.function, step.anchor)))
            return "";
        return readable(
            analysis.textOf({variable, nullptr, false, false, type}, analysis.lastStep()));
    }

    /* An array of numbers, or structs, that is no member. */
    bool isFixed(const VarDecl *variable) const
    {
        return variable->getType()->isConstantArrayType() && isPlainValue(variable->getType()) &&
               !analysis.members.contains(variable);
    }

    std::optional<Shape> shapeOf(const VarDecl *variable, const std::string &name)
    {
        if (isFixed(variable))
            return Shape{isOfRootAlone(analysis, variable) ? Shape::Kind::Root : Shape::Kind::Same,
                         name, ""};
        if (isPointerArray(analysis, variable))
            return shapeOfEach(variable, name);
        if (std::optional<Shape> rows = byUse(variable, name))
            return rows;
        if (pointedBy(variable)->isPointerType())
            return pointedBy(variable)->getPointeeType()->isPointerType()
                       ? shapeOfTables(variable, name)
                       : shapeOfTable(variable, name);
        if (std::optional<Shape> root = ofRoot(variable, name))
            return root;
        const void *block = blockOf(survey, variable);
        const std::optional<Values> values = elementsOf(analysis, survey, variable, block);
        if (block == nullptr)
            if (std::optional<Shape> rows = behindGhosts(variable, name))
                return rows;
        return values ? bySize(variable, {name}, *values) : std::nullopt;
    }

    /* Rank 0 alone has it, and as much of it whatever the layout. */
    std::optional<Shape> ofRoot(const VarDecl *variable, const std::string &name) const
    {
        if (!isPlainValue(variable->getType()->getPointeeType()))
            return std::nullopt;
        const long long size =
            analysis.context.getTypeSizeInChars(variable->getType()->getPointeeType())
                .getQuantity();
        std::map<size_t, long long> many; /* by the round */
        for (const Survey::Sample &sample : survey.samples) {
            const Value value = sample.trial.valueAt(Cell{variable});
            const bool led = value.kind == Value::Kind::Pointer && value.target.base != nullptr;
            const std::optional<long long> bytes =
                led ? sample.trial.bytesOf(value.target.base) : std::nullopt;
            if (led != (sample.rank == 0) || (led && (!bytes || value.target.index != 0)) ||
                (led && many.emplace(sample.round, *bytes / size).first->second != *bytes / size))
                return std::nullopt;
        }
        Values values;
        for (const Survey::Sample &sample : survey.samples)
            values.push_back(many.at(sample.round));
        std::optional<Shape> shape = whole({name}, values);
        shape->kind = Shape::Kind::Root;
        return shape;
    }

    /* It leads behind ghost rows at the begin of its memory, to the first own one. */
    std::optional<Shape> behindGhosts(const VarDecl *variable, const std::string &name)
    {
        Values at;
        const void *block = nullptr;
        for (const Survey::Sample &sample : survey.samples) {
            const Value value = sample.trial.valueAt(Cell{variable});
            if (value.kind != Value::Kind::Pointer || value.target.field != nullptr ||
                (block != nullptr && value.target.base != block))
                return std::nullopt;
            block = value.target.base;
            at.push_back(value.target.index);
        }
        const std::optional<Values> values =
            block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
        for (long long width : {1, 2, 3}) {
            const auto length =
                values && inference.division
                    ? rowLength(survey, *values, inference.division->count, 2 * width, 0)
                    : std::nullopt;
            Values front;
            for (size_t i = 0; length && i < at.size(); i++)
                front.push_back(width * (*length)[i]);
            if (length && front == at)
                return fromGhosts(name, *length, std::to_string(width));
        }
        return std::nullopt;
    }

    std::optional<Shape> fromGhosts(const std::string &name, const Values &length,
                                    const std::string &width) const
    {
        const std::vector<std::string> text = registry.texts({length}, analysis.lastStep());
        return text.empty() ? std::nullopt
                            : rowsOf({"(" + name + " - " + width + " * (" + text.front() + "))"},
                                     length, width + " halo " + width);
    }

    /* As the loop sets and reads it. */
    std::optional<Shape> byUse(const VarDecl *variable, const std::string &name)
    {
        if (!inference.division || where.empty() || !facts.uses.isWritten(variable))
            return std::nullopt;
        const std::optional<RowsByUse> rows =
            RowsByUseFinder(analysis, survey, *inference.division, *facts.own).find(variable);
        if (!rows || rows->numbered || rows->whole)
            return std::nullopt;
        Picked picked = registry.pickedByUse(variable);
        const std::string halo = rows->before + rows->behind > 0
                                     ? " halo " + survey.widthOf(rows->before, &picked) + " : " +
                                           survey.widthOf(rows->behind, &picked)
                                     : "";
        return rowsOf({name}, rows->length, survey.widthOf(rows->front, &picked) + halo, picked);
    }

    /* u[0] and u[1], say: all have the same. */
    std::optional<Shape> shapeOfEach(const VarDecl *variable, const std::string &name)
    {
        std::set<const void *> taken;
        const size_t many = pointersIn(variable);
        std::optional<Values> values =
            many <= MostParts ? elementsOfEach(analysis, survey, variable, taken) : std::nullopt;
        if (!values && many <= MostParts)
            values = carved(variable);
        std::vector<std::string> parts;
        for (size_t i = 0; i < many && values; i++)
            parts.push_back("(" + name + "[" + std::to_string(i) + "])");
        return values ? bySize(variable, parts, *values) : std::nullopt;
    }

    /* The pointers lead to equal parts of one block, one behind another. */
    std::optional<Values> carved(const VarDecl *variable) const
    {
        const long long many = static_cast<long long>(pointersIn(variable));
        const Value first = survey.samples.front().trial.valueAt(Cell{variable, nullptr, 0});
        std::optional<Values> values =
            first.kind == Value::Kind::Pointer
                ? elementsOf(analysis, survey, variable, first.target.base)
                : std::nullopt;
        for (size_t i = 0; values && i < values->size(); i++) {
            const long long each = (*values)[i] / many;
            for (long long part = 0; part < many; part++) {
                const Value value = survey.samples[i].trial.valueAt(Cell{variable, nullptr, part});
                if (value.kind != Value::Kind::Pointer || value.target.field != nullptr ||
                    value.target.base != first.target.base || value.target.index != part * each)
                    return std::nullopt;
            }
            (*values)[i] = each;
        }
        return values;
    }

    /* Pointers to rows, of one block or each of its own. */
    std::optional<Shape> shapeOfTable(const VarDecl *variable, const std::string &name)
    {
        const std::optional<RowTable> table =
            inference.division ? findRowTable(analysis, survey, variable) : std::nullopt;
        const Values one(survey.samples.size(), 1);
        for (int extra : {0, 2, 4, 6})
            if (table && rowLength(survey, table->rows, inference.division->count, extra, 0) == one)
                return rowsOf({name}, table->length, atOf(extra, extra / 2));
        const std::optional<RowsByUse> apart =
            inference.division ? RowsByUseFinder(analysis, survey, *inference.division, *facts.own)
                                     .findPointers(variable)
                               : std::nullopt;
        const int width = apart ? static_cast<int>(apart->front) : 0;
        return apart ? rowsOf({name}, apart->length, atOf(2 * width, width)) : std::nullopt;
    }

    /* As u[k][j][i]: what lies behind the first pointers of all tables has as many rows as there
     * are of the outer ones, but not known how long, where the start has too many to be gone
     * through. */
    std::optional<Shape> shapeOfTables(const VarDecl *variable, const std::string &name) const
    {
        const void *block = blockOf(survey, variable);
        const auto outer = block ? elementsOf(analysis, survey, variable, block) : std::nullopt;
        const Values one(survey.samples.size(), 1);
        std::string first = name + "[0]";
        QualType type = pointedBy(variable)->getPointeeType();
        for (; type->getPointeeType()->isPointerType(); type = type->getPointeeType())
            first += "[0]";
        for (int extra : {0, 2, 4, 6})
            if (outer && inference.division &&
                rowLength(survey, *outer, inference.division->count, extra, 0) == one) {
                std::optional<Shape> shape =
                    rowsOf({"(" + first + "[0])"}, one, atOf(extra, extra / 2));
                if (shape)
                    shape->text += "[elements]", shape->complete = false;
                return shape;
            }
        return std::nullopt;
    }

    std::optional<Shape> bySize(const VarDecl *variable, const std::vector<std::string> &names,
                                const Values &values)
    {
        for (int extra : {0, 2, 4, 6})
            if (const auto length =
                    !isLayoutFree(survey, values) && inference.division
                        ? rowLength(survey, values, inference.division->count, extra, 0)
                        : std::nullopt) {
                if (std::optional<Shape> parts = inParts(variable, names, values, *length))
                    return parts;
                if (facts.own != nullptr &&
                    (facts.own->storesAcross(variable, *length) != nullptr ||
                     facts.own->stridedByCount(variable) != nullptr))
                    return Shape{Shape::Kind::Columns, "", ""};
                return rowsOf(names, *length,
                              atOf(extra, frontOf(variable, *length).value_or(extra / 2)),
                              pickedFor(variable, *length));
            }
        if (std::optional<Shape> more = withMore(variable, names, values))
            return more;
        if (std::optional<Shape> rows = amongAll(variable, names, values))
            return rows;
        if (facts.isReceived(variable) || (facts.own != nullptr && facts.own->isBuffer(variable)))
            return Shape{Shape::Kind::Scratch, arrayText(names, {}), ""}; /* of one iteration */
        std::optional<Shape> same;
        if (isLayoutFree(survey, values))
            same = whole(names, values, variable);
        else if (names.size() == 1 && isAsLarge(survey, values))
            same = Shape{Shape::Kind::Same, arrayText(names, {"elements"}), "", false, {}, true};
        if (same && !same->each)
            same->each = talksInPlace(*inference.survey, analysis.inLoop.calls, variable);
        if (same && same->complete &&
            (isHandedOut(analysis, *inference.survey, variable, values) ||
             isOfRootAlone(analysis, variable)))
            same->kind = Shape::Kind::Root;
        return same;
    }

    /* What looks like rows of LENGTH elements are equal arrays, one behind another: the loop goes
     * from one to another by a distance that is none of such rows. */
    std::optional<Shape> inParts(const VarDecl *variable, const std::vector<std::string> &names,
                                 const Values &values, const Values &length) const
    {
        const std::optional<Values> each =
            facts.own != nullptr ? facts.own->strideApart(variable, length) : std::nullopt;
        if (!each)
            return std::nullopt;
        const std::optional<Shape> parts =
            names.size() == 1 ? partsOf(variable, names.front(), values, *each) : std::nullopt;
        const bool columns = facts.own->stridedByCount(variable) != nullptr;
        return parts ? parts : Shape{columns ? Shape::Kind::Columns : Shape::Kind::Parts, "", ""};
    }

    /* The arrays of EACH elements that NAME leads to. */
    std::optional<Shape> partsOf(const VarDecl *variable, const std::string &name,
                                 const Values &values, const Values &each) const
    {
        const std::vector<std::string> size = registry.texts({each}, analysis.lastStep());
        const long long many = each.front() > 0 ? values.front() / each.front() : 0;
        std::vector<std::string> names = {name};
        for (long long part = 1; part < many && many <= MostParts && !size.empty(); part++)
            names.push_back("(" + name + " + " + (part > 1 ? std::to_string(part) + " * " : "") +
                            operandOf(size.front()) + ")");
        for (size_t i = 0; i < values.size(); i++)
            if (values[i] != many * each[i])
                return std::nullopt;
        for (int extra : {0, 2, 4, 6})
            if (const auto length = rowLength(survey, each, inference.division->count, extra, 0);
                length && names.size() > 1 && !facts.own->strideApart(variable, *length))
                return rowsOf(names, *length, atOf(extra, extra / 2), pickedFor(variable, *length));
        return std::nullopt;
    }

    /* What rows of LENGTH elements hang on, as the memory of VARIABLE does. */
    std::optional<Picked> pickedFor(const VarDecl *variable, const Values &length) const
    {
        const bool single = length == Values(length.size(), 1);
        return single ? std::nullopt : std::optional(survey.pickedFor(variable));
    }

    /* The first own row, by what the loop does. */
    std::optional<int> frontOf(const VarDecl *variable, const Values &length) const
    {
        return facts.own != nullptr && pointersIn(variable) == 0
                   ? facts.own->front(variable, length)
                   : std::nullopt;
    }

    /* How many rows the process with most of them has. */
    Values largest() const
    {
        std::map<std::pair<size_t, long long>, long long> most;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            long long &known = most[{survey.samples[i].round, survey.samples[i].size}];
            known = std::max(known, inference.division->count[i]);
        }
        Values all;
        for (const Survey::Sample &sample : survey.samples)
            all.push_back(most[{sample.round, sample.size}]);
        return all;
    }

    /* There is room for others than the own rows, in which the loop shows where these are: on one
     * side, for as many as the largest block has, or behind numbers for any. */
    std::optional<Shape> withMore(const VarDecl *variable, const std::vector<std::string> &names,
                                  const Values &values) const
    {
        if (isLayoutFree(survey, values) || !inference.division)
            return std::nullopt;
        const Values &count = inference.division->count;
        for (int extra : {1, 3, 5})
            if (const auto length = rowLength(survey, values, count, extra, 0))
                if (const auto front = frontOf(variable, *length); front && *front <= extra)
                    return rowsOf(names, *length, atOf(extra, *front),
                                  pickedFor(variable, *length));
        if (const auto length = rowLength(survey, values, count, 1, 0);
            length && setsAll(variable, values))
            return rowsOf(names, *length, "0 halo 0 : 1", pickedFor(variable, *length));
        const Values one(values.size(), 1);
        for (const auto &length : {rowLength(survey, values, largest(), 0, 0), std::optional(one)})
            if (const auto front = length ? frontOf(variable, *length) : std::nullopt)
                if (hasRoom(values, *length, *front))
                    return rowsOf(names, *length, std::to_string(*front),
                                  pickedFor(variable, *length));
        return std::nullopt;
    }

    /* All processes have all rows, perhaps with others around them, and each sets its own. */
    std::optional<Shape> amongAll(const VarDecl *variable, const std::vector<std::string> &names,
                                  const Values &values)
    {
        if (!isLayoutFree(survey, values) || !inference.division || where.empty() ||
            !facts.uses.isWritten(variable))
            return std::nullopt;
        const std::optional<RowsAmongAll> rows =
            RowsByUseFinder(analysis, survey, *inference.division, *facts.own)
                .findAmongAll(variable, values);
        if (!rows)
            return std::nullopt;
        Picked picked = registry.pickedByUse(variable);
        const std::string front = survey.widthOf(rows->front, &picked), less = " - " + front,
                          at = rows->front == 0 ? range.first
                               : endsWith(range.first, less)
                                   ? range.first.substr(0, range.first.size() - less.size())
                                   : operandOf(range.first) + " + " + front;
        const std::string halo = rows->before + rows->behind > 0
                                     ? " halo " + survey.widthOf(rows->before, &picked) + " : " +
                                           survey.widthOf(rows->behind, &picked)
                                     : "";
        return rowsOf(names, rows->length, operandOf(at) + halo, picked);
    }

    /* Also the last row, which is the first one of the next process: as faces between cells. */
    bool setsAll(const VarDecl *variable, const Values &values) const
    {
        const auto all = facts.own != nullptr && pointersIn(variable) == 0
                             ? facts.own->stretches(variable)
                             : std::nullopt;
        for (size_t i = 0; all && i < values.size(); i++)
            if (all->set[i].low != 0 || all->set[i].high != values[i] - 1)
                return false;
        return all.has_value();
    }

    bool hasRoom(const Values &values, const Values &length, int front) const
    {
        for (size_t i = 0; i < values.size(); i++)
            if (values[i] < (front + inference.division->count[i]) * length[i])
                return false;
        return true;
    }

    /* FRONT of EXTRA rows lie in front of the own ones. */
    std::string atOf(int extra, int front) const
    {
        const std::string at = survey.widthOf(front), width = at + " halo " + at;
        return extra == 0           ? "0"
               : extra == 2 * front ? width
               : front > extra      ? at
                                    : width + " : " + survey.widthOf(extra - front);
    }

    std::optional<Shape> rowsOf(const std::vector<std::string> &names, const Values &length,
                                const std::string &at,
                                std::optional<Picked> picked = std::nullopt) const
    {
        std::vector<Values> extents = {inference.division->extent};
        if (length != Values(length.size(), 1))
            extents.push_back(length);
        const std::vector<std::string> texts =
            registry.texts(extents, analysis.lastStep(), std::move(picked));
        if (texts.empty() || where.empty())
            return std::nullopt;
        return Shape{Shape::Kind::Rows, arrayText(names, texts),
                     readable(where) + (at == "0" ? "" : " at " + at)};
    }

    std::optional<Shape> whole(const std::vector<std::string> &names, const Values &values,
                               const VarDecl *made = nullptr) const
    {
        const std::vector<std::string> texts =
            made != nullptr ? registry.textsOf(made, {values}, analysis.lastStep())
                            : registry.texts({values}, analysis.lastStep());
        return Shape{Shape::Kind::Same,
                     arrayText(names, texts.empty() ? std::vector<std::string>{"elements"} : texts),
                     "", !texts.empty()};
    }
};

} // namespace

Shapes shapesAt(Analysis &analysis, const Inference &inference, const RangeText &range)
{
    analysis.telling = true;
    return inference.survey != nullptr && !analysis.after.empty() && !analysis.path.empty()
               ? ShapeFinder(analysis, inference, range).find()
               : Shapes();
}

} // namespace xmpi
