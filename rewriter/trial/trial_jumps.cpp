/* SPDX-License-Identifier: BSD-3-Clause
 * Jumps in a trial: those that are known are followed. Where one may be made or not, all that may
 * be run from there on is forgotten, and what the function hands back is not known. */
#include "library/exits.h"
#include "source/integer.h"
#include "source/loops.h"
#include "source/within.h"
#include "trial/trial.h"

namespace xmpi
{

using namespace clang;

/* Returns that only those take that end the program with an error are none. */
void Trial::addJumps(const Stmt *statement, Jumps &found, bool inLoop, bool inSwitch)
{
    if (statement == nullptr)
        return;
    found.breaks |= isa<BreakStmt>(statement) && !inLoop && !inSwitch;
    found.continues |= isa<ContinueStmt>(statement) && !inLoop;
    found.returns |= isa<ReturnStmt>(statement);
    if (const auto *jump = dyn_cast<GotoStmt>(statement))
        found.labels.push_back(jump->getLabel());
    else if (isa<IndirectGotoStmt>(statement))
        found.labels.push_back(nullptr);
    const auto *choice = dyn_cast<IfStmt>(statement);
    const Stmt *failing = choice && failsAtCallers(choice) ? choice->getThen() : nullptr;
    for (const Stmt *child : statement->children())
        if (child != failing)
            addJumps(child, found, inLoop || isLoop(statement),
                     inSwitch || isa<SwitchStmt>(statement));
}

const Jumps &Trial::jumpsIn(const Stmt *statement)
{
    auto [at, isNew] = lookups.jumps.try_emplace(statement);
    Jumps &found = at->second; /* (stays where it is) */
    if (!isNew)
        return found;
    addJumps(statement, found, false, false);
    llvm::erase_if(found.labels, [&](const LabelDecl *label) {
        return label != nullptr && holds(statement, label->getStmt());
    });
    return found;
}

/* LABEL of a function on the way to the loop is behind the loop, or behind the call that leads to
 * it: who goes there does not come to the loop. */
bool Trial::leadsAway(const LabelDecl *label) const
{
    if (returned.has_value() || label == nullptr)
        return false;
    for (const Step &step : analysis.path)
        if (step.function->getBody() == flow.body) {
            const Stmt *point = step.call != nullptr ? step.call : analysis.loop;
            return analysis.context.getSourceManager().isBeforeInTranslationUnit(
                point->getBeginLoc(), label->getStmt()->getBeginLoc());
        }
    return false;
}

/* It has been run, or not, or in part. */
void Trial::passOver(const Stmt *statement)
{
    forget(statement);
    const Jumps &jumps = jumpsIn(statement);
    flow.mayBreak |= jumps.breaks;
    flow.mayContinue |= jumps.continues;
    flow.mayLeave |= jumps.returns && returned.has_value();
    for (const LabelDecl *label : jumps.labels)
        if (!leadsAway(label)) {
            flow.mayLeave = true;
            if (flow.body != nullptr)
                forget(flow.body); /* it may go back */
        }
}

/* Who comes to the loop has not taken CHOICE. */
bool Trial::isError(const IfStmt *choice)
{
    if (returned.has_value())
        return failsAtCallers(choice);
    const auto *jump = dyn_cast_or_null<GotoStmt>(endOf(choice->getThen()));
    return leavesProgram(choice->getThen()) && (jump == nullptr || leadsAway(jump->getLabel()));
}

void Trial::runJump(const Stmt *statement)
{
    if (const auto *back = dyn_cast<ReturnStmt>(statement)) {
        returned = back->getRetValue() ? evaluate(back->getRetValue()) : Value();
        flow.jump = Flow::Jump::Return;
    } else if (isa<BreakStmt>(statement)) {
        flow.jump = Flow::Jump::Break;
    } else if (isa<ContinueStmt>(statement)) {
        flow.jump = Flow::Jump::Continue;
    } else if (const auto *choice = dyn_cast<SwitchStmt>(statement)) {
        runSwitch(choice);
    } else if (const auto *label = dyn_cast<LabelStmt>(statement)) {
        runStatement(label->getSubStmt());
    } else if (const auto *label = dyn_cast<SwitchCase>(statement)) {
        runStatement(label->getSubStmt());
    } else if (const auto *attributed = dyn_cast<AttributedStmt>(statement)) {
        runStatement(attributed->getSubStmt());
    } else if (!isa<NullStmt>(statement)) {
        passOver(statement);
    }
}

/* ONE is a label for VALUE. */
static bool isFor(const ASTContext &context, const SwitchCase *one, long long value)
{
    const auto *label = dyn_cast<CaseStmt>(one);
    if (label == nullptr)
        return false;
    const auto first = constantInteger(label->getLHS(), context);
    const auto last = label->getRHS() ? constantInteger(label->getRHS(), context) : first;
    return first && last && *first <= value && value <= *last;
}

/* Where BLOCK, of a switch, is entered with VALUE, among its statements; its size where none is
 * for it, or LABELS, of which there are so many, are also in what is nested. */
static size_t entryFor(const ASTContext &context, const CompoundStmt *block, long labels,
                       long long value)
{
    size_t entry = block->size(), at = 0;
    for (const Stmt *child : block->body()) {
        for (const auto *one = dyn_cast<SwitchCase>(child); one != nullptr;
             one = dyn_cast<SwitchCase>(one->getSubStmt())) {
            labels--;
            if (isFor(context, one, value))
                entry = at;
        }
        at++;
    }
    return labels == 0 ? entry : block->size();
}

/* What is for all other values is not followed: a value that is made up is none of those named, but
 * what stands for it may be. */
void Trial::runSwitch(const SwitchStmt *choice)
{
    const Value value = evaluate(choice->getCond());
    const auto *block = dyn_cast<CompoundStmt>(choice->getBody());
    long labels = 0;
    for (const SwitchCase *one = choice->getSwitchCaseList(); one; one = one->getNextSwitchCase())
        labels++;
    const bool known = block != nullptr && value.kind == Value::Kind::Integer;
    const size_t entry = known ? entryFor(analysis.context, block, labels, value.integer) : 0;
    if (!known || entry == block->size())
        return passOver(choice);
    for (size_t at = entry; at < block->size(); at++)
        runStatement(block->body_begin()[at]);
    if (flow.jump == Flow::Jump::Break)
        flow.jump = Flow::Jump::None;
    flow.mayBreak = false;
}

} // namespace xmpi
