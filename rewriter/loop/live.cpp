/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the values that a joining process needs at the loop, and at the calls on the way to it. */
#include "analysis.h"
#include "library/library.h"
#include "facts/pointer_targets.h"
#include "facts/first_use.h"
#include "source/loops.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

static bool refuse(Analysis &analysis, SourceLocation where, Problem problem, llvm::StringRef name)
{
    return analysis.diagnostics.report(where, problem, {name});
}

/* Whether a variable's value is something that could have to travel. */
/* Of a struct with pointers the other members travel. */
static bool hasPlainMember(QualType type)
{
    const RecordDecl *record = type->getAsRecordDecl();
    if (record == nullptr || record->getDefinition() == nullptr || record->isUnion() ||
        isHandle(type))
        return false;
    return llvm::any_of(record->getDefinition()->fields(),
                        [&](const FieldDecl *field) { return isPlainValue(field->getType()); });
}

static bool isCandidate(Analysis &analysis, const VarDecl *variable)
{
    Place place = Place::of(variable);
    if (variable->getType().isConstQualified() || analysis.members.replaces(variable) ||
        (!isPlainValue(variable->getType()) && !hasPlainMember(variable->getType())) ||
        analysis.rangeAt(place) != nullptr || analysis.isSetup(place) ||
        analysis.files.count(variable->getCanonicalDecl()) != 0)
        return false;
    return !analysis.context.getSourceManager().isInSystemHeader(variable->getLocation());
}

static bool isWritten(Analysis &analysis, const VarDecl *variable)
{
    if (variable->hasExternalFormalLinkage()) /* other files may write it */
        return true;
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const Write &write : EffectsFinder().of(function->getBody()).writes)
            if (write.place.base->getCanonicalDecl() == variable->getCanonicalDecl())
                return true;
    return false;
}

/* The struct that VARIABLE is a member of is made by what follows the loop alone: none is there
 * yet, in any process. */
static bool isMadeAfter(const Analysis &analysis, const VarDecl *variable)
{
    const void *root = analysis.members.placeOf(variable).root;
    auto makes = [root](const Effects &effects) { return llvm::is_contained(effects.calls, root); };
    return llvm::any_of(analysis.after, makes) && !makes(analysis.inLoop) &&
           llvm::none_of(analysis.prologue, [&](const Item &item) { return makes(item.effects); });
}

/* A member has one place in memory, wherever it can be named; and one in each copy of its struct.
 */
static bool addMember(Analysis &analysis, const VarDecl *variable)
{
    Place place = Place::of(variable);
    if (isMadeAfter(analysis, variable))
        return true;
    for (size_t step : analysis.holders(variable))
        analysis.addLive(analysis.entry(step), place, analysis.textOf(place, step));
    return true;
}

static bool addAtLoop(Analysis &analysis, const VarDecl *variable, bool needed)
{
    const Step &step = analysis.loopStep();
    if (!isCandidate(analysis, variable) ||
        (!analysis.members.contains(variable) &&
         !analysis.structure.alive(variable, step.function, step.anchor)))
        return true;
    if (analysis.members.contains(variable))
        return addMember(analysis, variable);
    bool global = variable->hasGlobalStorage();
    if (!global && !needed && !analysis.liveAtLoop(variable))
        return true;
    if (!analysis.structure.visible(variable, step.function, step.anchor)) {
        if (global && !isWritten(analysis, variable))
            return true;
        bool hidden = analysis.structure.lookup(variable->getName(), step.function, step.anchor);
        return refuse(analysis, variable->getLocation(),
                      hidden ? Problem::Shadowed : Problem::HiddenState, variable->getName());
    }
    if (variable->getStorageClass() == SC_Register)
        return refuse(analysis, variable->getLocation(), Problem::RegisterVariable,
                      variable->getName());
    analysis.addLive(analysis.program.loop.before, Place::of(variable));
    return true;
}

static bool addMentioned(Analysis &analysis, const Effects &effects, bool needed)
{
    bool good = true;
    std::set<const VarDecl *> seen;
    for (const Mention &mention : effects.mentions)
        if (seen.insert(mention.place.base->getCanonicalDecl()).second)
            good = addAtLoop(analysis, mention.place.base->getCanonicalDecl(), needed) && good;
    return good;
}

/* What callers still need after the loop's function has returned. */
static bool addAtCall(Analysis &analysis, size_t index)
{
    const Step &step = analysis.path[index];
    for (const Mention &mention : analysis.after[index].mentions) {
        const VarDecl *variable = mention.place.base;
        if (variable->hasGlobalStorage() || !isCandidate(analysis, variable) ||
            !analysis.structure.alive(variable, step.function, step.anchor))
            continue;
        if (!analysis.structure.visible(variable, step.function, step.anchor))
            return refuse(analysis, variable->getLocation(), Problem::Shadowed,
                          variable->getName());
        if (variable->getStorageClass() == SC_Register)
            return refuse(analysis, variable->getLocation(), Problem::RegisterVariable,
                          variable->getName());
        analysis.addLive(analysis.entry(index), Place::of(variable));
    }
    return true;
}

/* The variable may belong to a caller, which hands on its address. */
static bool addTarget(Analysis &analysis, const VarDecl *target)
{
    for (size_t step = 0; step + 1 < analysis.path.size(); step++)
        if (target->hasLocalStorage() && target->getDeclContext() == analysis.path[step].function) {
            if (isCandidate(analysis, target) &&
                analysis.structure.visible(target, analysis.path[step].function,
                                           analysis.path[step].anchor))
                analysis.addLive(analysis.entry(step), Place::of(target));
            return true;
        }
    return addAtLoop(analysis, target, true);
}

/* Values that the loop changes by pointers which are set before it. */
static bool addPointed(Analysis &analysis)
{
    std::optional<PointerTargets> targets;
    std::set<const VarDecl *> seen;
    bool good = true;
    for (const Write &write : analysis.inLoop.writes) {
        const VarDecl *pointer = write.place.base->getCanonicalDecl();
        if (!(write.place.behind || write.place.element) || !pointer->getType()->isPointerType() ||
            analysis.isData(pointer) || !seen.insert(pointer).second)
            continue;
        if (!targets)
            targets.emplace(analysis);
        for (const VarDecl *target : valuesBehind(*targets, pointer))
            good = addTarget(analysis, target) && good;
    }
    return good;
}

/* All loops around the adaptive one. */
static std::vector<const Stmt *> loopsAround(const Analysis &analysis)
{
    std::vector<const Stmt *> loops;
    for (const Step &step : analysis.path)
        for (const Stmt *around : analysis.structure.around(step.anchor))
            if (isLoop(around))
                loops.push_back(around);
    return loops;
}

/* WRITE assigns a pointer that outlives an iteration, and leads to memory of the process's own as
 * far as nothing else is known of it. */
static bool setsOwnPointer(const Analysis &analysis, const Write &write)
{
    const VarDecl *pointer = write.place.base->getCanonicalDecl();
    const bool whole = write.how == Write::How::Assigned && !write.place.element &&
                       !write.place.behind && write.place.field == nullptr;
    const Step &step = analysis.loopStep();
    return whole && pointer->getType()->isPointerType() &&
           !pointer->getType()->isFunctionPointerType() && !analysis.isData(pointer) &&
           !isHandle(pointer->getType()) && !analysis.members.isPointer(pointer) &&
           analysis.rootOnly.count(pointer) == 0 &&
           (pointer->hasGlobalStorage() ||
            analysis.structure.alive(pointer, step.function, step.anchor));
}

/* Memory that an iteration, also of a loop around, allocates, or finds by a pointer that it sets
 * itself, and that the next one reads by it: a list that grows, a place in one. No other process
 * has it. */
static bool checkCarriedPointers(Analysis &analysis)
{
    std::optional<PointerTargets> targets;
    std::map<const VarDecl *, SourceLocation> carried;
    const std::vector<const Stmt *> around = loopsAround(analysis);
    for (const Write &write : analysis.inLoop.writes)
        if (const VarDecl *pointer = write.place.base->getCanonicalDecl();
            setsOwnPointer(analysis, write) &&
            !setsBeforeReading(analysis, pointer, nullptr, false))
            carried.emplace(pointer, write.where);
    for (const Effects &after : analysis.after)
        for (const Write &write : after.writes)
            if (const VarDecl *pointer = write.place.base->getCanonicalDecl();
                setsOwnPointer(analysis, write) && llvm::any_of(around, [&](const Stmt *loop) {
                    return keepsFromOneToNext(analysis, loop, pointer);
                }))
                carried.emplace(pointer, write.where);
    for (const auto &[pointer, where] : carried) {
        if (!targets)
            targets.emplace(analysis);
        const std::optional<PointerTargets::Targets> found = targets->of(pointer);
        const bool known =
            found && llvm::all_of(*found, [&](const VarDecl *target) {
                return analysis.isData(target) || !target->getType()->isPointerType();
            });
        if (!known)
            return refuse(analysis, where, Problem::PointerState, pointer->getName());
    }
    return true;
}

/* WRITE changes something that outlives an iteration, and that nobody registers by its type. */
static bool leavesBehind(const Analysis &analysis, const Write &write)
{
    const VarDecl *variable = write.place.base->getCanonicalDecl();
    const FieldDecl *field = write.place.field;
    const Step &step = analysis.loopStep();
    return !variable->getType()->isPointerType() && !analysis.isData(variable) &&
           analysis.rootOnly.count(variable) == 0 &&
           staysBehind(field != nullptr ? field->getType() : variable->getType()) &&
           (variable->hasGlobalStorage() ||
            analysis.structure.alive(variable, step.function, step.anchor));
}

/* The loop, or a loop around it, goes by what WRITE, of an earlier pass of that, has left. */
static bool isGoneBy(const Analysis &analysis, const Write &write)
{
    const VarDecl *variable = write.place.base->getCanonicalDecl();
    return analysis.inLoop.names(write.place) ||
           llvm::any_of(loopsAround(analysis), [&](const Stmt *loop) {
               return keepsFromOneToNext(analysis, loop, variable);
           });
}

/* What loops around change in variables that do not travel. (What iterations change is looked at
 * where it is asked whether they can be repeated.) */
static bool checkLeftBehind(Analysis &analysis)
{
    for (size_t i = 0; i < analysis.path.size(); i++)
        for (const Stmt *statement : analysis.structure.following(analysis.path[i].anchor))
            if (analysis.runsAgain(i, statement))
                for (const Write &write : analysis.finder.withCallees(statement).writes)
                    if (leavesBehind(analysis, write) && isGoneBy(analysis, write))
                        return refuse(analysis, write.where, Problem::Unregistered,
                                      write.place.base->getName());
    return true;
}

/* The functions that run again and again: what the loop calls, and what the loops around it do. */
static std::vector<const FunctionDecl *> calledAgain(const Analysis &analysis)
{
    std::vector<const FunctionDecl *> all = analysis.finder.reachable(analysis.inLoop);
    for (const Step &step : analysis.path)
        if (const Stmt *around = analysis.structure.loopAround(step.anchor))
            for (const FunctionDecl *function :
                 analysis.finder.reachable(analysis.finder.of(around)))
                if (!llvm::is_contained(all, function))
                    all.push_back(function);
    return all;
}

/* VARIABLE only ever has times: when the process began, say. */
static bool isOfClocks(const Analysis &analysis, const VarDecl *variable)
{
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const Write &write : analysis.finder.of(function->getBody()).writes) {
            const auto *call =
                write.value ? dyn_cast<CallExpr>(write.value->IgnoreParenCasts()) : write.call;
            if (write.place.base->getCanonicalDecl() == variable->getCanonicalDecl() &&
                (call == nullptr || deedOf(call) != Deed::Clock))
                return false;
        }
    return true;
}

/* What USE, of an array of characters, is an argument of; null where it is anything else. */
static const CallExpr *callWith(const Analysis &analysis, const Stmt *use)
{
    const Stmt *outer = analysis.structure.parent(use);
    while (isa_and_nonnull<ImplicitCastExpr>(outer))
        outer = analysis.structure.parent(outer);
    return dyn_cast_or_null<CallExpr>(outer);
}

/* The call that STATEMENT is, or whose result it keeps; or null. */
static const CallExpr *callMade(const Stmt *statement)
{
    const auto *value = dyn_cast<Expr>(statement);
    if (const auto *set = dyn_cast<BinaryOperator>(statement))
        value = set->isAssignmentOp() ? set->getRHS() : value;
    const auto *declaration = dyn_cast<DeclStmt>(statement);
    if (declaration != nullptr && declaration->isSingleDecl())
        if (const auto *variable = dyn_cast<VarDecl>(declaration->getSingleDecl()))
            value = variable->getInit();
    return value != nullptr ? dyn_cast<CallExpr>(value->IgnoreParenCasts()) : nullptr;
}

/* VARIABLE, static in FUNCTION, is a text that each call makes anew, in a statement that it always
 * comes to, and that behind it only functions read which stop at its end. */
static bool isTextMadeAnew(const Analysis &analysis, const FunctionDecl *function,
                           const VarDecl *variable)
{
    static const char *const makers[] = {"snprintf", "sprintf", "strftime"};
    static const char *const readers[] = {"fprintf", "fputs", "printf", "puts", "strlen"};
    const auto *body = dyn_cast_or_null<CompoundStmt>(function->getBody());
    if (body == nullptr || !variable->getType()->isArrayType() ||
        anyWithin(body, [](const Stmt *one) { return isa<GotoStmt>(one); }))
        return false;
    const auto isText = [&](const Stmt *one) {
        const auto *argument = dyn_cast<Expr>(one);
        const auto *name =
            argument ? dyn_cast<DeclRefExpr>(argument->IgnoreParenImpCasts()) : nullptr;
        return name != nullptr && name->getDecl()->getCanonicalDecl() == variable;
    };
    bool made = false;
    const auto isKept = [&](const Stmt *one) {
        if (!isa<DeclRefExpr>(one) || !isText(one) ||
            isa_and_nonnull<UnaryExprOrTypeTraitExpr>(analysis.structure.parent(one)))
            return false;
        const CallExpr *call = callWith(analysis, one);
        return call == nullptr || !made ||
               (!llvm::is_contained(readers, calleeName(call)) &&
                !(llvm::is_contained(makers, calleeName(call)) && !isText(call->getArg(0))));
    };
    for (const Stmt *statement : body->body()) {
        const CallExpr *call = callMade(statement);
        if (call != nullptr && llvm::is_contained(makers, calleeName(call)) &&
            isText(call->getArg(0)) && std::none_of(call->arg_begin() + 1, call->arg_end(), isText))
            made = true;
        else if (anyWithin(statement, isKept))
            return false;
    }
    return made;
}

static bool refuseHidden(Analysis &analysis, const FunctionDecl *function, const VarDecl *variable)
{
    return analysis.diagnostics.report(
        variable->getLocation(), Problem::ProcessPlace,
        {function->getName(), "its static variable '" + variable->getNameAsString() + "'"});
}

/* The functions that initial statements call, and what follows the loop does: what the former leave
 * in static variables joining processes do not have. And those that setup statements call: what has
 * counted in a static variable goes on from there when it is run again. */
static std::vector<const FunctionDecl *> calledBeforeLoop(const Analysis &analysis)
{
    std::set<const FunctionDecl *> later;
    for (const Effects &after : analysis.after)
        for (const FunctionDecl *function : analysis.finder.reachable(after))
            later.insert(function);
    std::vector<const FunctionDecl *> all;
    for (const Item &item : analysis.prologue)
        if (item.kind == Class::Initial || item.kind == Class::Setup)
            for (const FunctionDecl *function : analysis.finder.reachable(item.effects))
                if (item.kind == Class::Setup || later.count(function) != 0)
                    all.push_back(function);
    return all;
}

/* Static variables of such functions change where nobody can reach them. */
static bool checkStatics(Analysis &analysis)
{
    bool good = true;
    std::vector<const FunctionDecl *> functions = calledAgain(analysis);
    const std::set<const FunctionDecl *> again(functions.begin(), functions.end());
    for (const FunctionDecl *function : calledBeforeLoop(analysis))
        if (!llvm::is_contained(functions, function))
            functions.push_back(function);
    for (const FunctionDecl *function : functions) {
        if (analysis.context.getSourceManager().isInSystemHeader(function->getLocation()))
            continue;
        for (const VarDecl *variable : analysis.finder.of(function->getBody()).declared) {
            if (!variable->isStaticLocal() || variable->getType().isConstQualified() ||
                !isWritten(analysis, variable))
                continue;
            if (again.count(function) != 0)
                good = refuse(analysis, variable->getLocation(), Problem::HiddenState,
                              variable->getName());
            else if (!isOfClocks(analysis, variable) &&
                     !isTextMadeAnew(analysis, function, variable))
                good = refuseHidden(analysis, function, variable);
        }
    }
    return good;
}

/* The calls that EFFECTS lead to, also in functions of this file. */
static void addCalls(const Analysis &analysis, const Effects &effects,
                     std::vector<const CallExpr *> &calls)
{
    calls.insert(calls.end(), effects.calls.begin(), effects.calls.end());
    for (const FunctionDecl *function : analysis.finder.reachable(effects)) {
        const Effects inside = analysis.finder.of(function->getBody());
        calls.insert(calls.end(), inside.calls.begin(), inside.calls.end());
    }
}

/* What joining processes do not do as the others have: initial statements, iterations, and what
 * loops around do beside them. */
static std::vector<const CallExpr *> callsOfOthers(const Analysis &analysis)
{
    std::vector<const CallExpr *> calls;
    for (const Item &item : analysis.prologue)
        if (item.kind == Class::Initial)
            addCalls(analysis, item.effects, calls);
    addCalls(analysis, analysis.inLoop, calls);
    for (size_t step = 0; step < analysis.path.size(); step++)
        for (const Stmt *statement : analysis.structure.following(analysis.path[step].anchor))
            if (analysis.runsAgain(step, statement))
                addCalls(analysis, analysis.finder.withCallees(statement), calls);
    return calls;
}

/* What joining processes do: the start, iterations, and what follows them. */
static std::vector<const CallExpr *> callsOfAll(const Analysis &analysis)
{
    std::vector<const CallExpr *> calls;
    for (const Item &item : analysis.prologue)
        if (item.kind != Class::Initial)
            addCalls(analysis, item.effects, calls);
    addCalls(analysis, analysis.inLoop, calls);
    for (const Effects &after : analysis.after)
        addCalls(analysis, after, calls);
    return calls;
}

/* The name that CALL puts something under, or asks for, in a place of the process; "" where it is
 * any. */
static llvm::StringRef nameInPlace(const CallExpr *call)
{
    const auto *name = call->getNumArgs() > 0
                           ? dyn_cast<StringLiteral>(call->getArg(0)->IgnoreParenCasts())
                           : nullptr;
    return name != nullptr ? name->getString().split('=').first : llvm::StringRef();
}

/* ASKED hands back what PUT has left. */
static bool findsAgain(const CallExpr *asked, const CallExpr *put)
{
    const llvm::StringRef place = placePutInto(calleeName(put));
    const llvm::StringRef one = nameInPlace(put), other = nameInPlace(asked);
    return !place.empty() && placeAsked(calleeName(asked)) == place &&
           (one.empty() || other.empty() || one == other);
}

static bool refusePut(Analysis &analysis, const CallExpr *put)
{
    const llvm::StringRef name = calleeName(put);
    return analysis.diagnostics.report(put->getExprLoc(), Problem::ProcessPlace,
                                       {name, placePutInto(name)});
}

/* What is put where it can be asked for again, in a place of the process's own that joining ones do
 * not have: the environment, attributes of MPI's objects. */
static bool checkPlacesOfProcess(Analysis &analysis)
{
    const std::vector<const CallExpr *> asking = callsOfAll(analysis);
    for (const CallExpr *put : callsOfOthers(analysis))
        if (concernsNumbers(calleeName(put)) ||
            llvm::any_of(asking, [&](const CallExpr *asked) { return findsAgain(asked, put); }))
            return refusePut(analysis, put);
    return true;
}

/* What is of the state where the program comes to the loop on another way. */
static bool addWanted(Analysis &analysis)
{
    bool good = true;
    for (const VarDecl *variable : analysis.wanted)
        if (!analysis.isData(variable) && variable->hasGlobalStorage())
            good = addAtLoop(analysis, variable, true) && good;
    return good;
}

bool findLive(Analysis &analysis)
{
    bool good = addMentioned(analysis, analysis.inLoop, false) && addWanted(analysis);
    for (const Item &item : analysis.prologue)
        if (item.kind == Class::Setup)
            good = addMentioned(analysis, item.effects, true) && good;
    for (size_t step = 0; step < analysis.path.size(); step++) {
        if (step + 1 < analysis.path.size())
            good = addAtCall(analysis, step) && good;
        good = addMentioned(analysis, analysis.after[step], false) && good;
    }
    good = addPointed(analysis) && good;
    good = checkCarriedPointers(analysis) && good;
    good = checkLeftBehind(analysis) && good;
    good = checkPlacesOfProcess(analysis) && good;
    return checkStatics(analysis) && good;
}

} // namespace xmpi
