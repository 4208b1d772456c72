/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at how indices are written. */
#include "index/index_form.h"
#include "facts/computed.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

static bool isCount(const Analysis &analysis, const LoopUses &uses, const Expr *expression);
static bool varies(Analysis &analysis, const LoopUses &uses, const Expr *expression);
static bool isName(Analysis &, const LoopUses &, const Effects &inside, const Write &write);

/* count * something: columns of a local block. */
bool isStridedByCount(Analysis &analysis, const LoopUses &uses, const Stmt *index)
{
    const auto *binary = dyn_cast<BinaryOperator>(index);
    if (binary != nullptr && binary->getOpcode() == BO_Mul &&
        ((isCount(analysis, uses, binary->getLHS()) && varies(analysis, uses, binary->getRHS())) ||
         (isCount(analysis, uses, binary->getRHS()) && varies(analysis, uses, binary->getLHS()))))
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
    auto sets = std::count_if(inside.writes.begin(), inside.writes.end(), [&](const Write &other) {
        return overlap(other.place, write.place);
    });
    return write.how == Write::How::Declared && sets == 1 && write.value != nullptr &&
           !varies(analysis, uses, write.value);
}

static bool isCount(const Analysis &analysis, const LoopUses &uses, const Expr *expression)
{
    const Expr *bare = expression->IgnoreParenCasts();
    return (isa<DeclRefExpr>(bare) || isa<MemberExpr>(bare) || computedAt(analysis, bare)) &&
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
    for (const Stmt *child : index->children())
        if (child != nullptr && hasOffset(analysis, uses, child))
            return true;
    return false;
}

} // namespace xmpi
