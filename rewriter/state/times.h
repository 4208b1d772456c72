/* SPDX-License-Identifier: BSD-3-Clause
 * Which values of the loop are times that iterations add up: each process has its own, and nothing
 * is computed with them. */
#ifndef XMPI_REWRITER_TIMES_H
#define XMPI_REWRITER_TIMES_H

#include "analysis.h"
#include "ranks/rank_flow.h"

namespace xmpi
{

class Times
{
  public:
    explicit Times(Analysis &analysis)
        : analysis(analysis), clocks(followClocks(analysis, false).carried)
    {
    }

    /* PLACE, a variable or a member of it, is a time, or an array of nothing else. */
    bool are(const Place &place) const;

    /* PLACE is a struct of which some members are times, and others are not. */
    bool areAmong(const Place &place) const;

    /* The members of a struct, as places, in their order. */
    static std::vector<Place> membersOf(const Place &place);

  private:
    using Seen = std::set<const clang::Decl *>;

    Analysis &analysis;
    const Ranked clocks; /* what goes by them, and from one iteration to the next */

    bool isMadeOfTimes(const Place &place) const;
    bool asksClock(const clang::Stmt *statement, Seen &seen) const;
    bool isSetByClock(const clang::VarDecl *variable, Seen &seen) const;
};

} // namespace xmpi
#endif
