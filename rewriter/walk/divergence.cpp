/* SPDX-License-Identifier: BSD-3-Clause
 * Divergence (Karrenberg and Hack, 2012): what may be another value on each process, by what it is
 * made of, or as not all processes, or not all as often, come to where it is set. In the same way
 * what may be another value than a start makes it (Other::ByTime). */
#include "analysis.h"
#include "check/safety.h"
#include "compat.h"
#include "library/constants.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "walk/walk.h"

namespace xmpi
{

using namespace clang;

/* It, all that it is in, or one of its elements. */
bool Walk::isDivergent(const Moment &moment, Id object) const
{
    for (Id one = object; one != Memory::none; one = memory.at(one).whole)
        if (moment.divergent.count(one) != 0)
            return true;
    const std::vector<Id> slots = memory.slotsOf(object);
    return llvm::any_of(slots, [&](Id slot) { return moment.divergent.count(slot) != 0; });
}

bool Walk::isDivergent(const Moment &moment, const Ids &objects) const
{
    return llvm::any_of(objects, [&](Id object) { return isDivergent(moment, object); });
}

/* It, or anything that is in it. */
bool Walk::holdsDivergent(const Moment &moment, Id object) const
{
    return isDivergent(moment, object) ||
           (memory.at(object).parted &&
            llvm::any_of(moment.divergent, [&](Id one) { return memory.isWithin(one, object); }));
}

bool Walk::diverges(Id object) const
{
    return llvm::any_of(begins,
                        [&](const Moment &moment) { return holdsDivergent(moment, object); });
}

bool Walk::diverges(const Expr *place)
{
    const Moment at = begin;
    Ids all;
    for (const Moment &moment : begins) {
        begin = moment;
        all.merge(place->getType()->isPointerType() ? behind(place) : placeAt(place));
    }
    begin = at;
    return areDivergent(all);
}

bool Walk::diverges(const VarDecl *variable, const std::vector<const FieldDecl *> &members)
{
    const Id object = memory.variable(variable, variable->hasLocalStorage() ? wayThere : 0);
    Ids all = {object};
    if (variable->getType()->isPointerType()) {
        all.clear();
        for (const Moment &moment : begins)
            if (const auto to = moment.leads.find(object); to != moment.leads.end())
                all.insert(to->second.begin(), to->second.end());
    }
    for (const FieldDecl *field : members) {
        Ids inner;
        for (Id one : all)
            inner.insert(memory.member(one, field));
        all = inner;
    }
    return areDivergent(all);
}

/* Of nothing nobody knows. */
bool Walk::areDivergent(const Ids &objects) const
{
    return objects.empty() || llvm::any_of(objects, [&](Id object) { return diverges(object); });
}

/* Not all processes come here, or not all as often. */
bool Walk::isApart() const
{
    const auto parted = [](const Exits *exits) { return exits->parted; };
    if (frames.empty() || other == Other::ByTrail)
        return false;
    const Frame &frame = frames.back();
    return apart > 0 || frame.parted || llvm::any_of(frame.loops, parted) ||
           llvm::any_of(frame.choices, parted);
}

/* (What is around EXPRESSION is another question.) */
bool Walk::asks(const Expr *expression)
{
    const bool outer = divergent;
    divergent = false;
    value(expression);
    const bool found = divergent;
    divergent = outer;
    return found;
}

/* A variable or member without parts. */
bool Walk::isScalar(Id id) const
{
    const Memory::Object &object = memory.at(id);
    const ValueDecl *named =
        object.field != nullptr ? static_cast<const ValueDecl *>(object.field) : object.variable;
    return named != nullptr && named->getType()->isScalarType();
}

/* OBJECTS are set to what has been evaluated; WHOLE: all that was there is gone. */
void Walk::settle(const Ids &objects, bool whole)
{
    if (looking)
        return;
    if (divergent || isApart())
        return now.divergent.insert(objects.begin(), objects.end());
    if (objects.size() != 1 || !whole || memory.at(*objects.begin()).several)
        return;
    if (isScalar(*objects.begin()) || !memory.at(*objects.begin()).parted) {
        now.divergent.erase(*objects.begin());
        return;
    }
    now.divergent.eraseIf([&](Id one) { return memory.isWithin(one, *objects.begin()); });
}

/* In a pass of a loop ahead of the adaptive one: what is read before the pass has set all of it is
 * what the pass before, or the start, has left. */
void Walk::noteRead(const Ids &objects)
{
    for (Pass &pass : passes)
        for (Id object : objects) {
            bool set = looking;
            for (Id one = object; one != Memory::none; one = memory.at(one).whole)
                set = set || pass.set.count(one) != 0;
            if (!set)
                pass.read.insert(object);
        }
}

/* (What is set by a place that does not count is as if it were not.) */
void Walk::noteSet(const Ids &objects, QualType type, bool whole, const Expr *by)
{
    if (looking || !isValue(context.getBaseElementType(type)) || ignored(by))
        return;
    for (Pass &pass : passes) {
        for (Id object : objects)
            pass.touched.emplace(object, Change{object, type, by->getExprLoc()});
        if (whole && objects.size() == 1)
            pass.set.insert(*objects.begin());
    }
}

/* BY sets OBJECTS to what has been evaluated, ahead of the loop. */
void Walk::noteOther(const Ids &objects, QualType type, const Expr *by)
{
    if (looking || phase != Phase::Before || other != Other::ByTime || ignored(by) ||
        !(divergent || isApart()) || !isValue(context.getBaseElementType(type)))
        return;
    for (Id object : objects)
        others.emplace(object, Change{object, type, by->getExprLoc()});
}

/* CALL sets all that its argument INDEX leads to: it is given the begin, and not a number of
 * elements that is always the same. */
bool Walk::fillsAll(const CallExpr *call, unsigned index) const
{
    const Expr *buffer = bufferOf(context, call->getArg(index));
    Expr::EvalResult count;
    if (buffer == nullptr || fillsPart(context, call))
        return false;
    return !buffer->getType()->isPointerType() || index + 1 >= call->getNumArgs() ||
           !call->getArg(index + 1)->getType()->isIntegerType() ||
           !call->getArg(index + 1)->EvaluateAsInt(count, context);
}

static const Expr *communicatorOf(const CallExpr *call)
{
    for (const Expr *argument : call->arguments())
        if (isCommunicator(argument->getType()))
            return argument;
    return nullptr;
}

static bool isOwnWorld(ASTContext &context, const Expr *communicator)
{
    return constantOfMpi(communicator, context) == "MPI_COMM_SELF";
}

/* What a call of MPI leaves in what it is given, where GIVEN holds for its arguments. */
bool Walk::leavesDivergent(const CallExpr *call, bool given)
{
    static const std::set<llvm::StringRef> alike = {"MPI_Comm_dup", "MPI_Cart_create",
                                                    "MPI_Barrier"};
    const Expr *communicator = communicatorOf(call);
    if (communicator != nullptr &&
        (isOwnWorld(context, communicator->IgnoreParens()) || asks(communicator)))
        return true;
    if (leavesEqual(call))
        return false;
    const llvm::StringRef name = calleeName(call);
    const bool ownPlace = endsWith(name, "_rank") || name == "MPI_Get_processor_name";
    return given || ownPlace || (!isLocalMpi(name) && alike.count(name) == 0);
}

/* What CALL leaves is what another process has had. */
static bool brings(const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    return (outputOf(call) != nullptr && name.contains("ecv")) || broadcastOf(call) != nullptr;
}

/* What CALL, of a library, hands back and leaves behind its arguments, where GIVEN holds for these
 * and what it reads there. */
bool Walk::makesDivergent(const CallExpr *call, bool given)
{
    const Deed deed = deedOf(call);
    if (other == Other::ByTime)
        return given || (met > 0 && brings(call));
    if (other == Other::ByTrail)
        return startsWith(calleeName(call), "MPI_")
                   ? trail.ofRank && calleeName(call) == "MPI_Comm_rank"
                   : given;
    if (startsWith(calleeName(call), "MPI_"))
        return leavesDivergent(call, given);
    if (deed == Deed::Seeds || deed == Deed::Random)
        drawsApart = drawsApart || given || isApart();
    if (deed == Deed::Random)
        return drawsApart;
    return given || deed == Deed::Unknown || deed == Deed::Clock || deed == Deed::Place ||
           deed == Deed::Processes || deed == Deed::Socket;
}

} // namespace xmpi
