/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers the objects, each with what it is a part of. */
#include "walk/memory.h"

namespace xmpi
{

using namespace clang;

enum Sort { Variable, Made, Code, Behind, Member, Slot, Carved, Kept };

int Memory::way(int outer, const CallExpr *call)
{
    auto [at, fresh] = ways.emplace(std::make_pair(outer, call), 0);
    if (fresh)
        at->second = static_cast<int>(ways.size());
    return at->second;
}

Memory::Id Memory::named(const Key &key, const Object &object)
{
    auto [at, fresh] = known.emplace(key, size());
    if (fresh)
        objects.push_back(object);
    if (fresh && object.whole != none)
        objects[static_cast<size_t>(object.whole)].parted = true;
    return at->second;
}

Memory::Id Memory::variable(const VarDecl *variable, int way)
{
    Object object;
    object.variable = variable->getCanonicalDecl();
    return named({Variable, object.variable, variable->hasGlobalStorage() ? 0 : way}, object);
}

Memory::Id Memory::made(const Expr *by, int way, bool foreign)
{
    Object object;
    object.made = by;
    object.foreign = foreign;
    return named({Made, by, way}, object);
}

Memory::Id Memory::code(const FunctionDecl *function)
{
    Object object;
    object.function = function->getCanonicalDecl();
    return named({Code, object.function, 0}, object);
}

Memory::Id Memory::behind(Id holder)
{
    Object object;
    object.holder = holder;
    return named({Behind, nullptr, holder}, object);
}

Memory::Id Memory::member(Id whole, const FieldDecl *field)
{
    Object object;
    object.whole = whole;
    object.field = field->getCanonicalDecl();
    object.several = at(whole).several;
    return field->getParent()->isUnion() ? whole : named({Member, object.field, whole}, object);
}

Memory::Id Memory::slot(Id array, long long number)
{
    Object object;
    object.whole = array;
    object.slot = number;
    object.several = at(array).several;
    const Id before = size();
    const Id id = named({Slot, reinterpret_cast<const void *>(number), array}, object);
    if (id == before)
        slots[array].push_back(id);
    return id;
}

Memory::Id Memory::carved(Id block, const Expr *by, int way)
{
    while (at(block).carved)
        block = at(block).whole;
    Object object;
    object.whole = block;
    object.carved = true;
    object.several = at(block).several;
    return named({Carved, by, static_cast<long long>(block) << 32 | way}, object);
}

Memory::Id Memory::kept(Id made)
{
    const Object object = at(made);
    if (object.whole == none) {
        Object older = object;
        older.kept = older.several = true;
        return object.kept ? made : named({Kept, nullptr, made}, older);
    }
    const Id whole = kept(object.whole);
    if (object.field != nullptr)
        return member(whole, object.field);
    return object.carved ? whole : slot(whole, object.slot);
}

const Memory::Object &Memory::rootOf(Id id) const
{
    while (at(id).whole != none)
        id = at(id).whole;
    return at(id);
}

bool Memory::isWithin(Id inner, Id outer) const
{
    while (inner != outer && inner != none)
        inner = at(inner).whole;
    return inner == outer;
}

std::vector<Memory::Id> Memory::slotsOf(Id array) const
{
    auto at = slots.find(array);
    return at != slots.end() ? at->second : std::vector<Id>();
}

/* A pointer that one way has not looked at leads where it did at first. */
void join(Moment &one, const Moment &other, Memory &memory, bool either, bool parted)
{
    if (other.ended)
        return;
    if (one.ended) {
        one = other;
        return;
    }
    const auto isOpen = [&](Memory::Id id) {
        const Memory::Object &root = memory.rootOf(id);
        return root.holder != Memory::none ||
               (root.variable != nullptr && root.variable->isExternallyVisible());
    };
    one.leads.join(other.leads, [&](Memory::Id pointer, Memory::Ids &to) {
        if (isOpen(pointer))
            to.insert(memory.behind(pointer));
    });
    one.set.intersect(other.set);
    if (either)
        one.touched.merge(other.touched);
    else
        one.touched.intersect(other.touched);
    if (either || parted)
        one.anywhere.merge(other.anywhere);
    else
        one.anywhere.intersect(other.anywhere);
    one.brought.merge(other.brought);
    one.divergent.merge(other.divergent);
}

} // namespace xmpi
