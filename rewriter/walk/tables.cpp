/* SPDX-License-Identifier: BSD-3-Clause
 * Goes by types, and by what allocations are told. */
#include "walk/tables.h"
#include "facts/effects.h"
#include "source/integer.h"

namespace xmpi
{

using namespace clang;

std::optional<long long> Tables::bytesOf(const CallExpr *call) const
{
    std::optional<long long> bytes = 1;
    for (const Expr *argument : call->arguments()) {
        const std::optional<long long> one = constantInteger(argument, context);
        bytes = bytes && one ? std::optional(*bytes * *one) : std::nullopt;
    }
    return bytes;
}

/* Of the table that TABLE leads to, by the call of malloc or calloc that has made it. */
std::optional<long long> Tables::lengthOf(const Expr *table) const
{
    const Memory::Ids found = walk.behind(table);
    const Memory::Object *only = found.size() == 1 ? &walk.memory.at(*found.begin()) : nullptr;
    const auto *call = only ? dyn_cast_or_null<CallExpr>(only->made) : nullptr;
    const QualType element = table->getType()->getPointeeType();
    if (call == nullptr || only->several || element->isIncompleteType())
        return std::nullopt;
    const std::optional<long long> bytes = bytesOf(call);
    const long long each = context.getTypeSizeInChars(element).getQuantity();
    const bool plain = calleeName(call) == "malloc" || calleeName(call) == "calloc";
    return bytes && plain && each > 0 ? std::optional(*bytes / each) : std::nullopt;
}

void Tables::numbersIn(const Expr *place, std::vector<long long> &numbers,
                       std::optional<long long> &many) const
{
    place = place->IgnoreParenCasts();
    if (const auto *unary = dyn_cast<UnaryOperator>(place))
        return numbersIn(unary->getSubExpr(), numbers, many);
    if (const auto *member = dyn_cast<MemberExpr>(place))
        return numbersIn(member->getBase(), numbers, many);
    const auto *element = dyn_cast<ArraySubscriptExpr>(place);
    if (element == nullptr)
        return;
    const Expr *base = element->getBase()->IgnoreParenImpCasts();
    const auto *table = context.getAsConstantArrayType(base->getType());
    const std::optional<long long> here =
        table ? std::optional(static_cast<long long>(table->getSize().getZExtValue()))
              : lengthOf(element->getBase());
    many = here && many ? std::optional(*here * *many) : std::nullopt;
    numbers.push_back(constantInteger(element->getIdx(), context).value_or(-1));
    numbersIn(base, numbers, many);
}

Memory::Ids Tables::arraysOf(const Memory::Ids &objects) const
{
    Memory::Ids arrays, all;
    for (Memory::Id object : objects)
        if (walk.memory.at(object).slot >= 0)
            arrays.insert(walk.memory.at(object).whole);
    for (Memory::Id array : arrays) {
        const VarDecl *variable = walk.memory.at(array).variable;
        const auto *type = variable ? context.getAsConstantArrayType(variable->getType()) : nullptr;
        const std::vector<Memory::Id> slots = walk.memory.slotsOf(array);
        const auto named =
            llvm::count_if(slots, [&](Memory::Id slot) { return objects.count(slot) != 0; });
        if (type != nullptr && static_cast<uint64_t>(named) == type->getSize().getZExtValue())
            all.insert(array);
    }
    return all;
}

} // namespace xmpi
