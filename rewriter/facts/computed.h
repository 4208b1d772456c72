/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of the range that a program computes wherever it needs them, as in n / size. Each is a
 * variable that nobody sees, of which the expression is the initializer. */
#ifndef XMPI_REWRITER_COMPUTED_H
#define XMPI_REWRITER_COMPUTED_H

#include "analysis.h"

namespace xmpi
{

inline const clang::Expr *computedBy(const RangeVariable &range)
{
    const bool nobodys =
        range.place.base->getDeclContext()->isTranslationUnit() && range.place.base->isImplicit();
    return nobodys ? range.place.base->getInit() : nullptr;
}

/* What EXPRESSION is of the range; null: nothing that is known. */
inline const RangeVariable *computedAt(const Analysis &analysis, const clang::Expr *expression)
{
    expression = expression->IgnoreParenCasts();
    for (const RangeVariable &range : analysis.ranges)
        if (computedBy(range) == expression)
            return &range;
    return nullptr;
}

} // namespace xmpi
#endif
