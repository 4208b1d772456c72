/* SPDX-License-Identifier: BSD-3-Clause
 * Begins with what certainly is of another time, and goes on to what follows from that. */
#include "loop/unsteady.h"
#include "facts/first_use.h"
#include "library/library.h"
#include "check/safety.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

/* What it hands back follows from what is handed over, by all ranks in the same call. */
bool isOfItsArguments(llvm::StringRef name)
{
    static const std::set<llvm::StringRef> names = {
        "MPI_Comm_rank",  "MPI_Comm_size",   "MPI_Comm_dup",  "MPI_Comm_split",
        "MPI_Comm_free",  "MPI_Allreduce",   "MPI_Reduce",    "MPI_Bcast",
        "MPI_Gather",     "MPI_Gatherv",     "MPI_Allgather", "MPI_Allgatherv",
        "MPI_Scatter",    "MPI_Scatterv",    "MPI_Scan",      "MPI_Exscan",
        "MPI_Barrier",    "MPI_Type_vector", "MPI_Type_free", "MPI_Type_contiguous",
        "MPI_Type_commit"};
    return names.count(name) != 0;
}

bool isOfItsArguments(const CallExpr *call)
{
    if (isMpiCall(call))
        return isOfItsArguments(calleeName(call));
    const FunctionDecl *callee = call->getDirectCallee();
    switch (deedOf(call)) {
    case Deed::Computes:
    case Deed::Prints:
    case Deed::Exits:
        return true;
    case Deed::Unknown: /* what it does is among the effects */
        return callee != nullptr && callee->getDefinition() != nullptr;
    default:
        return false;
    }
}

bool isIn(const std::set<const VarDecl *> &variables, const VarDecl *variable)
{
    return variables.count(variable->getCanonicalDecl()) != 0;
}

/* The outermost loop around STATEMENT, of the function of STEP, or around a call that leads there.
 */
const Stmt *outermost(const Analysis &analysis, size_t step, const Stmt *statement)
{
    for (size_t outer = 0; outer < step; outer++)
        if (const Stmt *loop = analysis.structure.loopAround(analysis.path[outer].anchor))
            return loop;
    return analysis.structure.loopAround(statement);
}

/* STATEMENT leads to an adaptive loop. */
bool leadsToLoop(const Analysis &analysis, const Stmt *statement, const Effects &effects)
{
    const Pragmas &all = analysis.pragmas.whole ? *analysis.pragmas.whole : analysis.pragmas;
    const std::vector<const FunctionDecl *> called = analysis.finder.reachable(effects);
    return llvm::any_of(all.list, [&](const auto &pragma) {
        return pragma->directive == Directive::Loop &&
               (analysis.structure.encloses(statement, pragma->target) ||
                llvm::find(called, pragma->function) != called.end());
    });
}

bool isOfPrologue(const Analysis &analysis, const Stmt *statement)
{
    return llvm::any_of(analysis.prologue,
                        [&](const Item &item) { return item.statement == statement; });
}

/* STATEMENT calls the function of the loop. */
bool callsLoop(const Analysis &analysis, const Stmt *statement)
{
    const std::vector<const FunctionDecl *> called = analysis.finder.of(statement).functions;
    return llvm::find(called, analysis.loopStep().function) != called.end();
}

} // namespace

std::vector<const Stmt *> statementsApart(const Analysis &analysis)
{
    std::vector<const Stmt *> found;
    bool behind = false;
    for (const Item &item : analysis.prologue) {
        behind = behind || leadsToLoop(analysis, item.statement, item.effects);
        if (behind && callsLoop(analysis, item.statement)) {
            const auto rest = analysis.structure.following(analysis.loopStep().anchor);
            found.insert(found.end(), rest.begin(), rest.end());
        } else if (behind || outermost(analysis, item.step, item.statement) != nullptr) {
            found.push_back(item.statement);
        }
    }
    for (size_t step = 0; step < analysis.path.size(); step++)
        for (const Stmt *statement : analysis.structure.following(analysis.path[step].anchor))
            if (analysis.runsAgain(step, statement) && !isOfPrologue(analysis, statement))
                found.push_back(statement);
    return found;
}

Unsteady::Unsteady(Analysis &analysis, const PointerTargets &targets,
                   const std::set<const VarDecl *> &changed)
    : analysis(analysis), targets(targets), other(changed), jumps(canJump())
{
    for (const Write &write : analysis.inLoop.writes)
        addWritten(write);
    addPrologue();
    for (size_t step = 0; step < analysis.path.size(); step++)
        addAround(step);
    for (bool more = true; more;) {
        more = false;
        for (Part &part : parts)
            if (!part.unsteady && !isSteady(part)) {
                part.unsteady = more = true;
                addWritten(part.effects);
            }
        for (size_t step = apart; step < analysis.lastStep(); step++)
            more = passesOn(step) || more;
    }
    parts.erase(
        std::remove_if(parts.begin(), parts.end(), [](const Part &part) { return !part.unsteady; }),
        parts.end());
}

void Unsteady::addPrologue()
{
    bool behind = false; /* an earlier adaptive loop */
    for (const Item &item : analysis.prologue) {
        const bool leads = leadsToLoop(analysis, item.statement, item.effects);
        const Stmt *outer = outermost(analysis, item.step, item.statement);
        behind = behind || leads;
        if (behind || outer != nullptr)
            add(item.statement, item.effects, !leads && !jumps, outer);
        if (behind)
            apart = std::min(apart, item.step);
    }
}

/* What stands behind the loop in those around it, their heads, and conditions. */
void Unsteady::addAround(size_t step)
{
    const Stmt *anchor = analysis.path[step].anchor;
    if (outermost(analysis, step, anchor) != nullptr)
        apart = std::min(apart, step);
    for (const Stmt *statement : analysis.structure.following(anchor))
        if (analysis.runsAgain(step, statement) && !isOfPrologue(analysis, statement))
            add(statement, analysis.finder.withCallees(statement), false,
                outermost(analysis, step, statement));
    for (const Stmt *statement : analysis.structure.around(anchor))
        if (const auto *choice = dyn_cast<IfStmt>(statement))
            add(choice->getCond(), analysis.finder.withCallees(choice->getCond()), false,
                outermost(analysis, step, statement));
}

void Unsteady::add(const Stmt *statement, const Effects &effects, bool made, const Stmt *outer)
{
    parts.push_back({statement, made, outer, effects});
    addBehind(parts.back().effects);
}

/* What functions write through pointers of their own. (What is a function's own is gone when it has
 * returned.) */
void Unsteady::addBehind(Effects &effects) const
{
    const std::vector<const FunctionDecl *> called = analysis.finder.reachable(effects);
    auto isOf = [&](const VarDecl *variable) {
        return variable->hasLocalStorage() &&
               llvm::any_of(called, [&](const FunctionDecl *function) {
                   return variable->getDeclContext() == function;
               });
    };
    for (const FunctionDecl *function : called)
        for (Write write : analysis.finder.of(function->getBody()).writes) {
            const VarDecl *pointer = write.place.base;
            if (!(write.place.element || write.place.behind) || !isOf(pointer) ||
                !pointer->getType()->isPointerType())
                continue;
            const auto found = targets.of(pointer);
            if (!found)
                effects.writes.push_back(write);
            for (const VarDecl *target : found.value_or(PointerTargets::Targets()))
                if (!isOf(target)) {
                    write.place.base = target;
                    effects.writes.push_back(write);
                }
        }
}

/* The program may come to the loop without what stands before it in its text. */
bool Unsteady::canJump() const
{
    return llvm::any_of(analysis.path, [&](const Step &step) {
        for (const Stmt *up = step.anchor; up != nullptr; up = analysis.structure.parent(up))
            if (isa<SwitchStmt>(up))
                return true;
        return anyWithin(step.function->getBody(),
                         [](const Stmt *one) { return isa<GotoStmt, IndirectGotoStmt>(one); });
    });
}

/* A member of a struct, of which functions that PART calls may do more than is seen in their order.
 */
bool Unsteady::isHidden(const Part &part, const VarDecl *variable) const
{
    return analysis.members.contains(variable) && !part.effects.functions.empty();
}

/* What PART leaves in VARIABLE may follow from what it has left there the time before. */
bool Unsteady::keeps(const Part &part, const VarDecl *variable) const
{
    const auto &declared = part.effects.declared;
    if (!variable->isStaticLocal() && llvm::find(declared, variable) != declared.end())
        return false; /* it begins anew */
    if (!isHidden(part, variable))
        return keepsFromOneToNext(analysis, part.outer, variable);
    return llvm::any_of(part.effects.mentions, [&](const Mention &mention) {
        return mention.place.base == variable && !mention.assigned;
    });
}

/* PART may read what MENTION names as something else has left it. */
bool Unsteady::reads(const Part &part, const Mention &mention) const
{
    const VarDecl *variable = mention.place.base->getCanonicalDecl();
    if (isIn(other, variable) && isHidden(part, variable))
        return !mention.assigned;
    if (isIn(other, variable))
        return !mention.assigned &&
               readsBeforeSetting(analysis, part.statement, variable, mention.place.field);
    if (!variable->getType()->isPointerType() || mention.assigned)
        return false;
    const std::optional<PointerTargets::Targets> found = targets.of(variable);
    return !found ||
           llvm::any_of(*found, [&](const VarDecl *target) { return isIn(other, target); });
}

/* PART comes to the same whenever it runs. */
bool Unsteady::isSteady(const Part &part) const
{
    const auto &effects = part.effects;
    return part.made &&
           llvm::all_of(effects.calls,
                        [](const CallExpr *call) { return isOfItsArguments(call); }) &&
           llvm::none_of(effects.mentions,
                         [&](const Mention &mention) { return reads(part, mention); }) &&
           (part.outer == nullptr || llvm::none_of(effects.writes, [&](const Write &write) {
                return keeps(part, write.place.base);
            }));
}

void Unsteady::addWritten(const Effects &effects)
{
    for (const Write &write : effects.writes)
        addWritten(write);
}

void Unsteady::addWritten(const Write &write)
{
    const VarDecl *variable = write.place.base->getCanonicalDecl();
    const std::set<const VarDecl *> &members = analysis.members.meaning(variable);
    const bool inside = write.place.element || write.place.behind;
    other.insert(variable);
    other.insert(members.begin(), members.end());
    if (!inside && write.place.type->isPointerType()) {
        moved.insert(variable);
        moved.insert(members.begin(), members.end());
    }
    if (inside && variable->getType()->isPointerType())
        if (const std::optional<PointerTargets::Targets> found = targets.of(variable))
            other.insert(found->begin(), found->end());
}

/* An address that is another one than in the start: of a pointer that has been set, or by a value
 * that may be another one. */
bool Unsteady::leadsElsewhere(const Expr *argument) const
{
    const Expr *bare = argument->IgnoreParenCasts();
    const Expr *target = addressedBy(bare);
    const bool named = target != nullptr && isa<DeclRefExpr>(target->IgnoreParens());
    if (const VarDecl *variable = variableAt(bare))
        return isIn(moved, variable);
    const Effects effects = analysis.finder.of(argument);
    return !named && llvm::any_of(effects.mentions, [&](const Mention &mention) {
        return isIn(other, mention.place.base) || isIn(moved, mention.place.base);
    });
}

/* The call of STEP hands on something else than in the start; whether that is news. */
bool Unsteady::passesOn(size_t step)
{
    const CallExpr *call = analysis.path[step].call;
    const FunctionDecl *function = analysis.path[step + 1].function;
    bool news = false;
    for (const auto &[parameter, argument] : passedBy(call, function)) {
        const Effects effects = analysis.finder.of(argument);
        if (parameter->getType()->isPointerType()) {
            otherArray = otherArray == nullptr && leadsElsewhere(argument) ? argument : otherArray;
            continue;
        }
        const bool differs =
            llvm::any_of(effects.mentions,
                         [&](const Mention &one) { return isIn(other, one.place.base); }) ||
            !llvm::all_of(effects.calls,
                          [](const CallExpr *inner) { return isOfItsArguments(inner); });
        if (differs && parameters.insert(parameter->getCanonicalDecl()).second)
            news = other.insert(parameter->getCanonicalDecl()).second || news;
    }
    return news;
}

} // namespace xmpi
