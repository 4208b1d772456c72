/* SPDX-License-Identifier: BSD-3-Clause
 * What iterations decide by what earlier ones have left, and which handles of MPI's they find that
 * an earlier one has made. */
#include "analysis.h"
#include "compat.h"
#include "library/library.h"
#include "walk/walk.h"

namespace xmpi
{

using namespace clang;

/* A handle that goes on to mean something: not what a message leaves behind. */
bool Walk::isHeld(QualType type)
{
    const auto *name = type->getAs<TypedefType>();
    const llvm::StringRef called = name ? name->getDecl()->getName() : "";
    return isHandle(type) && called != "MPI_Status" && called != "MPI_Message";
}

/* Evaluates CONDITION; GOESBY: the values that are as earlier iterations have left them. */
bool Walk::askGuard(const Expr *condition, Ids &goesBy)
{
    Ids *const outer = asking;
    asking = &goesBy;
    const bool parts = asks(condition);
    asking = outer;
    return parts;
}

/* Of a loop in an iteration: how often it sets something goes by it. */
bool Walk::askTurn(const Expr *condition)
{
    Ids goesBy;
    const bool parts = askGuard(condition, goesBy);
    if (phase == Phase::Iterating)
        deciding.merge(goesBy);
    return parts;
}

/* OBJECTS are set behind the conditions around. */
void Walk::noteDecided(const Ids &objects)
{
    if (phase != Phase::Iterating || begins.size() > 1)
        return;
    for (const Ids &all : guards)
        for (Id guard : all)
            if (llvm::none_of(objects, [&](Id one) {
                    return memory.isWithin(one, guard) || memory.isWithin(guard, one);
                }))
                deciding.insert(guard);
}

bool Walk::decides(Id object) const
{
    return llvm::any_of(deciding, [&](Id one) {
        return memory.isWithin(one, object) || memory.isWithin(object, one);
    });
}

void Walk::makeHandle(const Ids &handles, QualType type, const Expr *by)
{
    if (looking || phase == Phase::After || !isHeld(context.getBaseElementType(type)))
        return;
    if (phase == Phase::Before)
        return ready.merge(handles);
    Ids goesBy;
    for (const Ids &one : guards)
        goesBy.insert(one.begin(), one.end());
    for (Id handle : begins.size() > 1 ? Ids() : handles) /* later ones find what is set */
        guarded.push_back({{handle, type, by->getExprLoc()}, goesBy});
    if (handles.size() == 1 && !memory.at(*handles.begin()).several)
        setAnew(*handles.begin());
}

/* Requests last that are started again and again: others are done with what they are waited for. */
void Walk::makeHandles(const CallExpr *call, const Arguments &arguments)
{
    const llvm::StringRef name = calleeName(call);
    if (!startsWith(name, "MPI_"))
        return;
    for (unsigned i = 0; i < arguments.size(); i++) {
        const FunctionDecl *callee = call->getDirectCallee();
        const QualType taken =
            i < callee->getNumParams() ? callee->getParamDecl(i)->getType() : QualType();
        const QualType led =
            !taken.isNull() && taken->isPointerType() ? taken->getPointeeType() : QualType();
        if (led.isNull() || led.isConstQualified() || !isHeld(led))
            continue;
        if (startsWith(name, "MPI_Start"))
            useHandle(arguments[i], led);
        else if (isScratchHandle(led) ? endsWith(name, "_init")
                                      : !endsWith(name, "_free") && !endsWith(name, "_disconnect"))
            makeHandle(arguments[i], led, call);
    }
}

void Walk::useHandle(const Ids &handles, QualType type)
{
    if (looking || phase == Phase::Before || !isHeld(context.getBaseElementType(type)))
        return;
    for (Id handle : handles) {
        const std::vector<Id> slots = memory.slotsOf(handle);
        if (!isSet(handle) &&
            llvm::none_of(slots, [&](Id slot) { return now.set.count(slot) != 0; }))
            grasped.insert(handle);
    }
}

std::vector<Walk::Kept> Walk::keptHandles() const
{
    const auto overlaps = [&](Id one, Id other) {
        return memory.isWithin(one, other) || memory.isWithin(other, one);
    };
    const auto isAmong = [&](Id handle, const Ids &all) {
        return llvm::any_of(all, [&](Id one) { return overlaps(one, handle); });
    };
    const auto goesByIterations = [&](const Kept &one) {
        return llvm::any_of(one.guards, [&](Id guard) {
            return llvm::any_of(changed,
                                [&](const auto &other) { return overlaps(other.first, guard); });
        });
    };
    Ids anew = ready;
    for (const Kept &one : guarded)
        if (!goesByIterations(one))
            anew.insert(one.handle.object);
    std::vector<Kept> all;
    for (const Kept &one : guarded)
        if (isAmong(one.handle.object, grasped) && !isAmong(one.handle.object, anew))
            all.push_back(one);
    return all;
}

} // namespace xmpi
