/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions of the start of which trials have seen one way alone: what has been picked by one may
 * be something else with what the program is really given. */
#ifndef XMPI_REWRITER_PICKS_H
#define XMPI_REWRITER_PICKS_H

#include "trial/trial.h"
#include <algorithm>

namespace xmpi
{

/* By their conditions, or comparisons. */
using Choices = std::set<const clang::Expr *>;

/* A backward slice (Weiser, 1981) over the source, in any order of its statements, as far as it is
 * made of what functions of the file do: what others have set was not picked here. */
class Picks
{
  public:
    Picks(const Analysis &analysis, const Lookups &lookups);

    /* Those that the value of TEXT, a place or an expression, hangs on; of a pointer, which memory
     * it leads to, and how much; of a type, the lengths in it. */
    template <class Text> Choices of(const Text &text) const;
    /* Those of VALUE where it stands: counters of loops around it are what the heads of these make
     * of them, whatever else the function uses them for. */
    Choices ofUse(const clang::Expr *value) const;

    /* EXPRESSION is one thing or another: a choice, a comparison, or what is 0 up to some number,
     * or the number itself up to another. */
    static bool picks(const clang::Expr *expression);
    /* What EXPRESSION, which is so, picks by. */
    static const clang::Expr *pickedBy(const clang::Expr *expression);

  private:
    struct Slice;
    const Analysis &analysis;
    const Lookups &lookups;
    std::map<const clang::VarDecl *, std::vector<Write>> writes;
    std::map<const clang::FunctionDecl *, std::vector<const clang::CallExpr *>> calls;

    mutable std::map<const clang::Expr *, bool> known; /* whether they are one-sided */

    bool isOneSided(const clang::Expr *condition) const;
    bool isGiven(const clang::Expr *condition) const;
    void seeGiven(Slice &slice, const Place &place) const;
    void add(Slice &slice, const clang::Expr *condition) const;
    void visit(Slice &slice, clang::QualType type) const;
    void visit(Slice &slice, const clang::Expr *value) const;
    void visitUse(Slice &slice, const clang::Expr *value) const;
    void visitParts(Slice &slice, const clang::Expr *value) const;
    const clang::ForStmt *headOf(const clang::VarDecl *counter, const clang::Stmt *place) const;
    void visit(Slice &slice, const Place &place) const;
    void visit(Slice &slice, const Write &write, const Place &place) const;
    void visit(Slice &slice, const clang::FunctionDecl *function) const;
    void visitCallers(Slice &slice, const clang::ParmVarDecl *parameter, const Place &place) const;
};

/* What the texts of an array's extents are to hang on: all that its memory does, or the places at
 * which it is used, and nothing else. */
struct Picked {
    const Picks &picks;
    Choices wanted, used;

    template <class Text> bool mayName(const Text &text) const
    {
        const Choices own = picks.of(text);
        return std::includes(wanted.begin(), wanted.end(), own.begin(), own.end());
    }
    template <class Text> void name(const Text &text)
    {
        const Choices own = picks.of(text);
        used.insert(own.begin(), own.end());
    }
    template <class Text> void want(const Text &text)
    {
        const Choices own = picks.of(text);
        wanted.insert(own.begin(), own.end());
    }
    void wantUse(const clang::Expr *value)
    {
        const Choices own = picks.ofUse(value);
        wanted.insert(own.begin(), own.end());
    }
    size_t countOf(const Place &place) const
    {
        return picks.of(place).size();
    }
    bool areAllUsed() const
    {
        return std::includes(used.begin(), used.end(), wanted.begin(), wanted.end());
    }
};

} // namespace xmpi
#endif
