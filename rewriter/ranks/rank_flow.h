/* SPDX-License-Identifier: BSD-3-Clause
 * Which values may differ from rank to rank, and how they follow the division of the rows: followed
 * through the prologue and the loop, statement by statement, with the functions of the file that
 * they call. */
#ifndef XMPI_REWRITER_RANK_FLOW_H
#define XMPI_REWRITER_RANK_FLOW_H

#include "analysis.h"
#include "flow/form.h"

namespace xmpi
{

/* What makes values differ that is followed: the rank, and what depends on it; clocks, and who or
 * where a process is, which differ from run to run as well; or that they name something of one
 * process. */
enum class Cause { Rank, Clock, Handle };

/* A variable or a member of it; what a pointer points to counts with the pointer. */
using Holder = std::pair<const clang::VarDecl *, const clang::FieldDecl *>;

/* What differs, with the place where it came to differ. */
using Ranked = std::map<Holder, clang::SourceLocation>;

/* PLACE, a variable or member, is among RANKED. */
inline bool isRankedAt(const Ranked &ranked, const Place &place)
{
    const clang::VarDecl *base = place.base->getCanonicalDecl();
    return ranked.count({base, nullptr}) != 0 || ranked.count({base, place.field}) != 0;
}

/* What is wrong after a reconfiguration. */
struct Misuse {
    Problem problem;
    clang::SourceLocation where;
    std::string what, by;
    std::string advice = ""; /* beside what is advised for all */
};

/* Where ghost rows are read, and how many rows a loop over own rows reads beside one another. */
struct Unfilled {
    clang::SourceLocation where;
    int reach = 1;
};

struct RankFlow {
    Ranked atEntry; /* when the loop is entered */
    Ranked carried; /* from one iteration to the next */
    /* The same on all ranks when the loop is entered, and another one in another layout: the
     * largest count, a table of who has which row. */
    std::map<Holder, Form> agreed;
    std::map<Holder, Form> ofLayout; /* another one in another layout when the loop is entered */
    /* How PLACE, or what it is a member of, is among these; or null. */
    const Form *layoutAt(const Place &place) const;
    /* That an iteration makes follow the layout, as it ends; where the program starts over, also
     * those that have done so before. */
    std::map<Holder, Form> forms;
    std::map<Holder, Form> behind; /* the same, that what follows the loop makes */
    /* What came to differ as it is set on some ranks only, or not as often on all. */
    std::set<const clang::VarDecl *> guided;
    const clang::Stmt *leaving = nullptr; /* by which some ranks jump on in an iteration; or null */
    std::map<Holder, Form> sums; /* how what each process has added up is when an iteration ends */
    /* What a loop around puts places in the block into. */
    std::set<const clang::VarDecl *> numbered;
    /* How many rows of arrays each iteration fills by messages, and the arrays whose ghost rows are
     * read before the iteration has filled them. */
    std::map<const clang::VarDecl *, int> filled;
    std::map<const clang::VarDecl *, Unfilled> unfilled;
    /* Arrays of which the end of an iteration sets own rows that nobody is sent, and where. */
    std::map<const clang::VarDecl *, clang::SourceLocation> changed;
    /* In the loop, or behind it, a random number is drawn from a state of the library, which nobody
     * sees and which goes on from one row or iteration to the next; or null. */
    const clang::CallExpr *drawn = nullptr;
    /* Before the loop one is drawn, or they begin anew, on some ranks only, not as often on all, or
     * in another way in another layout; or null. */
    const clang::CallExpr *drawnApart = nullptr;
    /* Calls of functions of other files around the loop, by their names: what is BY one of them is
     * right where the linked program shows that it goes by its arguments. */
    std::map<std::string, const clang::CallExpr *> outside;
    std::vector<Misuse> misuses; /* in the loop, and in what follows it */
    std::vector<Misuse> printed; /* there: what is told of the blocks */
    /* Before the loop, of arrays that are divided by rows. */
    std::vector<std::pair<const clang::VarDecl *, Misuse>> made;
};

/* What follows from clocks; so do values of functions of other files, of which nobody knows better,
 * with UNSEEN. */
struct ClockFlow {
    Ranked values;  /* at the begin of an iteration */
    Ranked carried; /* from one iteration to the next, by clocks that an iteration asks */
    const clang::Stmt *steered = nullptr; /* a condition in the loop that they decide, or null */
};
ClockFlow followClocks(Analysis &analysis, bool unseen);

/* Numbers of descriptors and processes, handles and addresses as integers. */
struct HandleFlow {
    Ranked atEntry; /* when the loop is entered */
    Ranked carried; /* from one iteration to the next */
};
HandleFlow followHandles(Analysis &analysis);

/* DISTRIBUTED: the variables that hold distributed arrays, whose elements always differ. */
RankFlow followRanks(Analysis &analysis, const std::set<const clang::VarDecl *> &distributed);

} // namespace xmpi
#endif
