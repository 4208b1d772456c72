/* SPDX-License-Identifier: BSD-3-Clause */
#include "index/set_elements.h"
#include "facts/storage.h"
#include "source/integer.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

SetElements::SetElements(const Analysis &analysis, const VarDecl *variable) : analysis(&analysis)
{
    if (const auto *array = analysis.context.getAsConstantArrayType(variable->getType())) {
        length.assign(samples(), static_cast<long long>(array->getSize().getLimitedValue()));
    } else if (variable->getType()->isPointerType() && analysis.survey != nullptr) {
        const QualType element = variable->getType()->getPointeeType();
        const std::optional<Values> all =
            element->isVoidType() || element->isFunctionType()
                ? std::nullopt
                : elementsOf(analysis, *analysis.survey, variable, nullptr);
        /* what a part in each process leaves out is its ghost rows, and not asked for here */
        if (all && all->size() == samples() && isLayoutFree(*analysis.survey, *all))
            length = *all;
    }
}

size_t SetElements::samples() const
{
    return analysis->survey == nullptr ? 1 : std::max<size_t>(1, analysis->survey->samples.size());
}

std::optional<SetElements::Span> SetElements::spanOf(const Expr *index) const
{
    if (std::optional<long long> known = constantInteger(index, analysis->context))
        return Span(samples(), {*known, *known + 1});
    index = index->IgnoreParenCasts();
    if (const VarDecl *variable = variableIn(index))
        return ofVariable(variable);
    const auto *binary = dyn_cast<BinaryOperator>(index);
    return binary != nullptr ? ofBinary(binary) : std::nullopt;
}

std::optional<SetElements::Span> SetElements::ofVariable(const VarDecl *variable) const
{
    for (const CountedLoop &loop : around) {
        if (loop.counter != variable)
            continue;
        const std::optional<Span> begin = spanOf(loop.begin), end = spanOf(loop.end);
        if (!begin || !end)
            return std::nullopt;
        Span span;
        for (size_t i = 0; i < samples(); i++)
            span.emplace_back((*begin)[i].first, (*end)[i].second - (loop.closed ? 0 : 1));
        return span;
    }
    const auto sets = [&](const Effects &effects) {
        return llvm::any_of(effects.writes, [&](const Write &write) {
            return write.place.base->getCanonicalDecl() == variable;
        });
    };
    if (analysis->survey == nullptr || !isa<VarDecl>(variable) || sets(analysis->inLoop) ||
        llvm::any_of(analysis->after, sets))
        return std::nullopt;
    const std::optional<Values> values = analysis->survey->valuesOf(Cell{variable});
    if (!values || values->size() != samples())
        return std::nullopt;
    Span span;
    for (const long long value : *values)
        span.emplace_back(value, value + 1);
    return span;
}

std::optional<SetElements::Span> SetElements::setBy(const CountedLoop &loop,
                                                    const Expr *index) const
{
    const auto *binary = dyn_cast<BinaryOperator>(index->IgnoreParenCasts());
    const bool moved =
        binary != nullptr &&
        (binary->getOpcode() == BO_Add ||
         (binary->getOpcode() == BO_Sub && variableIn(binary->getLHS()) == loop.counter));
    const Expr *by = !moved                                         ? nullptr
                     : variableIn(binary->getLHS()) == loop.counter ? binary->getRHS()
                     : variableIn(binary->getRHS()) == loop.counter ? binary->getLHS()
                                                                    : nullptr;
    if (by == nullptr ? variableIn(index) != loop.counter : !isOneNumber(spanOf(by)))
        return std::nullopt;
    SetElements inside = *this;
    inside.around.push_back(loop);
    return inside.spanOf(index);
}

bool SetElements::isOneNumber(const std::optional<Span> &span)
{
    return span && llvm::all_of(*span, [](const std::pair<long long, long long> &one) {
               return one.second == one.first + 1;
           });
}

/* X + Y, X - Y, X * Y and X % Y, where each is at least 0 and Y of the last one is one number. */
std::optional<SetElements::Span> SetElements::ofBinary(const BinaryOperator *binary) const
{
    const std::optional<Span> right = spanOf(binary->getRHS());
    const auto isOne = [](const std::pair<long long, long long> &one) {
        return one.second == one.first + 1;
    };
    const auto isNegative = [](const std::pair<long long, long long> &one) {
        return one.first < 0;
    };
    if (!right || llvm::any_of(*right, isNegative))
        return std::nullopt;
    Span span;
    if (binary->getOpcode() == BO_Rem) {
        for (const auto &one : *right)
            span.emplace_back(0, one.first);
        return isOneNumber(right) ? std::optional<Span>(span) : std::nullopt;
    }
    const std::optional<Span> left = spanOf(binary->getLHS());
    if (!left || llvm::any_of(*left, isNegative))
        return std::nullopt;
    for (size_t i = 0; i < samples(); i++) {
        const auto &[a, b] = (*left)[i];
        const auto &[c, d] = (*right)[i];
        if (binary->getOpcode() == BO_Add)
            span.emplace_back(a + c, b + d - 1);
        else if (binary->getOpcode() == BO_Sub)
            span.emplace_back(a - (d - 1), b - c);
        else if (binary->getOpcode() == BO_Mul && isOne((*left)[i]) && isOne((*right)[i]))
            span.emplace_back(a * c, a * c + 1);
        else
            return std::nullopt;
    }
    return span;
}

std::optional<SetElements::Span> SetElements::beginOf(const Expr *count, long long bytes) const
{
    std::optional<Span> span = spanOf(count);
    if (!isOneNumber(span))
        return std::nullopt;
    for (auto &one : *span)
        one = {0, one.first / bytes};
    return span;
}

void SetElements::add(const Span &span)
{
    set.resize(samples());
    for (size_t i = 0; i < samples(); i++) {
        auto [from, to] = span[i];
        if (from >= to)
            continue;
        auto &own = set[i];
        for (auto at = own.begin(); at != own.end();) {
            if (at->second < from || at->first > to) {
                ++at;
                continue;
            }
            from = std::min(from, at->first);
            to = std::max(to, at->second);
            at = own.erase(at);
        }
        own[from] = to;
    }
}

llvm::FoldingSetNodeID SetElements::runOf(const Expr *begin, const Expr *end, bool closed) const
{
    llvm::FoldingSetNodeID run;
    const std::optional<long long> first =
        begin != nullptr ? constantInteger(begin, analysis->context) : 0;
    if (first)
        run.AddInteger(*first);
    else
        begin->IgnoreParenImpCasts()->Profile(run, analysis->context, true);
    end->IgnoreParenImpCasts()->Profile(run, analysis->context, true);
    run.AddBoolean(closed);
    return run;
}

void SetElements::add(const CountedLoop &loop)
{
    runs.push_back(runOf(loop.begin, loop.end, loop.closed));
}

bool SetElements::hasAllOf(const Expr *index) const
{
    return llvm::any_of(around, [&](const CountedLoop &loop) {
        return variableIn(index) == loop.counter &&
               llvm::is_contained(runs, runOf(loop.begin, loop.end, loop.closed));
    });
}

bool SetElements::hasBegin(const Expr *count) const
{
    return llvm::is_contained(runs, runOf(nullptr, count, false));
}

bool SetElements::has(const Span &span) const
{
    for (size_t i = 0; i < samples() && !set.empty(); i++) {
        const auto &[from, to] = span[i];
        const auto next = set[i].upper_bound(from);
        if (from < to && (next == set[i].begin() || std::prev(next)->second < to))
            return false;
    }
    return !set.empty();
}

bool SetElements::hasAll() const
{
    Span all;
    for (const long long one : length)
        all.emplace_back(0, one);
    return knowsLength() && has(all);
}

} // namespace xmpi
