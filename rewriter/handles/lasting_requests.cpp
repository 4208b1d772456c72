/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at the conditions that the making of a request stands behind. */
#include "handles/lasting_requests.h"
#include "facts/first_use.h"
#include "source/loops.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

bool isScratchArgument(const Expr *argument)
{
    const Expr *target = addressedBy(argument);
    QualType type =
        (target != nullptr ? target->IgnoreParens() : argument->IgnoreParenCasts())->getType();
    return isScratchHandle(type) ||
           (type->isPointerType() && isScratchHandle(type->getPointeeType()));
}

/* CONDITION goes by a value that iterations hand on. */
static bool goesByIterations(Analysis &analysis, const Expr *condition)
{
    const Effects effects = analysis.finder.withCallees(condition);
    return llvm::any_of(effects.mentions, [&](const Mention &mention) {
        const VarDecl *variable = mention.place.base->getCanonicalDecl();
        return analysis.context.getBaseElementType(variable->getType())->isArithmeticType() &&
               llvm::any_of(analysis.inLoop.writes,
                            [&](const Write &write) {
                                return write.place.base->getCanonicalDecl() == variable;
                            }) &&
               !setsBeforeReading(analysis, variable, mention.place.field, false);
    });
}

/* It is around INIT, or leaves before it. */
static bool decides(const Stmt *choice, const CallExpr *init)
{
    return isa<IfStmt, SwitchStmt>(choice) &&
           (holds(choice, init) || anyWithin(choice, [](const Stmt *part) {
                return isa<ReturnStmt, ContinueStmt, GotoStmt>(part);
            }));
}

/* PLACE, in the iteration or in a function that it calls, is come to in some iterations alone. */
static bool isInSome(Analysis &analysis, const CallExpr *place, std::set<const CallExpr *> &seen)
{
    if (!seen.insert(place).second)
        return false;
    const auto isBehindSome = [&](const Stmt *body) {
        return anyWithin(body, [&](const Stmt *part) {
            const Expr *condition = decides(part, place) ? conditionIn(part) : nullptr;
            return condition != nullptr && goesByIterations(analysis, condition);
        });
    };
    if (holds(analysis.loop, place))
        return isBehindSome(bodyOf(analysis.loop));
    for (const FunctionDecl *function : analysis.structure.functions)
        if (holds(function->getBody(), place))
            return isBehindSome(function->getBody()) ||
                   llvm::any_of(analysis.inLoop.calls, [&](const CallExpr *call) {
                       const auto callees = analysis.finder.callees(call);
                       return llvm::is_contained(callees, function) &&
                              isInSome(analysis, call, seen);
                   });
    return false;
}

bool isMadeInSome(Analysis &analysis, const CallExpr *init)
{
    std::set<const CallExpr *> seen;
    return isInSome(analysis, init, seen);
}

} // namespace xmpi
