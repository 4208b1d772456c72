/* SPDX-License-Identifier: BSD-3-Clause
 * What is known at one place of the program about values that differ from rank to rank, and what
 * pointers point to. */
#ifndef XMPI_REWRITER_RANK_STATE_H
#define XMPI_REWRITER_RANK_STATE_H

#include "rank_flow.h"

namespace xmpi
{

struct State {
    Ranked ranked;
    bool dead = false; /* no way leads here */

    void merge(const State &other);
};

/* The variables of the program with their STATE. */
class RankState
{
  public:
    RankState(Analysis &analysis, const std::set<const clang::VarDecl *> &distributed, Cause cause)
        : cause(cause), analysis(analysis), distributed(distributed)
    {
    }

    State state;

    static const clang::VarDecl *baseOf(const Place &place)
    {
        return place.base->getCanonicalDecl();
    }

    /* VARIABLE, and what it may point to. */
    std::set<const clang::VarDecl *> pointees(const clang::VarDecl *variable) const;
    bool differs(const Place &place) const;

    /* PLACE has a value that differs where RANKED; WHOLE: it has no other than that. */
    void set(const Place &place, bool ranked, bool whole, clang::SourceLocation where);
    void clear(const clang::VarDecl *variable, const clang::FieldDecl *field);

    /* POINTER is assigned VALUE. */
    void point(const clang::VarDecl *pointer, const clang::Expr *value);
    /* It points to nothing known; whether it points to something known. */
    void unpoint(const clang::VarDecl *pointer)
    {
        targets.erase(pointer);
    }
    bool points(const clang::VarDecl *pointer) const
    {
        return targets.count(pointer) != 0;
    }

  protected:
    const Cause cause;

  private:
    Analysis &analysis;
    const std::set<const clang::VarDecl *> &distributed;
    std::map<const clang::VarDecl *, std::set<const clang::VarDecl *>> targets;

    std::vector<Place> membersOf(const Place &place) const;
    bool holds(const clang::VarDecl *variable, const clang::FieldDecl *field) const;
    bool differsAlways(const Place &place, const clang::VarDecl *variable, bool contents) const;
};

} // namespace xmpi
#endif
