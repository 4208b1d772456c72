/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays of which not the size tells how rows lie, but what the loop does with them. */
#ifndef XMPI_REWRITER_ROWS_BY_USE_H
#define XMPI_REWRITER_ROWS_BY_USE_H

#include "rows/own_rows.h"

namespace xmpi
{

/* Where the own rows of an array are. */
struct RowsByUse {
    Values length; /* of a row, in elements; also of one that a pointer leads to */
    /* Where they are, or the pointers to them: other arrays may be there, too. */
    const void *block = nullptr;
    std::set<const void *> leads; /* where pointers lead to */
    bool numbered = false;        /* each has its number among all as its index */
    bool whole = false;           /* there, and in memory, too: an array of all rows */
    long long front = 0; /* rows in front of the first own one, in memory where they are numbered */
    long long before = 0; /* rows in front of the own ones that the loop touches, too */
    long long behind = 0; /* the same behind them */
};

/* Of an array of all rows where they are: the process's own are behind FRONT and as many others as
 * there are in front of them in the domain. */
struct RowsAmongAll {
    Values length; /* of a row, in elements */
    long long front = 0;
    long long before = 0, behind = 0; /* rows beside the own ones that the loop touches, too */
};

class RowsByUseFinder
{
  public:
    RowsByUseFinder(Analysis &analysis, const Survey &survey, const Division &division,
                    const OwnRows &own)
        : analysis(analysis), survey(survey), division(division), own(own)
    {
    }

    /* How rows of VARIABLE lie; nothing where the loop does not show it, where they are not all in
     * one piece of memory of known size, or where the loop reaches some of them otherwise. */
    std::optional<RowsByUse> find(const clang::VarDecl *variable);

    /* The same of rows that the start has let the pointers of VARIABLE lead to, whatever the loop
     * does with them: as many pointers as there are own rows, perhaps with others beside them. */
    std::optional<RowsByUse> findPointers(const clang::VarDecl *variable);

    /* Where the own rows of VARIABLE are, which leads to ELEMENTS of them on all processes; nothing
     * where the loop does not show it, or reaches some otherwise. */
    std::optional<RowsAmongAll> findAmongAll(const clang::VarDecl *variable,
                                             const Values &elements);

  private:
    Analysis &analysis;
    const Survey &survey;
    const Division &division;
    const OwnRows &own;

    OwnRows::Borders bordersOf(const RowsByUse &rows) const;
    bool place(const OwnRows::Stretches &all, RowsByUse &rows) const;
    bool shift(const Values &at, RowsByUse &rows) const;
    bool placeAmongAll(const OwnRows::Stretches &all, long long extra, RowsAmongAll &rows) const;
    bool hasRoom(const clang::VarDecl *variable, RowsByUse &rows) const;
    bool isAlone(const clang::VarDecl *variable, const OwnRows::Stretches &all) const;
    bool isLast(const clang::VarDecl *variable, const RowsByUse &rows) const;
    bool hasRows(const clang::VarDecl *variable, RowsByUse &rows);
    std::optional<long long> lengthOfRows(const clang::VarDecl *variable, size_t sample,
                                          const RowsByUse &rows);

    std::set<const void *> rowBlocks; /* of an array of pointers: what these lead to */
};

} // namespace xmpi
#endif
