/* SPDX-License-Identifier: BSD-3-Clause
 * Calls: functions of the file are walked through, others may do what their parameters let them. */
#include "analysis.h"
#include "compat.h"
#include "facts/effects.h"
#include "library/constants.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "library/traits.h"
#include "walk/walk.h"

namespace xmpi
{

using namespace clang;

constexpr size_t deepest = 60, again = 2; /* calls in calls; of one function in itself */

static bool isOneOf(const CallExpr *call, const std::set<llvm::StringRef> &names)
{
    return names.count(calleeName(call)) != 0;
}

/* They hand back where their first argument, GIVEN, leads; realloc has memory of its own for one
 * that leads nowhere. */
static bool handsBack(const CallExpr *call, const Walk::Ids &given)
{
    if (calleeName(call) == "realloc")
        return !given.empty();
    return has(calleeName(call), Trait::HandsBack);
}

Walk::Ids Walk::makeAt(const CallExpr *call, bool foreign)
{
    const Id object = memory.made(call, way, foreign);
    if (depth > 0 || phase == Phase::Iterating)
        memory.setSeveral(object);
    if (!foreign && phase != Phase::Before)
        setAnew(object);
    if (!foreign && phase == Phase::Iterating)
        fresh.insert(object);
    if (!foreign && other == Other::ByTime) /* nothing is in it yet */
        now.divergent.eraseIf([&](Id one) { return memory.isWithin(one, object); });
    return {object};
}

/* -- functions of the file */

void Walk::bind(const FunctionDecl *function, const CallExpr *call, const Arguments *arguments,
                int inside)
{
    for (unsigned i = 0; i < function->getNumParams(); i++) {
        const ParmVarDecl *parameter = function->getParamDecl(i);
        const Id object = memory.variable(parameter, inside);
        setAnew(object);
        divergent = arguments == nullptr ? other != Other::ByTrail
                                         : i < arguments->size() && arguments->divergent[i];
        settle({object}, true);
        if (arguments == nullptr || i >= arguments->size() || i >= call->getNumArgs())
            continue;
        if (parameter->getType()->isPointerType())
            store({object}, (*arguments)[i], false);
        else
            copy({object}, (*arguments)[i], parameter->getType());
    }
}

/* Without ARGUMENTS nothing is known of them. */
Walk::Ids Walk::enter(const FunctionDecl *function, const CallExpr *call,
                      const Arguments *arguments)
{
    const auto open =
        llvm::count_if(frames, [&](const Frame &frame) { return frame.function == function; });
    if (looking || now.ended || frames.size() > deepest || static_cast<size_t>(open) >= again)
        return {};
    const int outside = way, inside = memory.way(way, call);
    const unsigned around = apart;
    const bool outer = divergent;
    bind(function, call, arguments, inside);
    way = inside;
    apart += isApart();
    frames.push_back(
        {function, arguments ? call : nullptr, {}, {}, {}, {}, now.set, false, false, false});
    frames.back().returns.ended = true;
    const size_t conditions = guards.size();
    walk(function->getBody());
    guards.resize(conditions);
    Frame &frame = frames.back();
    join(now, frame.returns, memory, !frame.unsteady);
    const Ids found = std::move(frame.value);
    divergent = outer || frame.divergent;
    frames.pop_back();
    way = outside;
    apart = around;
    return found;
}

/* One of CALLEES, or, where they are not all known, of those that fit. */
Walk::Ids Walk::enterAny(const CallExpr *call, const Ids &callees, const Arguments &arguments)
{
    std::set<const FunctionDecl *> possible;
    bool known = !callees.empty();
    for (Id callee : callees) {
        const FunctionDecl *function = memory.at(callee).function;
        const FunctionDecl *defined = function ? function->getDefinition() : nullptr;
        known = known && defined != nullptr;
        if (defined != nullptr)
            possible.insert(defined);
    }
    if (!known)
        for (const FunctionDecl *function : pointsTo.callees(call))
            if (function->getDefinition() != nullptr)
                possible.insert(function->getDefinition());
    const Moment at = now;
    Moment all;
    all.ended = true;
    Ids found;
    for (const FunctionDecl *function : possible) {
        now = at;
        const Ids one = enter(function, call, &arguments);
        found.insert(one.begin(), one.end());
        join(all, now, memory);
    }
    if (known) {
        now = all;
        return found;
    }
    now = at;
    const Ids other = callForeign(call, arguments);
    found.insert(other.begin(), other.end());
    join(now, all, memory);
    return found;
}

/* -- functions that are not seen */

/* What is led to may be read and changed, and so may the members of a struct, and what they lead
 * to.
 */
void Walk::handOut(const Ids &objects, QualType type, const CallExpr *call, unsigned level)
{
    const RecordDecl *record = type->getAsRecordDecl();
    if (type->isPointerType())
        return;
    if (record == nullptr || record->isUnion() || record->getDefinition() == nullptr) {
        read(objects, type);
        if (!type.isConstQualified())
            leaveTrail(objects);
        if (!type.isConstQualified())
            write(objects, type, false, call);
        return;
    }
    for (const FieldDecl *field : record->getDefinition()->fields()) {
        Ids members;
        for (Id object : objects)
            members.insert(memory.member(object, field));
        const QualType of = field->getType();
        if (of->isPointerType() && level < 2 && !type.isConstQualified())
            handOut(load(members), of->getPointeeType(), call, level + 1);
        else if (!of->isPointerType())
            handOut(members, type.isConstQualified() ? of.withConst() : of, call, level);
    }
}

Walk::Ids Walk::callForeign(const CallExpr *call, const Arguments &arguments)
{
    const FunctionDecl *callee = call->getDirectCallee();
    const bool made = other != Other::ByTrail && isGivenDivergent(call, arguments);
    for (unsigned i = 0; i < arguments.size(); i++) {
        divergent = made;
        const Expr *argument = call->getArg(i), *bare = argument->IgnoreParenImpCasts();
        const QualType taken = callee && i < callee->getNumParams()
                                   ? callee->getParamDecl(i)->getType()
                                   : argument->getType();
        if (!taken->isPointerType())
            continue;
        QualType type = taken->getPointeeType();
        if (type->isVoidType() && bare->getType()->isPointerType())
            type = type.isConstQualified() ? bare->getType()->getPointeeType().withConst()
                                           : bare->getType()->getPointeeType();
        if (type->isPointerType() && !type.isConstQualified())
            store(arguments[i], makeAt(call, true), true);
        handOut(arguments[i], type, call, 0);
        for (Id object : arguments[i])
            if (memory.at(object).function != nullptr &&
                memory.at(object).function->getDefinition() != nullptr)
                enter(memory.at(object).function->getDefinition(), call, nullptr);
    }
    divergent = made;
    return call->getType()->isPointerType() ? makeAt(call, true) : Ids();
}

bool isOnStream(const CallExpr *call)
{
    const Deed deed = deedOf(call);
    return deed == Deed::Stream || deed == Deed::Prints || deed == Deed::File;
}

/* A function of a library; a message is believed to fill what it is received into. */
/* How much of an array a message brings nobody knows: all that is read of a buffer that only
 * messages fill, it is to be supposed; some rows of an array of which iterations set others. */
void Walk::bring(const Ids &objects)
{
    if (phase == Phase::Iterating && !looking)
        for (Id object : objects)
            if (!isNumber(object) && !isSet(object))
                now.brought.insert(object);
}

/* CALL reads what its argument INDEX, a pointer, leads to. */
bool Walk::readsBehind(const CallExpr *call, unsigned index) const
{
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee == nullptr || isForeign(callee))
        return true;
    const QualType type = call->getArg(index)->IgnoreParenCasts()->getType();
    const bool extra = index >= callee->getNumParams();
    const QualType taken = extra ? type : callee->getParamDecl(index)->getType();
    const llvm::StringRef name = calleeName(call);
    return extra ? deedOf(call) == Deed::Prints || name == "fprintf" || name == "snprintf" ||
                       name == "sprintf"
                 : taken->isPointerType() && taken->getPointeeType().isConstQualified();
}

/* What is behind an argument of CALL that it changes is read by it first. */
static bool readsTarget(const CallExpr *call, const ASTContext &context)
{
    return has(calleeName(call), Trait::ReadsTarget) || worksInPlace(call, context);
}

/* What CALL goes by may be another one on each process: arguments, or what it reads behind them. */
bool Walk::isGivenDivergent(const CallExpr *call, const Arguments &arguments) const
{
    const bool both = readsTarget(call, context);
    for (unsigned i = 0; i < arguments.size(); i++) {
        const QualType type = call->getArg(i)->IgnoreParenCasts()->getType();
        const bool pointer = type->isPointerType() || type->isArrayType();
        const bool stream = pointer && isOnStream(call) &&
                            (type->isPointerType() && type->getPointeeType()->isRecordType());
        const bool reads = pointer && (stream || both || readsBehind(call, i));
        if (arguments.divergent[i] || (reads && llvm::any_of(arguments[i], [&](Id object) {
                                           return holdsDivergent(now, object);
                                       })))
            return true;
    }
    return false;
}

/* What CALL reads behind its argument INDEX becomes a part of the sum of all processes. */
bool Walk::sumsUp(const CallExpr *call, unsigned index) const
{
    const llvm::StringRef name = calleeName(call);
    if (index != 0 || call->getNumArgs() < 5 || (name != "MPI_Reduce" && name != "MPI_Allreduce"))
        return false;
    return constantOfMpi(call->getArg(4), context) == "MPI_SUM";
}

/* MADE: what CALL leaves there may be another value on each process. */
void Walk::useArgument(const CallExpr *call, unsigned index, const Ids &objects, bool made)
{
    const FunctionDecl *callee = call->getDirectCallee();
    const Expr *bare = call->getArg(index)->IgnoreParenCasts();
    const QualType type = bare->getType();
    const QualType led = type->isPointerType() ? type->getPointeeType()
                         : type->isArrayType() ? context.getBaseElementType(type)
                                               : QualType();
    const bool keeps = isOneOf(call, {"free", "realloc"}); /* its memory is as it was */
    if (led.isNull() || keeps)
        return;
    divergent = made;
    if (isOnStream(call) && led->isRecordType()) /* it goes on, on some processes alone */
        return settle(objects, false);
    const bool extra = index >= callee->getNumParams();
    const bool reads = readsBehind(call, index);
    const bool both = readsTarget(call, context);
    adding = sumsUp(call, index);
    if (adding && phase != Phase::Before && !looking)
        summed.insert(objects.begin(), objects.end());
    if (reads || both)
        read(objects, led);
    else if (index == 0 && broadcastOf(call) != nullptr)
        read(untouchedOf(objects, led), led);
    adding = false;
    if (reads)
        return;
    const bool message = startsWith(calleeName(call), "MPI_");
    if (message)
        bring(objects);
    divergent = made;
    const bool one = isOneOfMany(bare, frames.size());
    write(objects, led, !one, bare);
    settle(objects, !one && fillsAll(call, index));
    if (!message)
        noteStored(objects, !isSum(bare)); /* what a copy sets from there on is not all */
    if (led->isPointerType() && !extra && !has(calleeName(call), Trait::Copies))
        store(objects, makeAt(call, false), false);
}

/* What the argument INDEX of CALL leads to, whatever it is cast to. */
static QualType typeBehind(const CallExpr *call, unsigned index, const ASTContext &context)
{
    const QualType type = call->getArg(index)->IgnoreParenCasts()->getType();
    return type->isPointerType() ? type->getPointeeType() : context.getBaseElementType(type);
}

/* Pointers, and structs of them, may be copied as bytes, also by way of bytes: they lead where what
 * they are copied from does. */
void Walk::copyBehind(const CallExpr *call, const Arguments &arguments)
{
    if (!has(calleeName(call), Trait::Copies) || arguments.size() < 2)
        return;
    const auto leads = [&](QualType type) { return type->isPointerType() || hasParts(type); };
    const QualType to = typeBehind(call, 0, context), from = typeBehind(call, 1, context);
    const QualType type = leads(to) ? to : from;
    if (hasParts(type))
        return copy(arguments[0], arguments[1], context.getBaseElementType(type));
    const bool one = llvm::all_of(arguments[0], [&](Id object) { return isNumber(object); });
    if (type->isPointerType() && leads(to))
        move(arguments[0], call->getArg(0), false, true);
    if (type->isPointerType())
        store(arguments[0], load(arguments[1]), !one && leads(to));
}

/* Persistent: what they receive into is filled when they are started. A place in an array that only
 * MPI is told of is a part of it. */
void Walk::request(const CallExpr *call, const Arguments &arguments)
{
    const FunctionDecl *callee = call->getDirectCallee();
    for (unsigned i = 0; i < arguments.size() && i < callee->getNumParams(); i++) {
        const QualType taken = callee->getParamDecl(i)->getType();
        const QualType type = call->getArg(i)->IgnoreParenCasts()->getType();
        if (taken->isVoidPointerType() && !taken->getPointeeType().isConstQualified())
            for (Id id : arguments[i])
                requested[memory.at(id).carved ? memory.at(id).whole : id] =
                    type->isPointerType() ? type->getPointeeType()
                                          : context.getBaseElementType(type);
    }
}

Walk::Ids Walk::callLibrary(const CallExpr *call, const Arguments &arguments)
{
    const llvm::StringRef name = calleeName(call);
    const bool made = makesDivergent(call, isGivenDivergent(call, arguments));
    makeHandles(call, arguments);
    noteTogether(call, arguments);
    noteShown(call, arguments);
    if (startsWith(name, "MPI_") && endsWith(name, "_init")) {
        request(call, arguments);
        return {};
    }
    if (startsWith(name, "MPI_Start"))
        for (const auto &[id, type] : requested) {
            divergent = true;
            bring({id});
            write({id}, type, true, call);
        }
    for (unsigned i = 0; i < arguments.size(); i++)
        useArgument(call, i, arguments[i], made);
    copyBehind(call, arguments);
    divergent = made && !has(name, Trait::GivesMemory) &&
                !(other == Other::ByTrail && startsWith(name, "MPI_"));
    if (deedOf(call) == Deed::Exits && name != "MPI_Finalize")
        now.ended = true;
    if (arguments.size() > 0 && handsBack(call, arguments[0]))
        return arguments[0];
    const bool own = has(name, Trait::GivesMemory) || name == "realloc";
    return call->getType()->isPointerType() ? makeAt(call, !own) : Ids();
}

Walk::Ids Walk::valueOf(const CallExpr *call)
{
    const FunctionDecl *callee = call->getDirectCallee();
    const Ids callees = callee == nullptr ? value(call->getCallee()) : Ids();
    seen.insert(callees.begin(), callees.end());
    const bool outer = divergent; /* of what has been evaluated around it */
    Arguments arguments;
    for (const Expr *argument : call->arguments()) {
        divergent = false;
        arguments.led.push_back(value(argument));
        arguments.divergent.push_back(divergent);
    }
    divergent = false;
    const Ids found = callee == nullptr ? enterAny(call, callees, arguments)
                      : callee->getDefinition() != nullptr
                          ? enter(callee->getDefinition(), call, &arguments)
                      : isForeign(callee) ? callForeign(call, arguments)
                                          : callLibrary(call, arguments);
    divergent = divergent || outer;
    return found;
}

} // namespace xmpi
