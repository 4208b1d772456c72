/* SPDX-License-Identifier: BSD-3-Clause
 * Which rows of an array's storage are a process's own, by what the loop does with them. */
#ifndef XMPI_REWRITER_OWN_ROWS_H
#define XMPI_REWRITER_OWN_ROWS_H

#include "index/index_form.h"
#include "infer/infer.h"
#include "rows/reach.h"

namespace xmpi
{

/* Whether POINTER counts in elements of the size of VARIABLE's. */
bool isSameSize(const Analysis &analysis, const clang::Expr *pointer,
                const clang::VarDecl *variable);

/* It copies as many bytes as its last argument says to what its first one points to. */
bool isCopy(const clang::CallExpr *call);

class OwnRows
{
  public:
    /* DIVISION: of the rows, with the survey that it was found with. */
    OwnRows(Analysis &analysis, const Survey &survey, const Division &division,
            const LoopUses &uses);

    /* VARIABLE holds count + EXTRA rows of LENGTH elements (for each sample): how many of them are
     * ghost rows in front, as many as behind; 0 where nothing says that there are any. */
    int halo(const clang::VarDecl *variable, const Values &length, int extra) const;

    /* Where the own rows begin (for each sample), and how many rows of others there are on both
     * sides. */
    struct Borders {
        Values front;
        long long before, behind;
    };
    /* Messages bring rows of VARIABLE's neighbours to ghost rows that do not stand for them. */
    bool areExchangedOtherwise(const clang::VarDecl *variable, const Values &length,
                               const Borders &borders) const;

    /* In which row of the storage the own ones begin: stores go over as many as a process has, all
     * from there on. Nothing where none does, or some go over as many elsewhere. */
    std::optional<int> front(const clang::VarDecl *variable, const Values &length) const;

    /* How many rows a block needs for those of VARIABLE that the loop names by their places from an
     * edge of the block, as v[WIDTH + 1] or the last but one, to be own rows, and for those that it
     * leaves out at an end of the domain to lie in one block; the first own one is in row WIDTH of
     * the storage, or with WHOLE at its number. 0 where it does neither; OPEN: an index of some
     * that are as far from the edge as something says that is not known; or null. */
    struct Least {
        long long rows = 0;
        const clang::Expr *open = nullptr;
    };
    Least least(const clang::VarDecl *variable, const Values &length, int width, bool whole) const;

    /* The same for those that it tells from others by comparing the number of a row in the block,
     * as in `if (first == 0 && i < 3)`. */
    long long leastTold() const;

    /* All that the loop touches lies in the first count rows; what functions of other files touch
     * of arrays that they are given is not known. */
    bool isWithin(const clang::VarDecl *variable, const Values &length) const;

    /* Functions of other files get VARIABLE, and may touch all that it points to. */
    bool isHandedOver(const clang::VarDecl *variable) const;

    /* The loop sets the first count rows behind WIDTH, and no others. */
    bool setsInside(const clang::VarDecl *variable, const Values &length, int width) const;

    /* The loop touches rows behind the first count + EXTRA rows of the storage, or before them. */
    bool touchesMore(const clang::VarDecl *variable, const Values &length, int extra) const;

    /* Of an array with WIDTH ghost rows on each side: the loop sets as many rows as a process has,
     * but from the first or last ghost row on. */
    bool setsGhosts(const clang::VarDecl *variable, const Values &length, int width) const;

    /* ACCESS goes over as many elements of VARIABLE as a process has rows, but not over the first
     * ones, though rows have several: one field of all rows lies behind another. */
    bool isLaterField(const Access &access, const clang::VarDecl *variable,
                      const Values &length) const;

    /* The index of a store to VARIABLE of which it is not seen that it goes through rows of LENGTH
     * elements, all in one place; or null. */
    const clang::Expr *storesAcross(const clang::VarDecl *variable, const Values &length) const;

    /* What an index into VARIABLE, or a distance from its pointer, is that goes from column to
     * column of the own rows; or null. */
    const clang::Expr *stridedByCount(const clang::VarDecl *variable) const;

    /* A distance (for each sample) that the loop goes several times, or in some iterations, through
     * the memory of VARIABLE, which differs with the number of rows, but is not made of rows of
     * LENGTH elements: another array lies there. Nothing where it goes none. */
    std::optional<Values> strideApart(const clang::VarDecl *variable, const Values &length) const;

    /* The first assignment to VARIABLE, whose pointer stays where it is, goes over all that is
     * touched of it. */
    bool setsAllFirst(const clang::VarDecl *variable) const;

    /* VARIABLE holds all rows, and the loop sets some of the rows beside the process's own. */
    bool setsOthers(const clang::VarDecl *variable, const Values &length) const;

    /* VARIABLE holds all rows; each process sets its own ones, and no other. */
    bool setsOwnOnly(const clang::VarDecl *variable, const Values &length) const;

    /* What a store over the own rows of VARIABLE, behind WIDTH ghost rows, is made to that leaves
     * out the first or last ones of each block, where no other store makes them of what messages
     * have brought; or null. WHOLE: it holds all rows, and the own ones lie at their numbers. */
    const clang::Expr *leavesOut(const clang::VarDecl *variable, const Values &length, int width,
                                 bool whole = false) const;

    /* The index of a store to the first or last own rows of VARIABLE, alone, in blocks that have
     * neighbours there, where no other store leaves these out, to which it would add what is
     * missing; or null. */
    const clang::Expr *setsAgain(const clang::VarDecl *variable, const Values &length, int width,
                                 bool whole = false) const;

    /* The loop fills VARIABLE, or those that it changes places with, by messages of one process and
     * by copies of bytes, and not otherwise. */
    bool isBuffer(const clang::VarDecl *variable) const;

    /* Elements of the array of VARIABLE that the loop sets, and all that it touches, from what its
     * pointer leads to when an iteration begins; for each sample. Nothing where something else than
     * assignments and messages sets some, or not all of it is known. */
    struct Stretches {
        std::vector<Reach> set, touched;
    };
    std::optional<Stretches> stretches(const clang::VarDecl *variable) const;

  private:
    Analysis &analysis;
    const Survey &survey;
    const Division &division;
    const LoopUses &uses;
    Reaches reaches;

    using Rows = std::vector<Reach>; /* for each sample */

    using Group = std::set<const clang::VarDecl *>;

    Group group(const clang::VarDecl *variable) const;
    bool isOf(const clang::VarDecl *named, const Group &group) const;
    bool isOf(const Access &access, const Group &group) const;
    bool isOf(const Store &store, const Group &group) const;
    template <typename Element>
    std::optional<Rows> rowsOf(const Element &element, const Group &group,
                               const Values &length) const;
    template <typename Element>
    std::optional<Rows> anyRowsOf(const Element &element, const Values &length) const;
    static std::optional<Rows> inRows(std::optional<Rows> elements, const Values &length);
    bool addElements(const clang::Expr *base, const clang::Expr *index, const Group &group,
                     Rows &all) const;
    const clang::Expr *strided(const clang::VarDecl *variable, const IsCount &isNumber) const;
    std::optional<Values> followingLayout(const clang::Expr *number) const;
    bool addPointers(const clang::Stmt *statement, const Group &group, Rows &all) const;
    bool addCopies(const clang::Stmt *statement, const Group &group, Rows &all) const;
    bool addCopy(const clang::CallExpr *call, const Group &group, Rows &all) const;
    bool leadsTo(const clang::Expr *pointer, const Group &group) const;
    std::optional<Reaches::Ways> stretchOf(const clang::Expr *pointer, const clang::Expr *many,
                                           bool bytes, const Group &group) const;
    std::vector<const clang::CallExpr *> copiesInto(const Group &group) const;
    std::optional<Reaches::Ways> copiedBy(const clang::CallExpr *call, const Group &group) const;
    bool isGiven(const clang::CallExpr *call, const Group &group) const;
    bool areStoredOtherwise(const Group &same, const Values &length, const Borders &borders) const;
    bool isHandedOver(const Group &group) const;
    bool isFilled(const Group &group) const;
    bool areCrossed(const Rows &first, const Rows &last, int side, bool sent,
                    const Borders &borders) const;
    bool isCrossed(const clang::Expr *buffer, const clang::Expr *index, const clang::Expr *many,
                   const clang::Expr *peer, bool sent, const Values &length,
                   const Borders &borders) const;
    bool areGhosts(const Rows &way, const Values &length, int width) const;
    bool areAllOwn(const Rows &way, const Values &length, int width) const;
    bool copiesApart(const Group &group, const Values &length) const;
    bool isOnOneSide(const Rows &way, const Values &length) const;
    bool isCopiedBack(const Group &group, const Values &length, int width) const;
    bool isUnpacked(const Group &group, const Values &length, int width) const;
    bool isReceived(const clang::Expr *value, bool elements = true) const;
    struct Left {
        long long before = -1, behind = -1;
    };
    Left leftOut(const Rows &rows, int width, bool whole) const;
    struct Edge { /* that of blocks whose first own row is in row WIDTH, or at its number */
        bool first;
        int width;
        bool whole;
    };
    Reach ownAt(const Edge &edge, size_t sample) const;
    bool hasNeighbour(const Edge &edge, size_t sample) const;
    /* Those of VARIABLE, or what it is exchanged with, that STORE sets. */
    std::optional<Rows> rowsAlike(const Store &store, const clang::VarDecl *variable,
                                  const Values &length) const;
    bool isAtOnePlace(const Rows &rows, const Edge &edge) const;
    bool isForSome(const Store &store) const;
    bool isAlone(const Rows &rows, const Edge &edge, bool onePlace) const;
    bool isAtEither(const Rows &rows, int width, bool whole) const;
    bool addsNothing(const Store &store, size_t sample) const;
    bool isAlike(const Store &store, const Store &between, const Edge &edge) const;
    bool isLeftOut(const Rows &rows, const Edge &edge, bool shifted) const;
    bool isLeftOutByCopies(const Group &group, const Values &length, const Edge &edge) const;
    bool isLeftOut(const Store &store, const Group &group, const Values &length,
                   const Edge &edge) const;
    Left leftOutWithin(const Rows &rows, std::optional<long long> from) const;
    using Windows = std::map<std::pair<size_t, long long>, Reach>;
    Windows windowsOf(const Rows &rows, std::optional<long long> from) const;
    bool isIn(const RequestBuffer &buffer, const Group &group) const;
    bool isStarted(const clang::CallExpr *call, const Group &group) const;
    bool covers(const Rows &rows, long long from) const;
    bool coversWindow(const Rows &rows, long long from) const;
    long long leastFor(const Rows &rows, int width, bool whole) const;
    /* A block, how far it is from the domain's end, and rows that are left out there, and at its
     * other edge. */
    struct AtEdge {
        long long count, away, out, beyond;
    };
    std::vector<AtEdge> atEdge(const Rows &rows, const Edge &edge) const;
    long long leastTold(const Rows &numbers, const Rows &bounds) const;
    long long leastTold(const clang::Expr *number, const clang::Expr *bound) const;
    bool isFirst(const clang::Expr *number) const;
    bool isCount(const clang::Expr *number) const;
    bool isNumbered(const clang::Expr *expression, const clang::Stmt *body, int depth) const;
    bool isAnywhere(const Access &access) const;
    bool goesByRank(const clang::Expr *expression, const clang::Stmt *body,
                    std::set<const clang::VarDecl *> &seen) const;
    bool isByRank(const clang::Expr *condition) const;
    bool hasRank(const clang::Expr *condition, const clang::Stmt *part) const;
    bool isUnderRank(const clang::Stmt *part, const clang::Stmt *body, int calls) const;
    std::optional<long long> leastOf(const Rows &rows, const Edge &edge) const;
    void addHanded(const clang::CallExpr *call, const clang::Stmt *body, const Group &group,
                   const Values &length, const Edge &edge, Least &least) const;
    void addStepped(const clang::Stmt *body, const clang::VarDecl *variable, Least &least) const;
    bool isInRows(const clang::Stmt *part, const clang::Stmt *body) const;
    bool areAtAnyPlace(const Rows &rows, const Edge &edge) const;
    std::optional<long long> leftAtEnd(const Rows &rows, const Edge &edge) const;
    /* All stores to GROUP together set the own rows, which begin in row FROM, and no others. */
    bool coverTogether(const Group &group, const Values &length, long long from) const;
    bool areOwn(const Rows &rows) const;
    template <typename Element>
    bool areInside(const std::vector<Element> &elements, const Group &group, const Values &length,
                   int width) const;
    bool isInside(const Group &group, const Values &length, int width) const;
    bool isReceivedOnly(const Group &group, bool orCopied = false) const;
};

} // namespace xmpi
#endif
