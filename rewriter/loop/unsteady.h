/* SPDX-License-Identifier: BSD-3-Clause
 * What a start of the program does not make as it was, where its adaptive loop is entered again or
 * is not the only one: the start comes to the loop for the first time, and leaves other adaptive
 * loops at their first iteration. */
#ifndef XMPI_REWRITER_UNSTEADY_H
#define XMPI_REWRITER_UNSTEADY_H

#include "facts/pointer_targets.h"

namespace xmpi
{

/* What runs in loops around the adaptive one, but for that itself, and from an earlier adaptive
 * loop on: between a start's first time at the loop and any other time there. */
std::vector<const clang::Stmt *> statementsApart(const Analysis &analysis);

class Unsteady
{
  public:
    /* CHANGED: what iterations of the loop change. */
    Unsteady(Analysis &analysis, const PointerTargets &targets,
             const std::set<const clang::VarDecl *> &changed);

    /* Outside of the loop, whose effects are of another time than the start's: what runs in loops
     * around it, and from an earlier adaptive loop on, but for what comes to the same whenever it
     * runs. */
    struct Part {
        const clang::Stmt *statement;
        bool made;                /* the start runs it as well */
        const clang::Stmt *outer; /* the outermost loop around; or null */
        Effects effects;          /* with those of the functions that it calls */
        bool unsteady = false;
    };
    std::vector<Part> parts; /* those of which not even that is known are left out */

    /* Parameters of the functions on the way to the loop that may have another value than in the
     * start. */
    std::set<const clang::VarDecl *> parameters;

    /* A pointer that may be handed on towards the loop with another array than in the start; or
     * null. */
    const clang::Expr *otherArray = nullptr;

  private:
    Analysis &analysis;
    const PointerTargets &targets;
    std::set<const clang::VarDecl *> other; /* may be something else than the start has made */
    std::set<const clang::VarDecl *> moved; /* pointers that may lead to something else */
    size_t apart = SIZE_MAX;                /* from this step on calls are of another time */
    const bool jumps;

    bool canJump() const;
    void add(const clang::Stmt *statement, const Effects &effects, bool made,
             const clang::Stmt *outer);
    void addBehind(Effects &effects) const;
    void addPrologue();
    void addAround(size_t step);
    bool isSteady(const Part &part) const;
    bool isHidden(const Part &part, const clang::VarDecl *variable) const;
    bool keeps(const Part &part, const clang::VarDecl *variable) const;
    bool reads(const Part &part, const Mention &mention) const;
    void addWritten(const Effects &effects);
    void addWritten(const Write &write);
    bool passesOn(size_t step);
    bool leadsElsewhere(const clang::Expr *argument) const;
};

} // namespace xmpi
#endif
