/* SPDX-License-Identifier: BSD-3-Clause
 * What a loop counts, and what goes along with its counter. */
#ifndef XMPI_REWRITER_OWN_LOOPS_H
#define XMPI_REWRITER_OWN_LOOPS_H

#include "analysis.h"
#include "flow/form.h"

namespace xmpi
{

/* for (counter = ...; counter < BOUND; counter += STEP), or a while loop that is the same. */
struct Counting {
    const clang::VarDecl *counter = nullptr; /* null: it does not count */
    const clang::Expr *bound = nullptr;
    const clang::Expr *step = nullptr; /* null: 1 */
    bool single = true;                /* in steps of 1 or -1 */
    bool falls = false;                /* from the last one to the first */
    long long most = 0;                /* how far it goes beyond what is in BOUND */
    bool plain = false;                /* BOUND is that, and a constant more or less */
    const clang::Expr *bare = nullptr; /* BOUND without a constant; null: no bound of a range */
};

Counting countingOf(const Analysis &analysis, const clang::Stmt *loop);

/* What a counter runs through, from what it is at first to its bound; UP: in so many at a time, 0
 * where that is not known. */
Form countedForm(const Form &begin, const Form &end, const Form &step, bool single, int up);

/* LOOP, over own rows up to END, begins and ends with constants, beside the first row's number
 * perhaps, by which it does not go through as many as there are. */
bool leavesOut(const Analysis &analysis, const Counting &counting, const Form &end,
               const clang::Stmt *loop);

/* A loop from BEGIN, one of the first own rows, to END may begin behind those. */
bool beginsLate(const Analysis &analysis, const Counting &counting, const Form &begin,
                const Form &end);

/* LOOP, from BEGIN to END, goes through as many as there are own rows, but for constants: its first
 * one, seen from the first own row, and its last one, seen from the row behind the last; nothing
 * where it does not. */
std::optional<std::pair<long long, long long>> spanOf(const Analysis &analysis,
                                                      const Counting &counting, const Form &begin,
                                                      const Form &end, const clang::Stmt *loop);

/* A variable to which an iteration of LOOP adds the same each time, more or less often than once
 * unless it does so ONCE; or, VARIED, other numbers, and keeps the sum so far in an array: where
 * the entries of a row begin among those of all own rows. */
struct Induced {
    const clang::VarDecl *variable;
    const clang::Expr *step; /* null: 1 */
    bool negative, once;
    bool sometimes; /* whether it does so follows something */
    bool varied;
};

std::vector<Induced> inducedBy(const Analysis &analysis, const clang::Stmt *loop,
                               const clang::VarDecl *counter);

/* Arrays of which LOOP sets elements that its COUNTER, or what goes along with it, chooses. */
std::set<const clang::VarDecl *> setAlong(const clang::Stmt *loop, const clang::VarDecl *counter,
                                          const std::vector<Induced> &induced);

} // namespace xmpi
#endif
