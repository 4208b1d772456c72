/* SPDX-License-Identifier: BSD-3-Clause
 * Follows the values that earlier iterations have left: what is made of them, what puts them
 * together, where they are put out. */
#include "analysis.h"
#include "compat.h"
#include "library/constants.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "source/within.h"
#include "walk/walk.h"

namespace xmpi
{

using namespace clang;

void Walk::beginTrail()
{
    if (other != Other::ByTrail)
        return;
    conditions = begins.empty() ? guards.size() : conditions;
    maySet.clear();
    const Moment at = begin;
    begin = now;
    trail.followed = trail.begins(*this);
    begin = at;
    if (trail.ofRank)
        return;
    noteEnded();
    now.divergent.clear(); /* pointers may have changed places */
    now.divergent.insert(trail.followed.begin(), trail.followed.end());
}

void Walk::noteEnded()
{
    for (Id id : now.divergent)
        trail.ended.insert(id);
}

bool Walk::isFollowed(Id object) const
{
    return llvm::any_of(trail.followed, [&](Id one) {
        return memory.isWithin(object, one) || memory.isWithin(one, object);
    });
}

/* What is evaluated is in some iterations, or on some processes, alone. */
bool Walk::isSometimes() const
{
    return guards.size() > conditions || chosen > 0;
}

bool Walk::isOnTrail(Id object) const
{
    Moment at;
    at.divergent = trail.ended;
    return diverges(object) || holdsDivergent(left, object) || holdsDivergent(at, object);
}

/* What is followed is read as earlier iterations have left it only where this one has surely not
 * set it: behind a condition it may be read where, behind another one, it has been set, and of an
 * array the elements that have been. */
bool Walk::areOther(const Ids &objects) const
{
    if (other != Other::ByTrail || trail.ofRank)
        return isDivergent(now, objects);
    return llvm::any_of(objects, [&](Id object) {
        const bool doubtful = isSometimes() || phase == Phase::After || !isNumber(object);
        const bool may = doubtful && isFollowed(object) && llvm::any_of(maySet, [&](Id one) {
                             return memory.isWithin(object, one) || memory.isWithin(one, object);
                         });
        return !may && isDivergent(now, object);
    });
}

/* OBJECTS are set BY a statement, or a call, to what has been evaluated. */
void Walk::noteMade(const Ids &objects, const Expr *by)
{
    if (looking || other != Other::ByTrail || phase != Phase::Iterating)
        return;
    for (Id object : objects) {
        trail.filled = trail.filled || (isFollowed(object) && !by->isLValue());
        if (divergent)
            trail.made.emplace(object, by->getExprLoc());
        else if (apart > 0)
            trail.governed.emplace(object, by->getExprLoc());
        if (divergent || !isFollowed(object))
            continue;
        if (!adding)
            maySet.insert(object);
        trail.anew = trail.anew || llvm::any_of(guards, [&](const Ids &all) {
                         return llvm::any_of(all, [&](Id one) {
                             return trail.scratch.count(one) != 0 || isFollowed(one);
                         });
                     });
    }
}

/* Somebody who is not seen is believed to set OBJECTS. */
void Walk::leaveTrail(const Ids &objects)
{
    if (looking || other != Other::ByTrail)
        return;
    divergent = false;
    now.divergent.eraseIf([&](Id one) {
        return llvm::any_of(objects, [&](Id object) { return memory.isWithin(one, object); });
    });
}

/* OBJECTS, by the program's own STEP. */
void Walk::noteStep(const Ids &objects, const Expr *step)
{
    if (!looking && other == Other::ByTrail && phase == Phase::Iterating &&
        llvm::any_of(objects, [&](Id object) { return isFollowed(object); }))
        trail.steps.push_back({step, !isSometimes() && depth == 0});
}

void Walk::noteTogether(const CallExpr *call, const Arguments &arguments)
{
    static const std::set<llvm::StringRef> reductions = {"MPI_Reduce", "MPI_Allreduce",
                                                         "MPI_Ireduce", "MPI_Iallreduce"};
    if (looking || other != Other::ByTrail || phase == Phase::Before || call->getNumArgs() < 6 ||
        reductions.count(calleeName(call)) == 0)
        return;
    Ids buffers = arguments[0];
    if (worksInPlace(call, context))
        buffers.merge(arguments[1]);
    for (const auto &[from, to] : copies)
        if (buffers.count(to) != 0)
            buffers.insert(from.begin(), from.end());
    const bool direct = llvm::any_of(buffers, [&](Id one) {
        return isFollowed(one) && (!isNumber(one) || isDivergent(now, one));
    });
    if (direct)
        trail.together.push_back({constantOfMpi(call->getArg(4), context), call->getExprLoc()});
}

void Walk::noteShown(const CallExpr *call, const Arguments &arguments)
{
    if (looking || other != Other::ByTrail || phase == Phase::Before || !isOnStream(call))
        return;
    for (size_t i = 0; i < arguments.size(); i++)
        if (arguments.divergent[i] &&
            call->getArg(static_cast<unsigned>(i))->getType()->isArithmeticType()) {
            if (trail.shown.isInvalid())
                trail.shown = call->getExprLoc();
            if (phase == Phase::After && trail.shownBehind.isInvalid())
                trail.shownBehind = call->getExprLoc();
        }
}

} // namespace xmpi
