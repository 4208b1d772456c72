/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at how indices are written. */
#include "index/index_form.h"
#include "facts/computed.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

static bool isCount(const Analysis &analysis, const LoopUses &uses, const Expr *expression);
static bool varies(Analysis &analysis, const LoopUses &uses, const Expr *expression);
static bool isName(Analysis &, const LoopUses &, const Effects &inside, const Write &write);

/* NUMBER varies, or what functions of the loop are handed for it. */
static bool mayVary(Analysis &analysis, const LoopUses &uses, const Expr *number, int calls)
{
    if (varies(analysis, uses, number))
        return true;
    for (const Mention &mention : analysis.finder.of(number).mentions) {
        const VarDecl *variable = mention.place.base;
        if (calls > 0 && variable->hasLocalStorage() && variable->getInit() != nullptr &&
            mayVary(analysis, uses, variable->getInit(), calls - 1))
            return true;
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        for (const Stmt *body : uses.bodies)
            for (const CallExpr *call : analysis.finder.of(body).calls) {
                const Expr *given = parameter ? argumentFor(call, parameter) : nullptr;
                if (given != nullptr && calls > 0 && mayVary(analysis, uses, given, calls - 1))
                    return true;
            }
    }
    return false;
}

/* What CALL, of a function of the file, hands back is so. */
static bool handsBack(Analysis &analysis, const LoopUses &uses, const CallExpr *call,
                      const IsCount &isNumber, int calls)
{
    const FunctionDecl *callee = definitionOf(call);
    return callee != nullptr && calls > 0 &&
           llvm::any_of(returnedIn(callee->getBody()), [&](const Expr *value) {
               return isStridedByCount(analysis, uses, value, isNumber, calls - 1);
           });
}

bool isStridedByCount(Analysis &analysis, const LoopUses &uses, const Stmt *index,
                      const IsCount &isNumber, int calls)
{
    if (const auto *call = dyn_cast<CallExpr>(index))
        if (handsBack(analysis, uses, call, isNumber, calls))
            return true;
    const auto is = [&](const Expr *side) {
        return isNumber(side) || isCount(analysis, uses, side);
    };
    const auto may = [&](const Expr *side) { return mayVary(analysis, uses, side, calls); };
    const auto *binary = dyn_cast<BinaryOperator>(index);
    if (binary != nullptr && binary->getOpcode() == BO_Mul &&
        ((is(binary->getLHS()) && may(binary->getRHS())) ||
         (is(binary->getRHS()) && may(binary->getLHS()))))
        return true;
    return llvm::any_of(partsIn(index), [&](const Stmt *child) {
        return isStridedByCount(analysis, uses, child, isNumber, calls);
    });
}

/* A counter of the loop, or what is computed with one: count times a constant is a row. */
static bool varies(Analysis &analysis, const LoopUses &uses, const Expr *expression)
{
    for (const Mention &mention : analysis.finder.of(expression).mentions)
        for (const Stmt *body : uses.bodies) {
            const Effects inside = analysis.finder.of(body);
            for (const Write &write : inside.writes)
                if (overlap(write.place, mention.place) && !isName(analysis, uses, inside, write))
                    return true;
        }
    return false;
}

/* A variable that is only declared, as another name for what does not vary. */
static bool isName(Analysis &analysis, const LoopUses &uses, const Effects &inside,
                   const Write &write)
{
    auto sets = llvm::count_if(
        inside.writes, [&](const Write &other) { return overlap(other.place, write.place); });
    return write.how == Write::How::Declared && sets == 1 && write.value != nullptr &&
           !varies(analysis, uses, write.value);
}

static bool isCount(const Analysis &analysis, const LoopUses &uses, const Expr *expression)
{
    const Expr *bare = expression->IgnoreParenCasts();
    return (isa<DeclRefExpr, MemberExpr>(bare) || computedAt(analysis, bare)) &&
           uses.mentionsRange(bare, RangeKind::Count);
}

/* + or - a number, or the count itself. */
bool hasOffset(Analysis &analysis, const LoopUses &uses, const Stmt *index)
{
    const auto *bare = dyn_cast<Expr>(index);
    if (bare != nullptr && isCount(analysis, uses, bare))
        return true;
    const auto *binary = dyn_cast<BinaryOperator>(index);
    if (binary != nullptr && binary->isAdditiveOp() &&
        (isa<IntegerLiteral>(binary->getRHS()->IgnoreParenCasts()) ||
         isa<IntegerLiteral>(binary->getLHS()->IgnoreParenCasts())))
        return true;
    return llvm::any_of(partsIn(index),
                        [&](const Stmt *child) { return hasOffset(analysis, uses, child); });
}

} // namespace xmpi
