/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions that only rank 0 meets, around statements and around the calls of their functions. */
#include "flow/root_guards.h"
#include "library/library.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

enum { MostHanded = 4 }; /* functions that hand the rank on */

/* -- the rank */

bool RootGuards::isZero(const Expr *expression) const
{
    return constantInteger(expression, analysis.context) == 0;
}

/* A variable that is only ever set by MPI_Comm_rank of the world. */
bool RootGuards::asksRank(const VarDecl *variable) const
{
    const auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
    if (function == nullptr || !variable->hasLocalStorage() || variable->hasInit() ||
        !function->hasBody())
        return false;
    bool asked = false;
    for (const Write &write : analysis.finder.of(function->getBody()).writes) {
        if (write.place.base->getCanonicalDecl() != variable->getCanonicalDecl() ||
            write.how == Write::How::Declared)
            continue;
        if (write.call == nullptr || calleeName(write.call) != "MPI_Comm_rank" ||
            !isWorld(analysis, write.call->getArg(0)))
            return false;
        asked = true;
    }
    return asked;
}

std::optional<std::vector<const CallExpr *>> callsOf(const Analysis &analysis,
                                                     const FunctionDecl *function)
{
    std::vector<const CallExpr *> calls;
    int named = 0;
    const auto look = [&](const Stmt *within) {
        named += namesOf(within, function);
        eachWithin(within, [&](const Stmt *one) {
            const auto *call = dyn_cast<CallExpr>(one);
            if (call != nullptr && call->getDirectCallee() != nullptr &&
                call->getDirectCallee()->getCanonicalDecl() == function->getCanonicalDecl())
                calls.push_back(call);
        });
    };
    for (const FunctionDecl *one : analysis.structure.functions)
        look(one->getBody());
    for (const Decl *one : analysis.context.getTranslationUnitDecl()->decls())
        if (const auto *variable = dyn_cast<VarDecl>(one); variable && variable->hasInit())
            look(variable->getInit());
    return named != static_cast<int>(calls.size()) || function->isMain() ? std::nullopt
                                                                         : std::optional(calls);
}

/* All that call its function hand the rank over for PARAMETER, which stays that. */
bool RootGuards::isHandedRank(const ParmVarDecl *parameter, unsigned depth) const
{
    const auto *function = cast<FunctionDecl>(parameter->getDeclContext());
    const unsigned index = parameter->getFunctionScopeIndex();
    if (depth > MostHanded || !function->hasBody())
        return false;
    for (const Write &write : analysis.finder.of(function->getBody()).writes)
        if (write.place.base->getCanonicalDecl() == parameter->getCanonicalDecl())
            return false;
    const auto calls = callsOf(analysis, function);
    return calls && !calls->empty() && llvm::all_of(*calls, [&](const CallExpr *call) {
               return index < call->getNumArgs() && isRank(call->getArg(index), depth + 1);
           });
}

bool RootGuards::isRank(const Expr *expression, unsigned depth) const
{
    std::optional<Place> place = placeOf(expression->IgnoreParenImpCasts());
    if (!place)
        return false;
    if (const RangeVariable *range = analysis.rangeAt(*place))
        return range->kind == RangeKind::Rank;
    const VarDecl *variable = variableIn(expression);
    if (const auto *parameter = dyn_cast_or_null<ParmVarDecl>(variable))
        return isHandedRank(parameter, depth);
    return variable != nullptr && asksRank(variable);
}

/* -- conditions */

bool isNull(const Analysis &analysis, const Expr *pointer)
{
    return pointer->isNullPointerConstant(analysis.context, Expr::NPC_ValueDependentIsNull) !=
           Expr::NPCK_NotNull;
}

bool RootGuards::holds(const Expr *condition, bool truth, const VarDecl *tested) const
{
    const Expr *bare = condition->IgnoreParenImpCasts();
    if (tested != nullptr && truth && variableIn(bare) == tested)
        return true;
    if (const auto *unary = dyn_cast<UnaryOperator>(bare))
        return unary->getOpcode() == UO_LNot && holds(unary->getSubExpr(), !truth, tested);
    if (isRank(bare))
        return !truth;
    const auto *binary = dyn_cast<BinaryOperator>(bare);
    if (binary == nullptr)
        return false;
    const BinaryOperatorKind kind = binary->getOpcode();
    if (kind == (truth ? BO_LAnd : BO_LOr)) /* both sides come out so */
        return holds(binary->getLHS(), truth, tested) || holds(binary->getRHS(), truth, tested);
    if (tested != nullptr && kind == (truth ? BO_NE : BO_EQ) &&
        ((variableIn(binary->getLHS()) == tested && isNull(analysis, binary->getRHS())) ||
         (variableIn(binary->getRHS()) == tested && isNull(analysis, binary->getLHS()))))
        return true;
    if (kind == BO_GT && !truth) /* rank > 0 */
        return isRank(binary->getLHS()) && isZero(binary->getRHS());
    return kind == (truth ? BO_EQ : BO_NE) &&
           ((isRank(binary->getLHS()) && isZero(binary->getRHS())) ||
            (isRank(binary->getRHS()) && isZero(binary->getLHS())));
}

/* -- where a statement stands */

/* What STATEMENT ends with leads away from what follows it. */
static bool leaves(const Stmt *statement)
{
    if (const auto *block = dyn_cast<CompoundStmt>(statement))
        return !block->body_empty() && leaves(block->body_back());
    const auto *call = dyn_cast<CallExpr>(statement);
    return isa<ReturnStmt, ContinueStmt, BreakStmt>(statement) ||
           (call != nullptr && deedOf(call) == Deed::Exits);
}

/* `if (rank != 0) return;` comes before STATEMENT, and nothing leads to one between them. */
bool RootGuards::isBehind(const CompoundStmt *block, const Stmt *statement,
                          const VarDecl *tested) const
{
    bool behind = false;
    for (const Stmt *one : block->body()) {
        if (one == statement)
            return behind && !isa<SwitchCase, LabelStmt>(one);
        if (isa<SwitchCase, LabelStmt>(one))
            behind = false;
        const auto *choice = dyn_cast<IfStmt>(one);
        if (choice != nullptr && leaves(choice->getThen()) &&
            holds(choice->getCond(), false, tested))
            behind = true;
    }
    return false;
}

bool RootGuards::isUnder(const Stmt *statement, const VarDecl *tested) const
{
    for (const Stmt *inner = statement, *outer = analysis.structure.parent(inner); outer != nullptr;
         inner = outer, outer = analysis.structure.parent(outer)) {
        if (const auto *choice = dyn_cast<IfStmt>(outer))
            if ((inner == choice->getThen() && holds(choice->getCond(), true, tested)) ||
                (inner == choice->getElse() && holds(choice->getCond(), false, tested)))
                return true;
        if (const auto *choice = dyn_cast<ConditionalOperator>(outer))
            if ((inner == choice->getTrueExpr() && holds(choice->getCond(), true, tested)) ||
                (inner == choice->getFalseExpr() && holds(choice->getCond(), false, tested)))
                return true;
        const auto *both = dyn_cast<BinaryOperator>(outer);
        if (both != nullptr && inner == both->getRHS() &&
            ((both->getOpcode() == BO_LAnd && holds(both->getLHS(), true, tested)) ||
             (both->getOpcode() == BO_LOr && holds(both->getLHS(), false, tested))))
            return true;
        if (const auto *block = dyn_cast<CompoundStmt>(outer))
            if (isBehind(block, inner, tested))
                return true;
    }
    return false;
}

bool RootGuards::isOnlyThere(const Stmt *statement, Seen &seen) const
{
    if (isUnder(statement))
        return true;
    const FunctionDecl *function = analysis.structure.functionOf(statement);
    if (function == nullptr || !seen.insert(function->getCanonicalDecl()).second)
        return false;
    const auto calls = callsOf(analysis, function);
    return calls && !calls->empty() &&
           llvm::all_of(*calls, [&](const CallExpr *call) { return isOnlyThere(call, seen); });
}

bool RootGuards::isOnlyThere(const Stmt *statement) const
{
    Seen seen;
    return isOnlyThere(statement, seen);
}

} // namespace xmpi
