/* SPDX-License-Identifier: BSD-3-Clause
 * Loops in a trial that fill tables of pointers to rows. */
#include "source/loops.h"
#include "source/within.h"
#include "trial/idle.h"
#include "trial/nests.h"
#include "trial/trial.h"

namespace xmpi
{

using namespace clang;

/* STATEMENT, where it assigns a pointer to an element; else null. */
static const BinaryOperator *pointerStore(const Stmt *statement)
{
    const auto *store = dyn_cast<BinaryOperator>(statement);
    return store != nullptr && store->getOpcode() == BO_Assign &&
                   store->getType()->isPointerType() &&
                   isa<ArraySubscriptExpr>(store->getLHS()->IgnoreParens())
               ? store
               : nullptr;
}

/* STATEMENT, in a loop with COUNTER, sets numbers with a point alone, or is a loop that fills
 * arrays with integers, as those of the row at hand: what the pointers are does not follow from it,
 * however often it is run. */
bool Trial::fillsRows(const Stmt *statement, const VarDecl *counter)
{
    if (jumps(statement) ||
        (computesIntegers(statement) && !(isLoop(statement) && fillsArrays(analysis, statement))))
        return false;
    const std::vector<Write> &writes = writesOfAll(statement);
    return llvm::none_of(writes, [&](const Write &write) {
        return write.place.base->getCanonicalDecl() == counter;
    });
}

/* STORE goes by an integer of an array, which a loop may have filled. */
static bool readsElement(const BinaryOperator *store)
{
    return anyWithin(store, [](const Stmt *part) {
        const auto *load = dyn_cast<ImplicitCastExpr>(part);
        return load != nullptr && load->getCastKind() == CK_LValueToRValue &&
               load->getType()->isIntegerType() &&
               !isa<DeclRefExpr>(load->getSubExpr()->IgnoreParens());
    });
}

/* The assignments of pointers to elements in the body of LOOP, which counts with COUNTER, and what
 * fills rows beside them; no assignments where it does something else. */
PointerLoop Trial::readPointers(const ForStmt *loop, const VarDecl *counter)
{
    PointerLoop found;
    std::vector<const Stmt *> body = {loop->getBody()};
    if (const auto *block = dyn_cast<CompoundStmt>(loop->getBody()))
        body.assign(block->body_begin(), block->body_end());
    for (const Stmt *statement : body)
        if (const BinaryOperator *store = pointerStore(statement))
            found.stores.push_back(store);
        else if (fillsRows(statement, counter))
            found.fills.push_back(statement);
        else
            return {};
    for (const BinaryOperator *store : found.stores)
        for (const Stmt *fill : found.fills)
            if (readsSet(store, fill) || (computesIntegers(fill) && readsElement(store)))
                return {};
    return found;
}

const PointerLoop &Trial::pointersIn(const ForStmt *loop, const VarDecl *counter)
{
    auto [found, isNew] = lookups.pointerLoops.try_emplace(loop);
    if (isNew)
        found->second = readPointers(loop, counter);
    return found->second;
}

/* STORE reads a variable that FILL sets. */
bool Trial::readsSet(const BinaryOperator *store, const Stmt *fill)
{
    const Effects effects = analysis.finder.of(store);
    const std::vector<Write> &writes = writesOfAll(fill);
    return llvm::any_of(writes, [&](const Write &write) {
        return !write.place.element && !write.place.behind && effects.names(write.place);
    });
}

/* STORE in a loop in which COUNTER runs through MANY numbers from BEGIN on; false where it is not
 * known what it does. */
bool Trial::runPointers(const BinaryOperator *store, const Cell &counter, long long begin,
                        long long many)
{
    auto storeAt = [&](long long at) {
        memory[counter] = Value::of(begin + at);
        Value value = evaluate(store);
        return std::pair(cellOf(store->getLHS()), value);
    };
    auto [place, value] = storeAt(0);
    auto [nextPlace, nextValue] = storeAt(1);
    if (!place || !nextPlace || place->base != nextPlace->base ||
        value.kind != Value::Kind::Pointer || nextValue.kind != Value::Kind::Pointer)
        return false;
    if (value.target.base != nextValue.target.base) { /* each has memory of its own */
        storeAt(many / 2);
        storeAt(many - 1);
        return analysis.startsOver && bytesOf(value.target.base) && bytesOf(nextValue.target.base);
    }
    auto expected = [from = value.target, next = nextValue.target](long long at) {
        Cell target = from;
        target.index += at * (next.index - from.index);
        return target;
    };
    for (long long at = 2; at < many; at++) {
        Cell cell = *place;
        cell.index += at * (nextPlace->index - place->index);
        memory[cell] = Value::to(expected(at));
    }
    bool known = true;
    for (long long at : {many / 2, many - 1})
        known = known && storeAt(at).second.target == expected(at);
    return known;
}

/* STORES are to tables of a fixed size, as of the vectors of a Krylov space. */
static bool areFixed(const std::vector<const BinaryOperator *> &stores)
{
    return llvm::all_of(stores, [](const BinaryOperator *store) {
        const auto *element = cast<ArraySubscriptExpr>(store->getLHS()->IgnoreParens());
        return element->getBase()->IgnoreParenImpCasts()->getType()->isConstantArrayType();
    });
}

/* for (i = a; i < b; i++) row[i] = block + i * m: the first two tell the others, of which there may
 * be too many to go through. What they tell is tried in the middle and at the end. The same loop
 * may fill the rows, too. */
bool Trial::runPointers(const ForStmt *loop)
{
    enum { Few = 8, FewFilled = 17, FewFixed = 65, Many = 16384 };
    const auto *condition = dyn_cast_or_null<BinaryOperator>(loop->getCond());
    const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
    if (condition == nullptr || step == nullptr || !step->isIncrementOp() ||
        (condition->getOpcode() != BO_LT && condition->getOpcode() != BO_LE))
        return false;
    const auto *counted = dyn_cast<DeclRefExpr>(step->getSubExpr()->IgnoreParens());
    const auto *variable = counted ? dyn_cast<VarDecl>(counted->getDecl()) : nullptr;
    const PointerLoop &body = pointersIn(loop, variable);
    const std::vector<const BinaryOperator *> &stores = body.stores;
    if (stores.empty() || (variable == nullptr && !body.fills.empty()))
        return false;
    runStatement(loop->getInit());
    std::optional<Cell> counter = cellOf(step->getSubExpr());
    Value end = evaluate(condition->getRHS());
    std::optional<long long> begin = counter ? integerAt(*counter) : std::nullopt;
    if (!begin || end.kind != Value::Kind::Integer ||
        !(cellOf(condition->getLHS()->IgnoreParenCasts()) == counter))
        return false;
    long long many = end.integer - *begin + (condition->getOpcode() == BO_LE ? 1 : 0);
    const bool integers =
        llvm::any_of(body.fills, [&](const Stmt *fill) { return computesIntegers(fill); });
    if (many < (areFixed(stores) ? FewFixed : integers ? FewFilled : Few) || many > Many)
        return false;
    bool known = true;
    for (const BinaryOperator *store : stores)
        known = known && runPointers(store, *counter, *begin, many);
    memory[*counter] = Value::of(*begin + many - 1);
    for (const Stmt *fill : body.fills) {
        runStatement(fill);
        forget(fill);
    }
    memory[*counter] = Value::of(*begin + many);
    if (!known)
        forget(loop);
    return true;
}

} // namespace xmpi
