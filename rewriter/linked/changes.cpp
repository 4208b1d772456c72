/* SPDX-License-Identifier: BSD-3-Clause
 * A flow of what registers hold through the instructions of one function at a time. */
#include "linked/changes.h"
#include "library/library.h"
#include <algorithm>
#include <numeric>

namespace xmpi
{
namespace
{

using Kind = Reference::Kind;

bool add(std::set<int> &all, const std::set<int> &more)
{
    const size_t before = all.size();
    all.insert(more.begin(), more.end());
    return all.size() > before;
}

template <typename Holds>
std::set<int> heldBy(const Holds &holds, const std::vector<unsigned> &registers)
{
    std::set<int> all;
    for (unsigned one : registers)
        if (const auto found = holds.find(one); found != holds.end())
            add(all, found->second);
    return all;
}

template <typename Holds> bool join(Holds &into, const Holds &more)
{
    bool grown = false;
    for (const auto &[one, held] : more)
        grown = add(into[one], held) || grown;
    return grown;
}

/* Where ONE of ALL, the one with number AT, may go on. */
std::vector<size_t> followers(const std::vector<Instruction> &all, size_t at)
{
    const Instruction &one = all[at];
    std::vector<size_t> next;
    if (one.goesOn && at + 1 < all.size())
        next.push_back(at + 1);
    if (!one.jumps || one.calls)
        return next;
    if (!one.followed) { /* by a register: anywhere, as in a switch */
        next.resize(all.size());
        std::iota(next.begin(), next.end(), 0);
        return next;
    }
    const auto to = std::lower_bound(
        all.begin(), all.end(), one.target,
        [](const Instruction &two, uint64_t address) { return two.address < address; });
    if (to != all.end() && to->address == one.target)
        next.push_back(static_cast<size_t>(to - all.begin()));
    return next;
}

} // namespace

Changes::Changes(const MachineCode &code)
    : code(code), arguments(code.argumentRegisters()), kept([&] {
          const std::vector<unsigned> all = code.keptRegisters();
          return std::set<unsigned>(all.begin(), all.end());
      }())
{
}

const std::set<Variable> &Changes::of(uint64_t address)
{
    return effectOf(address).changed;
}

const Changes::Effect &Changes::effectOf(uint64_t address)
{
    const auto [found, fresh] = effects.try_emplace(address);
    Effect &effect = found->second;
    if (!fresh)
        return effect;
    const std::vector<Instruction> all = code.instructionsOf(address);
    if (all.empty())
        return effect;
    find(all, effect);
    effect.known = true;
    return effect;
}

void Changes::find(const std::vector<Instruction> &all, Effect &effect)
{
    std::vector<Holds> before(all.size());
    std::set<size_t> open;
    std::set<int> changed;
    for (size_t i = 0; i < all.size(); i++)
        open.insert(i);
    for (size_t i = 0; i < arguments.size(); i++)
        for (unsigned one : arguments[i])
            before[0][one].insert(-1 - static_cast<int>(i));
    while (!open.empty()) {
        const size_t at = *open.begin();
        open.erase(open.begin());
        const Holds holds = after(all[at], before[at], changed);
        for (size_t next : followers(all, at))
            if (join(before[next], holds))
                open.insert(next);
    }
    for (int one : changed)
        if (one < 0)
            effect.given.insert(one);
        else
            effect.changed.insert(byNumber[static_cast<size_t>(one)]);
}

int Changes::numberOf(const Reference &reference)
{
    const Variable variable{reference.address, reference.name};
    const auto [found, fresh] = numbers.try_emplace(variable, static_cast<int>(byNumber.size()));
    if (fresh)
        byNumber.push_back(variable);
    return found->second;
}

/* What registers hold behind ONE. */
Changes::Holds Changes::after(const Instruction &one, Holds holds, std::set<int> &changed)
{
    std::set<int> held = heldBy(holds, one.reads), result = held;
    std::set<uint64_t> seen;
    for (const Reference &reference : one.references) {
        if (reference.kind == Kind::Constants)
            takeConstants(reference.address, changed, seen);
        if (reference.kind != Kind::State)
            continue;
        const int number = numberOf(reference);
        if (one.stores)
            changed.insert(number);
        else if (!one.loads || reference.byTable)
            result.insert(number);
    }
    if (one.calls || (one.jumps && one.followed) || one.returns) {
        call(one, holds, changed);
        return holds;
    }
    if (one.stores)
        add(changed, held);
    const bool byTable =
        llvm::any_of(one.references, [](const Reference &two) { return two.byTable; });
    if (one.loads && !byTable)
        result = heldBy(holds, one.kept);
    for (unsigned unit : one.clears)
        holds.erase(unit);
    for (unsigned unit : one.sets)
        holds[unit] = result;
    return holds;
}

/* A call, or a jump to another function, which is one as well. */
void Changes::call(const Instruction &one, Holds &holds, std::set<int> &changed)
{
    std::string name;
    uint64_t begin = one.address, target = 0;
    const bool inside = one.jumps && !one.calls && one.followed &&
                        code.functionAt(one.address, name, begin) &&
                        code.functionAt(one.target, name, target) && begin == target;
    if (inside || one.returns)
        return;
    handTo(one, holds, changed);
    for (auto at = holds.begin(); at != holds.end();)
        at = kept.count(at->first) != 0 ? std::next(at) : holds.erase(at);
}

/* What is known of the function that ONE calls; null: nothing is. */
const Changes::Effect *Changes::called(const Instruction &one)
{
    static const Effect harmless{true, {}, {}};
    std::string name;
    uint64_t begin = 0, target = one.followed ? one.target : 0;
    for (const Reference &reference : one.references)
        if (reference.kind == Kind::Imported)
            return changesNothing(reference.name) ? &harmless : nullptr;
        else if (reference.kind == Kind::Function)
            target = reference.address;
    if (target == 0 || !code.functionAt(target, name, begin) || begin != target)
        return nullptr;
    if (!standsFor(name).empty())
        return changesNothing(name) ? &harmless : nullptr;
    return &effectOf(begin);
}

/* The function that is called has the addresses in the registers of its arguments. */
void Changes::handTo(const Instruction &one, const Holds &holds, std::set<int> &changed)
{
    std::vector<std::set<int>> held;
    bool any = false;
    for (const auto &registers : arguments) {
        held.push_back(heldBy(holds, registers));
        any = any || !held.back().empty();
    }
    if (!any)
        return;
    const Effect *effect = called(one);
    for (size_t i = 0; i < held.size(); i++)
        if (effect == nullptr || !effect->known ||
            effect->given.count(-1 - static_cast<int>(i)) != 0)
            add(changed, held[i]);
}

/* Whoever has the address of constants may have those of variables that are in them. */
void Changes::takeConstants(uint64_t address, std::set<int> &changed, std::set<uint64_t> &seen)
{
    if (!seen.insert(address).second)
        return;
    for (const Reference &reference : code.ofConstants(address))
        if (reference.kind == Kind::State)
            changed.insert(numberOf(reference));
        else if (reference.kind == Kind::Constants)
            takeConstants(reference.address, changed, seen);
}

} // namespace xmpi
