/* SPDX-License-Identifier: BSD-3-Clause
 * Loops in a trial that fill tables of pointers to rows. */
#include "trial/trial.h"

namespace xmpi
{

using namespace clang;

/* The only statement of a loop, where it assigns a pointer to an element; else null. */
static const BinaryOperator *pointerStore(const ForStmt *loop)
{
    const Stmt *body = loop->getBody();
    if (const auto *block = dyn_cast<CompoundStmt>(body))
        body = block->size() == 1 ? block->body_front() : nullptr;
    const auto *store = dyn_cast_or_null<BinaryOperator>(body);
    return store != nullptr && store->getOpcode() == BO_Assign &&
                   store->getType()->isPointerType() &&
                   isa<ArraySubscriptExpr>(store->getLHS()->IgnoreParens())
               ? store
               : nullptr;
}

/* for (i = a; i < b; i++) row[i] = block + i * m: the first two tell the others, of which there may
 * be too many to go through. What they tell is tried in the middle and at the end. */
bool Trial::runPointers(const ForStmt *loop)
{
    enum { Few = 8, Many = 16384 };
    const BinaryOperator *store = pointerStore(loop);
    const auto *condition = dyn_cast_or_null<BinaryOperator>(loop->getCond());
    const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
    if (store == nullptr || condition == nullptr || step == nullptr || !step->isIncrementOp() ||
        (condition->getOpcode() != BO_LT && condition->getOpcode() != BO_LE))
        return false;
    runStatement(loop->getInit());
    std::optional<Cell> counter = cellOf(step->getSubExpr());
    Value end = evaluate(condition->getRHS());
    std::optional<long long> begin = counter ? integerAt(*counter) : std::nullopt;
    if (!begin || end.kind != Value::Kind::Integer ||
        !(cellOf(condition->getLHS()->IgnoreParenCasts()) == counter))
        return false;
    long long many = end.integer - *begin + (condition->getOpcode() == BO_LE ? 1 : 0);
    if (many < Few || many > Many)
        return false;
    auto storeAt = [&](long long at) {
        memory[*counter] = Value::of(*begin + at);
        Value value = evaluate(store);
        return std::pair(cellOf(store->getLHS()), value);
    };
    auto [place, value] = storeAt(0);
    auto [nextPlace, nextValue] = storeAt(1);
    bool known = place && nextPlace && place->base == nextPlace->base &&
                 value.kind == Value::Kind::Pointer && nextValue.kind == Value::Kind::Pointer &&
                 value.target.base == nextValue.target.base;
    auto expected = [from = value.target, next = nextValue.target](long long at) {
        Cell target = from;
        target.index += at * (next.index - from.index);
        return target;
    };
    for (long long at = 2; known && at < many; at++) {
        Cell cell = *place;
        cell.index += at * (nextPlace->index - place->index);
        memory[cell] = Value::to(expected(at));
    }
    for (long long at : {many / 2, many - 1})
        known = known && storeAt(at).second.target == expected(at);
    memory[*counter] = Value::of(*begin + many);
    if (!known)
        forget(loop);
    return true;
}

} // namespace xmpi
