/* SPDX-License-Identifier: BSD-3-Clause
 * Compares the condition with the roots of the broadcasts behind it. */
#include "flow/handed_on.h"
#include "check/safety.h"
#include "library/library.h"
#include "library/mpi_outputs.h"
#include "source/loops.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

std::vector<const Expr *> sidesOf(const IfStmt *choice)
{
    const auto *test = dyn_cast<BinaryOperator>(choice->getCond()->IgnoreParenImpCasts());
    if (test == nullptr || test->getOpcode() != BO_EQ)
        return {};
    return {test->getLHS()->IgnoreParenImpCasts(), test->getRHS()->IgnoreParenImpCasts()};
}

/* The statements of its block that follow STATEMENT. */
static std::vector<const Stmt *> behind(const Analysis &analysis, const Stmt *statement)
{
    const auto *block = dyn_cast_or_null<CompoundStmt>(analysis.structure.parent(statement));
    std::vector<const Stmt *> all;
    if (block == nullptr)
        return all;
    const auto at = llvm::find(block->body(), statement);
    return std::vector<const Stmt *>(std::next(at), block->body_end());
}

/* All loops of BRANCH go up to MANY, how much is broadcast: others have all that it sets. */
static bool goUpTo(const Analysis &analysis, const Stmt *branch, const Expr *many)
{
    return !anyWithin(branch, [&](const Stmt *one) {
        const auto *test =
            isLoop(one) ? dyn_cast_or_null<BinaryOperator>(conditionIn(one)) : nullptr;
        return isLoop(one) &&
               (test == nullptr || test->getOpcode() != BO_LT ||
                analysis.source.spelled(test->getRHS()) != analysis.source.spelled(many));
    });
}

/* The variable that CALL, among all processes, broadcasts from whom one of SIDES names, or null. */
static const VarDecl *broadcastFrom(Analysis &analysis, const CallExpr *call,
                                    const std::vector<const Expr *> &sides)
{
    enum { Buffer, Root = 3, World };
    if (call == nullptr || broadcastOf(call) == nullptr || call->getNumArgs() <= World ||
        !spansWorld(analysis, call->getArg(World)))
        return nullptr;
    const Expr *root = call->getArg(Root)->IgnoreParenImpCasts(),
               *buffer = call->getArg(Buffer)->IgnoreParenCasts();
    const bool named = llvm::any_of(sides, [&](const Expr *side) {
        return analysis.source.spelled(side) == analysis.source.spelled(root);
    });
    const Expr *single = addressedBy(buffer);
    const auto *name =
        dyn_cast<DeclRefExpr>((single != nullptr ? single : buffer)->IgnoreParenImpCasts());
    return named && name != nullptr && !name->getType()->isRecordType()
               ? dyn_cast<VarDecl>(name->getDecl()->getCanonicalDecl())
               : nullptr;
}

/* What WRITE hands a function of the file is set there; not where that sets nothing but by other
 * parameters, which stay what they are. */
static bool isSetThere(const Analysis &analysis, const Write &write)
{
    const FunctionDecl *callee = definitionOf(write.call);
    if (callee == nullptr)
        return true;
    std::set<const VarDecl *> by, moved;
    for (const Write &one : analysis.finder.withCallees(callee->getBody()).writes) {
        const bool through = one.place.behind || one.place.element;
        if (one.how == Write::How::Passed || (through && !isa<ParmVarDecl>(one.place.base)))
            return true;
        (through ? by : moved).insert(one.place.base->getCanonicalDecl());
    }
    for (unsigned i = 0; i < callee->getNumParams() && i < write.call->getNumArgs(); i++) {
        const VarDecl *parameter = callee->getParamDecl(i)->getCanonicalDecl();
        if (by.count(parameter) == 0)
            continue;
        for (const Mention &mention : analysis.finder.of(write.call->getArg(i)).mentions)
            if (moved.count(parameter) != 0 || overlap(mention.place, write.place))
                return true;
    }
    return false;
}

std::set<const VarDecl *> handedOnBehind(Analysis &analysis, const IfStmt *choice)
{
    std::set<const VarDecl *> filled;
    const std::vector<const Expr *> sides = sidesOf(choice);
    if (sides.empty() || choice->getElse() != nullptr ||
        choice->getCond()->HasSideEffects(analysis.context))
        return filled;
    for (const Stmt *next : behind(analysis, choice)) {
        const auto *call = dyn_cast<CallExpr>(next);
        const VarDecl *buffer = broadcastFrom(analysis, call, sides);
        if (buffer == nullptr || (!buffer->getType()->isArithmeticType() &&
                                  !goUpTo(analysis, choice->getThen(), call->getArg(1))))
            break;
        filled.insert(buffer);
    }
    const Effects effects = analysis.finder.withCallees(choice->getThen());
    const bool alone = llvm::all_of(effects.calls, [&](const CallExpr *call) {
        return definitionOf(call) || (!isMpiCall(call) && deedOf(call) == Deed::Computes);
    });
    const bool only =
        alone && llvm::all_of(effects.writes, [&](const Write &write) {
            const VarDecl *variable = write.place.base->getCanonicalDecl();
            return filled.count(variable) != 0 ||
                   (write.how == Write::How::Passed && !isSetThere(analysis, write)) ||
                   llvm::count(effects.declared, write.place.base) ||
                   (!write.place.behind && !write.place.element && write.place.field == nullptr &&
                    variable->getType()->isArithmeticType());
        });
    return only ? filled : std::set<const VarDecl *>();
}

} // namespace xmpi
