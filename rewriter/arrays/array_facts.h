/* SPDX-License-Identifier: BSD-3-Clause
 * What happens to an array of the loop from where it is made to where it is used last. */
#ifndef XMPI_REWRITER_ARRAY_FACTS_H
#define XMPI_REWRITER_ARRAY_FACTS_H

#include "facts/uses.h"
#include "infer/infer.h"
#include "rows/own_rows.h"

namespace xmpi
{

class ArrayFacts
{
  public:
    ArrayFacts(Analysis &analysis, const Inference &inference);

    LoopUses uses;
    std::unique_ptr<OwnRows> own; /* null where no division is known */

    /* A pointer to plain objects, alive and visible where the loop is, of which the user says
     * nothing.
     */
    bool isCandidate(const clang::VarDecl *variable) const;
    /* The same at STEP of the way to the loop. */
    bool isCandidateAt(const clang::VarDecl *variable, const Step &step) const;

    /* The loop gives it memory of another size. */
    bool isResized(const clang::VarDecl *variable) const;

    /* The program's start makes room for it, and each iteration what is in it. */
    bool isMadeByStart(const clang::VarDecl *variable);

    /* Each iteration sets it before it reads it. */
    bool isScratch(const clang::VarDecl *variable);
    /* It changes places with others: what iterations leave of it, at the edges, another one has. */
    bool isExchanged(const clang::VarDecl *variable) const;

    /* The loop names elements of it. */
    bool isAccessed(const clang::VarDecl *variable) const;

    /* Fluxes through the faces between rows: nothing of them outlasts an iteration, and what makes
     * room for them is run again. */
    bool isMadeInIteration(const clang::VarDecl *variable);

    /* Filled by something that joining processes do not run, or on some ranks only. */
    bool isFilledInitially(const clang::VarDecl *variable) const;

    bool isSameAsAny(const std::set<const clang::VarDecl *> &others,
                     const clang::VarDecl *variable) const;

    /* VARIABLE, or a variable of a caller that is passed on for it. */
    bool isSame(const clang::VarDecl *other, const clang::VarDecl *variable) const;

    /* Messages of an iteration fill it. A process without a neighbour keeps what the prologue has
     * put there, which each layout needs anew: nothing comes from MPI_PROC_NULL. */
    bool isReceived(const clang::VarDecl *variable) const;

    /* Behind the loop, and not only to be freed. */
    bool isUsedAfter(const clang::VarDecl *variable) const;

    /* A loop around sets elements of it, beside what the adaptive loop does, which a later
     * iteration of that loop reads, or what follows it: joining processes have not run those
     * before. */
    bool isKeptAround(const clang::VarDecl *variable) const;

    /* Of a program that starts over: elements of it are set outside of the loop when the start has
     * come there already. */
    bool isSetApart(const clang::VarDecl *variable) const;

    /* It is set in the adaptive loop, or kept around it. */
    bool isChanged(const clang::VarDecl *variable) const;

  private:
    Analysis &analysis;
    const Survey &survey;

    bool isSetBy(const clang::Stmt *statement, const clang::VarDecl *variable) const;
    bool isReadBehind(const clang::Stmt *outer, const clang::VarDecl *variable) const;

    bool isMarked(const clang::VarDecl *variable) const;
};

} // namespace xmpi
#endif
