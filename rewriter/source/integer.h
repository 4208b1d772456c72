/* SPDX-License-Identifier: BSD-3-Clause
 * The value of an expression that is constant, where it is an integer of everyday size. */
#ifndef XMPI_REWRITER_INTEGER_H
#define XMPI_REWRITER_INTEGER_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <optional>

namespace xmpi
{

/* Nothing where EXPRESSION is not constant, no integer, or has side effects; or where its value is
 * not one of long long's (as 0x9e3779b97f4a7c15 of hash functions is not). */
inline std::optional<long long> constantInteger(const clang::Expr *expression,
                                                const clang::ASTContext &context)
{
    clang::Expr::EvalResult result;
    if (expression->isValueDependent() || !expression->getType()->isIntegerType() ||
        !expression->EvaluateAsInt(result, context) || result.HasSideEffects ||
        !result.Val.getInt().isRepresentableByInt64())
        return std::nullopt;
    return static_cast<long long>(result.Val.getInt().getExtValue());
}

} // namespace xmpi
#endif
