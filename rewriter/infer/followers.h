/* SPDX-License-Identifier: BSD-3-Clause
 * What follows the layout before the loop, statement by statement, and what statements of the
 * prologue do with it. */
#ifndef XMPI_REWRITER_FOLLOWERS_H
#define XMPI_REWRITER_FOLLOWERS_H

#include "infer/infer.h"

namespace xmpi
{

/* At one statement of the prologue, the one at INDEX: who goes through them keeps it so. */
class Followers
{
  protected:
    struct Known {
        Place place;
        bool setup; /* set by a setup statement */
    };

    Analysis &analysis;
    const Inference &inference;
    size_t index = 0;
    std::vector<Known> ranked;  /* depend on the rank, size or range */
    std::vector<Place> skipped; /* pointers that initial statements set */

    Followers(Analysis &analysis, const Inference &inference)
        : analysis(analysis), inference(inference)
    {
    }

    bool isRanked(const Place &place) const;
    bool isRanked(const clang::Expr *expression) const;

    /* The trials know its value: whether it follows the layout is seen there. */
    bool isTried(const Place &place) const;
    bool isRanked(const Write &write) const;

    /* WRITE, in a function, fills a table of the parts of all ranks. */
    bool holdsParts(const Write &write) const;

    /* A member for which a function has made memory of a size, or that it has set to a number, that
     * follows the layout. */
    bool followsRange(const Place &place) const;
    bool isDataPointer(const Place &place) const;

    /* -- what a statement sets, and reads */
    bool fillsData(const Effects &effects) const;

    /* The memory as well, as a function does that makes a field: joining processes make theirs. */
    bool makesWhatItFills(const Effects &effects) const;

    /* Fills an array that is not registered and used later: every process makes it for itself. */
    bool fillsOther(const Effects &effects) const;

    /* Sets something that is used later from what a reconfiguration changes. */
    bool dependsOnLayout(const Effects &effects) const;
    bool setsFromLayout(const Effects &effects, const Write &write) const;

    /* The size of memory, say. */
    bool isNamedLater(const Place &place) const;
    bool isReadLater(const Place &place) const;

    /* Makes room for registered arrays, whatever their size is computed from. */
    bool allocatesData(const Effects &effects) const;

    /* The number of entries of a sparse matrix is in its row pointers. */
    bool readsData(const Effects &effects) const;

    /* Reads what setup sets; without VALUES, what is behind its pointers. */
    bool readsRanked(const Effects &effects, bool values) const;

    /* The range is written by reconfigurations. */
    bool setsRangeOnly(const Effects &effects) const;

    /* Sets the range and makes the rows, which move: nothing of it would be right a second time. */
    bool dividesRows(const Effects &effects) const;

    /* A variable that the statement sets anew, first and in any case, starts afresh. */
    void forget(const Item &item);
    bool readsSkipped(const Effects &effects) const;

    /* -- whether a second run comes to the same */

    /* Its value before takes part: a second run would not come to the same. */
    bool accumulates(const Effects &effects) const;

    /* Where the statement at hand runs again and again, something sets PLACE each time before. */
    bool isSetInLoop(const Place &place) const;
    std::vector<Place> sumsIn(const Effects &effects) const;

    /* It fills tables of all ranks' parts, gathered anew, and nothing else that is used later. */
    bool makesTables(const Effects &effects) const;

    /* Set on some ranks only: a second run, on another rank, would leave the old value. */
    bool isPartial(const Effects &effects, const std::vector<Place> &sums) const;
    bool isSetSometimes(const Effects &effects, const Write &write,
                        const std::vector<Place> &sums) const;

    /* A value that one rank has and a later statement hands to all. */
    bool isInput(const Effects &effects) const;
};

} // namespace xmpi
#endif
