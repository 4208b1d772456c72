/* SPDX-License-Identifier: BSD-3-Clause
 * Which elements of an array have been set, by their numbers, where those and its length are known:
 * as constants, or as values before the loop in the samples of the survey. */
#ifndef XMPI_REWRITER_SET_ELEMENTS_H
#define XMPI_REWRITER_SET_ELEMENTS_H

#include "analysis.h"
#include "source/loops.h"

namespace xmpi
{

class SetElements
{
  public:
    /* From a number on, up to the one before another, for each sample. */
    using Span = std::vector<std::pair<long long, long long>>;

    SetElements(const Analysis &analysis, const clang::VarDecl *variable);

    /* Of the array that a parameter leads to nothing but the length is known: that of CALLER's. */
    void takeLength(const SetElements &caller)
    {
        length = caller.length;
    }

    /* Loops whose counters run over their numbers where they are named. */
    std::vector<CountedLoop> around;

    /* The numbers that INDEX can have. Nothing where they are not known, or other ones in each
     * iteration. */
    std::optional<Span> spanOf(const clang::Expr *index) const;

    /* The numbers of the elements that LOOP sets where each pass sets the one at INDEX. */
    std::optional<Span> setBy(const CountedLoop &loop, const clang::Expr *index) const;
    static bool isOneNumber(const std::optional<Span> &span);

    /* Elements from the first one on: COUNT of them, or bytes where BYTES tells how many each has.
     */
    std::optional<Span> beginOf(const clang::Expr *count, long long bytes) const;

    /* All that the counter of LOOP runs over has been set, whichever that is. */
    void add(const CountedLoop &loop);
    /* INDEX is a counter that runs over no more. */
    bool hasAllOf(const clang::Expr *index) const;
    /* COUNT elements from the first one on have been set, whichever that is. */
    bool hasBegin(const clang::Expr *count) const;

    /* All of SPAN has been set. */
    void add(const Span &span);
    bool has(const Span &span) const;
    bool hasAll() const;
    bool knowsLength() const
    {
        return !length.empty();
    }

  private:
    const Analysis *analysis;
    std::vector<long long> length;                   /* in each sample; empty: unknown */
    std::vector<std::map<long long, long long>> set; /* in each sample; by their begins */

    std::vector<llvm::FoldingSetNodeID> runs; /* from where to where loops have set elements */

    llvm::FoldingSetNodeID runOf(const clang::Expr *begin, const clang::Expr *end,
                                 bool closed) const;
    size_t samples() const;
    std::optional<Span> ofVariable(const clang::VarDecl *variable) const;
    std::optional<Span> ofBinary(const clang::BinaryOperator *binary) const;
};

} // namespace xmpi
#endif
