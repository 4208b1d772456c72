/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at how indices are written. */
#include "index_form.h"

namespace xmpi
{

using namespace clang;

static bool isCount(const LoopUses &uses, const Expr *expression);
static bool varies(Analysis &analysis, const LoopUses &uses, const Expr *expression);

/* count * something: columns of a local block. */
bool isStridedByCount(Analysis &analysis, const LoopUses &uses, const Stmt *index)
{
    const auto *binary = dyn_cast<BinaryOperator>(index);
    if (binary != nullptr && binary->getOpcode() == BO_Mul &&
        ((isCount(uses, binary->getLHS()) && varies(analysis, uses, binary->getRHS())) ||
         (isCount(uses, binary->getRHS()) && varies(analysis, uses, binary->getLHS()))))
        return true;
    for (const Stmt *child : index->children())
        if (child != nullptr && isStridedByCount(analysis, uses, child))
            return true;
    return false;
}

/* A counter of the loop, or what is computed with one: count times a constant is a row. */
static bool varies(Analysis &analysis, const LoopUses &uses, const Expr *expression)
{
    for (const Mention &mention : analysis.finder.of(expression).mentions)
        for (const Stmt *body : uses.bodies)
            for (const Write &write : analysis.finder.of(body).writes)
                if (overlap(write.place, mention.place))
                    return true;
    return false;
}

static bool isCount(const LoopUses &uses, const Expr *expression)
{
    const Expr *bare = expression->IgnoreParenCasts();
    return (isa<DeclRefExpr>(bare) || isa<MemberExpr>(bare)) &&
           uses.mentionsRange(bare, RangeKind::Count);
}

/* + or - a number, or the count itself. */
bool hasOffset(Analysis &analysis, const LoopUses &uses, const Stmt *index)
{
    const auto *bare = dyn_cast<Expr>(index);
    if (bare != nullptr && isCount(uses, bare))
        return true;
    const auto *binary = dyn_cast<BinaryOperator>(index);
    if (binary != nullptr && binary->isAdditiveOp() &&
        (isa<IntegerLiteral>(binary->getRHS()->IgnoreParenCasts()) ||
         isa<IntegerLiteral>(binary->getLHS()->IgnoreParenCasts())))
        return true;
    for (const Stmt *child : index->children())
        if (child != nullptr && hasOffset(analysis, uses, child))
            return true;
    return false;
}

} // namespace xmpi
