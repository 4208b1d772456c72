/* SPDX-License-Identifier: BSD-3-Clause
 * The memory of a trial: cells of variables, structs and blocks, and what is forgotten of them. */
#include "trial/trial.h"
#include <climits>

namespace xmpi
{

using namespace clang;

/* They are there from the begin. */
void Trial::addFixedArrays()
{
    for (const auto &entry : analysis.arrays.all()) {
        blocks[&entry] = entry.second;
        memory[Cell{entry.first}] = Value::to(Cell{&entry});
    }
    for (const auto &entry : analysis.arrays.several()) {
        const auto &[variable, number] = entry.first;
        blocks[&entry] = entry.second;
        memory[Cell{variable, nullptr, number}] = Value::to(Cell{&entry});
    }
}

/* Where a member that is a variable of its own is in memory. */
Cell Trial::placed(const Cell &cell) const
{
    const auto *variable = static_cast<const VarDecl *>(cell.base);
    if (cell.field != nullptr || !analysis.members.contains(variable))
        return cell;
    const Object &object = analysis.members.placeOf(variable);
    Cell place{object.root};
    for (size_t i = 0; i + 1 < object.path.size(); i++)
        place.base = innerBase({place.base, object.path[i]});
    place.field = object.path.back();
    place.index = cell.index;
    return place;
}

/* The struct that CELL, a member of another one, is. */
const void *Trial::innerBase(const Cell &cell) const
{
    return &analysis.inner[{cell.base, cell.field, cell.index}];
}

void Trial::store(const std::optional<Cell> &cell, const Value &value, QualType type)
{
    if (!cell || spent)
        return;
    if (type->isRecordType())
        return copyFields(*cell, value, type);
    forgetOverlaid(*cell);
    if (value.kind == Value::Kind::Unknown)
        return forget(*cell);
    Value kept = value;
    if (type->isIntegerType() && value.kind == Value::Kind::Real)
        kept = Value::of(static_cast<long long>(value.real));
    if (type->isRealFloatingType())
        kept = value.isNumber() ? Value::of(value.asReal()) : Value();
    memory[*cell] = kept;
}

/* A struct as a value is the place where it is. */
void Trial::copyFields(const Cell &cell, const Value &from, QualType type)
{
    for (const FieldDecl *field : type->getAsRecordDecl()->fields()) {
        Cell to{cell.base, field, cell.index};
        if (cell.field != nullptr)
            continue;
        if (field->getType()->isRecordType()) {
            bool known = from.kind == Value::Kind::Pointer && from.target.field == nullptr;
            Cell inner{known ? innerBase({from.target.base, field, from.target.index}) : nullptr};
            copyFields(Cell{innerBase(to)}, known ? Value::to(inner) : Value(), field->getType());
            continue;
        }
        Value value;
        if (from.kind == Value::Kind::Pointer && from.target.field == nullptr)
            value = load(Cell{from.target.base, field, from.target.index}, field->getType());
        store(to, value, field->getType());
    }
}

Value Trial::load(const std::optional<Cell> &cell, QualType type)
{
    if (!cell)
        return Value();
    if (std::optional<Value> assumed = assumedAt(*cell))
        return *assumed;
    auto found = memory.find(*cell);
    if (found != memory.end() && found->second.kind != Value::Kind::Unknown)
        return found->second;
    if (over || spent || !type->isIntegerType() || cell->base == nullptr)
        return Value();
    return memory[*cell] = Value::of(inputs.valueOf(*cell));
}

std::optional<Cell> Trial::element(const Value &pointer, const Value &index)
{
    if (pointer.kind != Value::Kind::Pointer || index.kind != Value::Kind::Integer)
        return std::nullopt;
    Cell cell = pointer.target;
    cell.index += index.integer;
    return cell;
}

std::optional<Cell> Trial::cellOf(const Expr *expression)
{
    expression = expression->IgnoreParens();
    if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
        const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
        if (variable == nullptr)
            return std::nullopt;
        if (analysis.members.contains(variable))
            return placed(Cell{variable});
        if (const MemberExpr *member = analysis.members.written(reference))
            return cellOf(member); /* of the struct that is meant this time */
        Cell cell{variable->getCanonicalDecl()};
        const Expr *initial =
            variable->hasGlobalStorage() ? variable->getAnyInitializer() : nullptr;
        if (initial != nullptr && memory.count(cell) == 0 && !inputs.contains(cell) &&
            initial->getType()->isArithmeticType())
            store(cell, evaluate(initial), variable->getType());
        return cell;
    }
    if (const auto *member = dyn_cast<MemberExpr>(expression)) {
        const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        std::optional<Cell> base = member->isArrow()
                                       ? element(evaluate(member->getBase()), Value::of(0LL))
                                       : element(evaluate(member->getBase()), Value::of(0LL));
        if (!base || field == nullptr || base->field != nullptr)
            return std::nullopt;
        base->field = field;
        if (field->getType()->isRecordType() && field->getParent()->isUnion())
            return std::nullopt; /* what is in it shares its place with other members */
        return field->getType()->isRecordType() ? Cell{innerBase(*base)} : *base;
    }
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression))
        return element(evaluate(subscript->getBase()), evaluate(subscript->getIdx()));
    if (const auto *unary = dyn_cast<UnaryOperator>(expression))
        if (unary->getOpcode() == UO_Deref)
            return element(evaluate(unary->getSubExpr()), Value::of(0LL));
    return std::nullopt;
}

/* -- what is not known any more */

const std::vector<Write> &Trial::writesOfCall(const CallExpr *call)
{
    auto [found, isNew] = lookups.writesOfCalls.try_emplace(call);
    if (isNew)
        found->second = analysis.finder.of(call).writes;
    return found->second;
}

const std::vector<Write> &Trial::writesOfAll(const Stmt *statement)
{
    auto [found, isNew] = lookups.writesOfAll.try_emplace(statement);
    std::vector<Write> &writes = found->second;
    if (!isNew)
        return writes;
    const Effects effects = analysis.finder.withCallees(statement);
    writes = effects.writes;
    for (const FunctionDecl *function : analysis.finder.reachable(effects))
        for (const Write &write : analysis.finder.of(function->getBody()).writes)
            if (write.place.base->isStaticLocal())
                writes.push_back(write); /* nobody else sees it, but the next call does */
    return writes;
}

/* BASE, or each of the members of several structs that it may stand for. */
static std::set<const void *> meaningOf(const Analysis &analysis, const void *base)
{
    const auto &all = analysis.members.meaning(static_cast<const VarDecl *>(base));
    return all.empty() ? std::set<const void *>{base}
                       : std::set<const void *>(all.begin(), all.end());
}

void Trial::forget(const Stmt *statement)
{
    for (const Write &write : writesOfAll(statement))
        for (const void *base : meaningOf(analysis, write.place.base->getCanonicalDecl())) {
            auto pointer = memory.find(placed(Cell{base, write.place.field}));
            if (write.place.element && pointer != memory.end() &&
                pointer->second.kind == Value::Kind::Pointer)
                forgetContents(pointer->second.target.base, write.place.type->isPointerType());
            else
                forgetBase(base);
        }
}

/* What BASE holds, and where it points to if it is a pointer. */
void Trial::forgetBase(const void *base)
{
    if (const auto all = meaningOf(analysis, base); all.count(base) == 0) {
        for (const void *one : all)
            forgetBase(one);
        return;
    }
    if (analysis.members.contains(static_cast<const VarDecl *>(base))) {
        auto member = memory.find(placed(Cell{base}));
        Value before = member == memory.end() ? Value() : member->second;
        if (before.kind == Value::Kind::Pointer)
            forgetContents(before.target.base, true);
        else if (member != memory.end())
            memory.erase(member);
        return;
    }
    for (auto &[cell, inner] : analysis.inner)
        if (std::get<0>(cell) == base)
            forgetBase(&inner);
    memory.emplace(Cell{base}, Value());
    for (auto it = memory.lower_bound(Cell{base, nullptr, LLONG_MIN});
         it != memory.end() && it->first.base == base;) {
        const void *target =
            it->second.kind == Value::Kind::Pointer ? it->second.target.base : nullptr;
        if (target == nullptr)
            it->second = Value();
        ++it;
        if (target != nullptr && target != base)
            forgetContents(target, true);
    }
}

/* Without POINTERS, those in BLOCK stay, and what they point to is forgotten. */
void Trial::forgetContents(const void *block, bool pointers)
{
    std::set<const void *> targets;
    for (auto cell = memory.lower_bound(Cell{block, nullptr, LLONG_MIN});
         cell != memory.end() && cell->first.base == block; ++cell)
        if (pointers || cell->second.kind != Value::Kind::Pointer)
            cell->second = Value();
        else if (cell->second.target.base != block)
            targets.insert(cell->second.target.base);
    for (const void *target : targets)
        forgetContents(target, true);
}

/* CELL is set: where it is a member of a union, the others have not what they had. */
void Trial::forgetOverlaid(const Cell &cell)
{
    if (cell.field == nullptr || !cell.field->getParent()->isUnion())
        return;
    for (auto it = memory.lower_bound(Cell{cell.base, nullptr, LLONG_MIN});
         it != memory.end() && it->first.base == cell.base; ++it)
        if (it->first.field != nullptr && it->first.field != cell.field &&
            it->first.field->getParent() == cell.field->getParent())
            it->second = Value();
}

void Trial::forget(const Cell &cell)
{
    for (const void *base : meaningOf(analysis, cell.base))
        memory[placed({base, cell.field, cell.index})] =
            Value(); /* (without a cell it would have its initial value again) */
}

} // namespace xmpi
