/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions: where pointers lead, what is read and what is set. */
#include "analysis.h"
#include "cells/clause_pointers.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"
#include "walk/walk.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

/* Pointers and handles mean something in one process only: the start makes them. */
bool Walk::isValue(QualType type)
{
    return !type->isPointerType() && !isHandle(type) && !type->isFunctionType();
}

/* -- what is known */

/* What an iteration has made itself has nothing of those before (age() tells it from what they
 * made), also behind a condition. */
bool Walk::isSet(Id object) const
{
    for (; object != Memory::none; object = memory.at(object).whole)
        if (now.set.count(object) + fresh.count(object) != 0)
            return true;
    return false;
}

/* The same of one of TYPE: also where each of its members has been. */
bool Walk::isSet(Id object, QualType type)
{
    const RecordDecl *record = type->getAsRecordDecl();
    return isSet(object) ||
           (record != nullptr && !record->isUnion() && !record->field_empty() &&
            std::all_of(record->field_begin(), record->field_end(), [&](const FieldDecl *field) {
                return isSet(memory.member(object, field), field->getType());
            }));
}

/* OBJECT, of TYPE, or what it is in, or each of its members. */
bool Walk::isTouched(Id object, QualType type, const Marks &marks)
{
    for (Id one = object; one != Memory::none; one = memory.at(one).whole)
        if (marks.count(one) != 0)
            return true;
    const RecordDecl *record = context.getBaseElementType(type)->getAsRecordDecl();
    return record != nullptr && !record->isUnion() && !record->field_empty() &&
           std::all_of(record->field_begin(), record->field_end(), [&](const FieldDecl *field) {
               return isTouched(memory.member(object, field), field->getType(), marks);
           });
}

/* Those of OBJECTS of which nothing has been set: one process broadcasts what it has had there.
 * (Where something has been, on whichever process, that is what is sent.) */
Walk::Ids Walk::untouchedOf(const Ids &objects, QualType type)
{
    Ids found;
    for (Id object : objects)
        if (!isSet(object, type) && !isTouched(object, type, now.anywhere))
            found.insert(object);
    return found;
}

/* A struct with pointers or handles in it is not kept as a whole: its other members are. */
bool Walk::hasParts(QualType type) const
{
    const RecordDecl *record = context.getBaseElementType(type)->getAsRecordDecl();
    return record != nullptr && !record->isUnion() && leadingMember(context, type) != nullptr;
}

/* ACT on each member of OBJECTS, structs of TYPE or arrays of them. */
void Walk::overParts(const Ids &objects, QualType type,
                     const std::function<void(const Ids &, QualType)> &act)
{
    const RecordDecl *record = context.getBaseElementType(type)->getAsRecordDecl();
    for (const FieldDecl *field : record->getDefinition()->fields()) {
        Ids part;
        for (Id object : objects)
            part.insert(memory.member(object, field));
        act(part, field->getType());
    }
}

/* An array of which all elements have been set, one by one, is set. */
void Walk::setAnew(Id object)
{
    now.set.insert(object);
    const Id whole = memory.at(object).whole;
    if (memory.at(object).slot < 0 || memory.at(whole).variable == nullptr)
        return;
    const auto *array = context.getAsConstantArrayType(memory.at(whole).variable->getType());
    uint64_t set = 0;
    for (Id one : memory.slotsOf(whole))
        set += now.set.count(one);
    if (array != nullptr && array->getSize() == set)
        now.set.insert(whole);
}

void Walk::read(const Ids &objects, QualType type)
{
    if (hasParts(type))
        return overParts(objects, type, [&](const Ids &part, QualType of) { read(part, of); });
    divergent = divergent || areOther(objects);
    noteRead(objects);
    useHandle(objects, type);
    if (looking || phase == Phase::Before || !isValue(context.getBaseElementType(type)))
        return;
    seen.insert(objects.begin(), objects.end());
    noteUse(objects);
    for (Id object : objects) {
        const bool set = isSet(object, type);
        if (!set && !isTouched(object, type, now.touched))
            untouched.insert(object);
        if (!set && asking != nullptr)
            asking->insert(object);
        if (!set)
            exposed.insert(object);
        else if (now.brought.count(object) != 0)
            supposed.insert(object);
    }
}

/* Which of several is set, or which element, is not known: the others keep what they have. */
void Walk::write(const Ids &objects, QualType type, bool whole, const Expr *by)
{
    if (hasParts(type))
        return overParts(objects, type,
                         [&](const Ids &part, QualType of) { write(part, of, whole, by); });
    settle(objects, whole && objects.size() == 1 && isNumber(*objects.begin()));
    noteOther(objects, type, by);
    noteSet(objects, type, whole, by);
    noteMade(objects, by);
    if (looking || phase == Phase::Before || !isValue(context.getBaseElementType(type)))
        return;
    if (phase == Phase::Iterating)
        noteUse(objects);
    noteDecided(objects);
    for (Id object : objects)
        if (phase == Phase::Iterating && !ignored(by))
            changed.emplace(object, Change{object, type, by->getExprLoc()});
    if (objects.size() == 1 && !memory.at(*objects.begin()).several) {
        now.touched.insert(*objects.begin());
        now.anywhere.insert(*objects.begin());
    }
    if (objects.size() == 1 && whole)
        setAnew(*objects.begin());
}

void Walk::noteUse(const Ids &objects)
{
    if (!adding)
        otherwise.insert(objects.begin(), objects.end());
}

/* x += y; x++; as a statement of an iteration. */
bool Walk::isAddition(const Expr *expression) const
{
    const auto *unary = dyn_cast<UnaryOperator>(expression);
    const auto *binary = dyn_cast<BinaryOperator>(expression);
    return phase == Phase::Iterating && expression == alone &&
           ((unary != nullptr && unary->isIncrementDecrementOp()) ||
            (binary != nullptr &&
             (binary->getOpcode() == BO_AddAssign || binary->getOpcode() == BO_SubAssign)));
}

/* By the program itself. */
void Walk::noteStored(const Ids &objects, bool whole)
{
    for (Id object : objects)
        if (phase == Phase::Iterating && !looking && !isNumber(object))
            stored.insert(object);
    if (objects.size() == 1 && whole)
        now.brought.erase(*objects.begin());
}

/* A variable or member with one value. */
bool Walk::isNumber(Id id) const
{
    const Memory::Object &object = memory.at(id);
    if (object.variable == nullptr && object.field == nullptr)
        return object.slot >= 0;
    const QualType type = object.field ? object.field->getType() : object.variable->getType();
    return !type->isArrayType();
}

/* -- pointers */

/* What the start makes of a pointer by arithmetic leads to a part of the memory: to another array
 * that has been carved out of it, for all that is known. */
Walk::Ids Walk::carve(const Ids &blocks, const Expr *by, const Expr *distance)
{
    const std::optional<long long> number = constantInteger(distance, context);
    if (phase != Phase::Before || (number && *number == 0))
        return blocks;
    Ids parts;
    for (Id block : blocks)
        parts.insert(memory.at(block).function != nullptr ? block : memory.carved(block, by, way));
    return parts;
}

/* Where a pointer leads that nobody has set here, is unknown, and a place of its own. */
Walk::Ids Walk::load(const Ids &pointers)
{
    Ids found;
    divergent = divergent || isDivergent(now, pointers);
    for (Id pointer : pointers) {
        if (!looking && phase != Phase::Before && !isSet(pointer))
            aimed.insert(pointer);
        auto at = now.leads.find(pointer);
        const Memory::Object &root = memory.rootOf(pointer);
        const bool global = root.variable != nullptr && root.variable->hasGlobalStorage();
        if (at == now.leads.end() || (at->second.empty() && global)) {
            bool parts = false;
            for (Id slot : memory.slotsOf(pointer))
                if (now.leads.count(slot) != 0) {
                    parts = true;
                    found.insert(now.leads[slot].begin(), now.leads[slot].end());
                }
            const Id whole = memory.at(pointer).slot >= 0 ? memory.at(pointer).whole : Memory::none;
            if (now.leads.count(whole) != 0)
                found.insert(now.leads[whole].begin(), now.leads[whole].end());
            else if (!parts)
                found.insert(*(now.leads[pointer] = {memory.behind(pointer)}).begin());
            continue;
        }
        found.insert(at->second.begin(), at->second.end());
        for (Id slot : memory.slotsOf(pointer))
            found.insert(now.leads[slot].begin(), now.leads[slot].end());
        if (memory.at(pointer).slot >= 0 && now.leads.count(memory.at(pointer).whole) != 0) {
            const Ids &all = now.leads[memory.at(pointer).whole];
            found.insert(all.begin(), all.end());
        }
    }
    return found;
}

void Walk::store(const Ids &pointers, const Ids &values, bool weak)
{
    if (looking)
        return;
    for (Id pointer : pointers) {
        const bool strong = !weak && pointers.size() == 1 && !memory.at(pointer).several;
        Ids &leads = now.leads[pointer];
        if (strong)
            leads.clear();
        leads.insert(values.begin(), values.end());
    }
}

/* POINTERS, variables or what the start has made, are set BY an iteration: ANEW, or from what they
 * were; STEPS: to somewhere in an array. */
void Walk::move(const Ids &pointers, const Expr *by, bool steps, bool anew)
{
    if (looking || phase != Phase::Iterating)
        return;
    for (Id pointer : pointers) {
        const Memory::Object &root = memory.rootOf(pointer);
        if (root.kept || isSet(pointer))
            continue;
        moved.emplace(pointer, Change{pointer, by->getType(), by->getExprLoc()});
        if (steps)
            stepped.insert(pointer);
        if (steps && !anew)
            advanced.insert(pointer);
    }
    if (pointers.size() == 1 && anew && !memory.at(*pointers.begin()).several)
        now.set.insert(*pointers.begin());
}

/* A struct with its pointers. */
void Walk::copy(const Ids &to, const Ids &from, QualType type)
{
    const RecordDecl *record = type->getAsRecordDecl();
    if (isDivergent(now, from) && !looking)
        now.divergent.insert(to.begin(), to.end());
    if (record == nullptr || record->isUnion())
        return;
    for (const FieldDecl *field : record->fields()) {
        Ids into, out;
        for (Id object : to)
            into.insert(memory.member(object, field));
        for (Id object : from)
            out.insert(memory.member(object, field));
        if (field->getType()->isPointerType())
            store(into, load(out), false);
        else
            copy(into, out, field->getType());
    }
}

/* OBJECT begins with the number that INIT names, and nothing else: what is made of that is what
 * becomes of it. */
bool Walk::noteCopy(Id object, QualType type, const Expr *init)
{
    const auto *cast = dyn_cast<ImplicitCastExpr>(init->IgnoreParens());
    const Expr *from = cast != nullptr ? cast->getSubExpr()->IgnoreParens() : nullptr;
    if (from == nullptr || cast->getCastKind() != CK_LValueToRValue || !isa<DeclRefExpr>(from) ||
        looking || phase == Phase::Before || !type->isArithmeticType())
        return false;
    const Ids all = place(from);
    if (all.count(object) == 0) /* not int x = x; */
        copies.emplace_back(all, object);
    return true;
}

void Walk::initialise(Id object, QualType type, const Expr *init)
{
    const auto *list = dyn_cast<InitListExpr>(init->IgnoreParens());
    if (list == nullptr) {
        divergent = false;
        adding = noteCopy(object, type, init);
        const Ids values = value(init);
        adding = false;
        settle({object}, true);
        noteOther({object}, type, init);
        noteSet({object}, type, true, init);
        if (type->isPointerType())
            store({object}, values, false);
        else
            copy({object}, values, type);
        return;
    }
    const RecordDecl *record = type->getAsRecordDecl();
    const ArrayType *array = context.getAsArrayType(type);
    auto field = record ? record->field_begin() : RecordDecl::field_iterator();
    for (unsigned i = 0; i < list->getNumInits(); i++) {
        if (array != nullptr)
            initialise(memory.slot(object, i), array->getElementType(), list->getInit(i));
        else if (record == nullptr || record->isUnion())
            value(list->getInit(i));
        else if (field != record->field_end())
            initialise(memory.member(object, *field), field->getType(), list->getInit(i));
        if (record != nullptr && !record->isUnion() && field != record->field_end())
            ++field;
    }
}

/* -- places */

Walk::Ids Walk::placeOf(const ArraySubscriptExpr *element)
{
    value(element->getIdx());
    const Ids arrays = value(element->getBase());
    const Expr *base = element->getBase()->IgnoreParenImpCasts();
    const std::optional<long long> number = constantInteger(element->getIdx(), context);
    if (!number || *number < 0 || !isa<DeclRefExpr>(base) || !base->getType()->isArrayType())
        return arrays;
    Ids slots;
    for (Id array : arrays)
        slots.insert(memory.slot(array, *number));
    return slots;
}

Walk::Ids Walk::place(const Expr *lvalue)
{
    lvalue = lvalue->IgnoreParens();
    if (const auto *name = dyn_cast<DeclRefExpr>(lvalue)) {
        if (const auto *function = dyn_cast<FunctionDecl>(name->getDecl()))
            return {memory.code(function)};
        const auto *variable = dyn_cast<VarDecl>(name->getDecl());
        return variable != nullptr ? Ids{memory.variable(variable, way)} : Ids();
    }
    if (const auto *member = dyn_cast<MemberExpr>(lvalue)) {
        const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        Ids found;
        for (Id whole : member->isArrow() ? value(member->getBase()) : place(member->getBase()))
            found.insert(field ? memory.member(whole, field) : whole);
        return found;
    }
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue))
        return placeOf(element);
    if (const auto *unary = dyn_cast<UnaryOperator>(lvalue))
        if (unary->getOpcode() == UO_Deref || unary->getOpcode() == UO_Extension ||
            unary->getOpcode() == UO_Real || unary->getOpcode() == UO_Imag)
            return unary->getOpcode() == UO_Deref ? value(unary->getSubExpr())
                                                  : place(unary->getSubExpr());
    if (const auto *literal = dyn_cast<CompoundLiteralExpr>(lvalue)) {
        const Id object = memory.made(literal, way, false);
        setAnew(object);
        initialise(object, literal->getType(), literal->getInitializer());
        return {object};
    }
    if (isa<StringLiteral, PredefinedExpr>(lvalue))
        return {memory.made(lvalue, 0, true)};
    return value(lvalue);
}

/* -- values */

Walk::Ids Walk::value(const Expr *expression)
{
    expression = expression->IgnoreParens();
    steps++;
    if (const auto *cast = dyn_cast<CastExpr>(expression))
        return valueOf(cast);
    if (const auto *unary = dyn_cast<UnaryOperator>(expression))
        return valueOf(unary);
    if (const auto *binary = dyn_cast<BinaryOperator>(expression))
        return valueOf(binary);
    if (const auto *call = dyn_cast<CallExpr>(expression))
        return valueOf(call);
    if (const auto *choice = dyn_cast<ConditionalOperator>(expression)) {
        value(choice->getCond());
        return either(choice->getTrueExpr(), choice->getFalseExpr());
    }
    if (const auto *choice = dyn_cast<ChooseExpr>(expression))
        return value(choice->getChosenSubExpr());
    if (const auto *block = dyn_cast<StmtExpr>(expression)) {
        const auto &all = block->getSubStmt()->body();
        Ids last;
        for (const Stmt *one : all)
            if (const auto *inner = dyn_cast<Expr>(one))
                last = value(inner);
            else
                walk(one);
        return last;
    }
    if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr, CompoundLiteralExpr, StringLiteral,
            PredefinedExpr>(expression))
        return place(expression);
    if (isa<UnaryExprOrTypeTraitExpr>(expression))
        return {};
    for (const Stmt *child : expression->children())
        if (const auto *inner = dyn_cast_or_null<Expr>(child))
            value(inner);
    return {};
}

/* A struct is handed on as the objects that it is copied from. */
Walk::Ids Walk::valueOf(const CastExpr *cast)
{
    const Expr *inner = cast->getSubExpr();
    const QualType type = inner->getType();
    if (cast->getCastKind() == CK_LValueToRValue) {
        const Ids places = place(inner);
        if (type->isPointerType())
            return load(places);
        read(places, type);
        return type->isRecordType() ? places : Ids();
    }
    if (cast->getCastKind() == CK_ArrayToPointerDecay ||
        cast->getCastKind() == CK_FunctionToPointerDecay)
        return place(inner);
    if (inner->isNullPointerConstant(context, Expr::NPC_ValueDependentIsNull))
        return {};
    const Ids values = value(inner);
    return cast->getCastKind() == CK_IntegralToPointer && values.empty()
               ? Ids{memory.made(cast, way, true)}
               : values;
}

Walk::Ids Walk::valueOf(const UnaryOperator *unary)
{
    if (unary->getOpcode() == UO_Deref)
        return place(unary);
    if (unary->getOpcode() == UO_AddrOf) {
        const auto *element = dyn_cast<ArraySubscriptExpr>(unary->getSubExpr()->IgnoreParens());
        const Ids places = place(unary->getSubExpr());
        const bool slot = !places.empty() && memory.at(*places.begin()).slot >= 0;
        return element == nullptr || slot ? places : carve(places, unary, element->getIdx());
    }
    if (!unary->isIncrementDecrementOp())
        return value(unary->getSubExpr());
    const Ids places = place(unary->getSubExpr());
    const QualType type = unary->getType();
    if (type->isPointerType()) {
        const Ids led = load(places);
        move(places, unary->getSubExpr(), true, false);
        return led;
    }
    adding = isAddition(unary);
    noteStep(places, unary);
    read(places, type);
    const bool whole = isWhole(unary->getSubExpr());
    write(places, type, whole, unary->getSubExpr());
    adding = false;
    noteStored(places, whole);
    return {};
}

Walk::Ids Walk::either(const Expr *one, const Expr *other)
{
    Moment at = now;
    chosen++;
    Ids values = one != nullptr ? value(one) : Ids();
    std::swap(now, at);
    const Ids others = value(other);
    chosen--;
    join(now, at, memory);
    values.insert(others.begin(), others.end());
    return values;
}

bool isSum(const Expr *pointer)
{
    const auto *binary = dyn_cast<BinaryOperator>(pointer->IgnoreParenCasts());
    const Expr *target = addressedBy(pointer);
    return (binary != nullptr && binary->isAdditiveOp()) ||
           (target != nullptr && isa<ArraySubscriptExpr>(target->IgnoreParens()));
}

/* The variable or member at PLACE is in VALUE. */
static bool names(const Expr *value, const Expr *place)
{
    const auto declared = [](const Stmt *one) -> const ValueDecl * {
        if (const auto *member = dyn_cast<MemberExpr>(one))
            return member->getMemberDecl();
        const auto *name = dyn_cast<DeclRefExpr>(one);
        return name != nullptr ? name->getDecl() : nullptr;
    };
    const ValueDecl *wanted = declared(place->IgnoreParens());
    return wanted != nullptr &&
           anyWithin(value, [&](const Stmt *part) { return declared(part) == wanted; });
}

Walk::Ids Walk::valueOf(const BinaryOperator *binary)
{
    const Expr *left = binary->getLHS(), *right = binary->getRHS();
    const QualType type = left->getType();
    if (binary->isLogicalOp()) {
        value(left);
        either(nullptr, right);
        return {};
    }
    if (!binary->isAssignmentOp()) {
        Ids one = value(left), other = value(right);
        if (binary->getOpcode() == BO_Comma)
            return other;
        if (binary->isAdditiveOp() && binary->getType()->isPointerType())
            return type->isPointerType() ? carve(one, binary, right) : carve(other, binary, left);
        one.insert(other.begin(), other.end());
        return binary->getType()->isPointerType() || binary->getType()->isIntegerType() ? one
                                                                                        : Ids();
    }
    const bool outer = divergent;
    divergent = false;
    const Ids values = value(right), places = place(left);
    const Ids found = assign(binary, places, values);
    divergent = divergent || outer;
    return found;
}

Walk::Ids Walk::assign(const BinaryOperator *binary, const Ids &places, const Ids &values)
{
    const Expr *left = binary->getLHS(), *right = binary->getRHS();
    const QualType type = left->getType();
    if (type->isPointerType()) {
        const bool steps = binary->isCompoundAssignmentOp();
        const Ids parts = steps ? carve(load(places), binary, right) : values;
        const bool table = !steps && isa<ArraySubscriptExpr>(left->IgnoreParens()) &&
                           memory.at(places.empty() ? 0 : *places.begin()).slot < 0;
        const bool onwards = steps || (isSum(right) && names(right, left));
        move(places, left, steps || isSum(right), !onwards);
        store(places, parts, table);
        settle(places, !table);
        return parts;
    }
    adding = isAddition(binary);
    noteStep(places, binary);
    if (binary->isCompoundAssignmentOp())
        read(places, type);
    const bool whole = isWhole(left);
    write(places, type, whole, left);
    adding = false;
    if (!constantInteger(right, context))
        makeHandle(places, type, left);
    copy(places, values, type);
    noteStored(places, whole);
    return type->isRecordType() ? places : values;
}

} // namespace xmpi
