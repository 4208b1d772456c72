/* SPDX-License-Identifier: BSD-3-Clause
 * Values that a statement before the loop computes from elements of registered arrays: what they
 * were cannot be had again once the loop has changed the arrays. */
#ifndef XMPI_REWRITER_DERIVED_H
#define XMPI_REWRITER_DERIVED_H

#include "ranks/rank_flow.h"
#include "facts/pointer_targets.h"
#include "facts/uses.h"

namespace xmpi
{

/* PLACE is written by reconfigurations, or is a struct in which nothing else depends on the rank.
 */
bool isRange(const Analysis &analysis, const Place &place);

class DerivedValues
{
  public:
    DerivedValues(Analysis &analysis, const LoopUses &uses);

    /* EFFECTS, with those of the functions that they lead to, set such a value. */
    bool areSet(const Effects &effects) const;
    /* Or do so, if only after all have agreed on it, from arrays that change later: by the loop, or
     * one around it, or behind the statement ITEM of the prologue. */
    bool areSetForGood(const Effects &effects, size_t item);

    /* EFFECTS set numbers that are the same on all ranks, and in all layouts: a sum over all rows.
     * There is nothing to be computed again, and where the loop goes on with them, or with the
     * rows, a second run would not come to what they were. */
    bool startState(const Effects &effects);

    /* Adds those that ITEM, an initial statement, sets to the analysis. Items come in their order,
     * from the first one behind a restart on. */
    void note(const Item &item);
    void restart();

  private:
    Analysis &analysis;
    const LoopUses &uses;
    const PointerTargets targets;
    const std::set<const clang::VarDecl *> distributed; /* what holds distributed arrays */
    std::optional<RankFlow> flow;                       /* once it has been asked for */
    size_t asked = 0;                                   /* the statement that is looked at */
    std::vector<Place> agreed; /* numbers that a collective operation has set, and nothing since */

    /* What of a statement, and of the functions that it leads to, has its value from elements. */
    struct Carriers {
        std::set<const clang::VarDecl *> variables;
        std::set<const clang::FunctionDecl *> functions; /* that hand one back */
        size_t size() const
        {
            return variables.size() + functions.size();
        }
    };
    Carriers carriersIn(const Effects &effects) const;
    void carry(const Effects &effects, Carriers &carriers) const;
    void carryIn(const clang::CallExpr *call, Carriers &carriers) const;
    void carryBack(const clang::FunctionDecl *function, const clang::Stmt *statement,
                   Carriers &carriers) const;

    bool isDerived(const Write &write, bool written, bool conditions,
                   const Carriers &carriers = {}) const;
    bool readsElements(const clang::Expr *expression, bool written,
                       const Carriers &carriers = {}) const;
    bool setElements(const Effects &effects, const clang::VarDecl *array) const;
    bool changesLater(const clang::VarDecl *array) const;
    bool isAgreed(const Place &place) const;
    void agree(const Write &write);

    /* The distributed array whose elements make WRITE another value on each rank. Elements of
     * replicated ones are the same everywhere. */
    std::string ownElements(const Write &write) const;
    std::string ownElements(const clang::Expr *expression) const;
};

} // namespace xmpi
#endif
