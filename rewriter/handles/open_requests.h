/* SPDX-License-Identifier: BSD-3-Clause
 * Requests of MPI that are open where an iteration of the adaptive loop begins. */
#ifndef XMPI_REWRITER_OPEN_REQUESTS_H
#define XMPI_REWRITER_OPEN_REQUESTS_H

#include "analysis.h"

namespace xmpi
{

class OpenRequests
{
  public:
    explicit OpenRequests(const Analysis &analysis) : analysis(analysis)
    {
    }

    /* A call that leaves a request open, also in a function of the file: nobody waits behind it, or
     * another request is put in its place (LOST) before. */
    struct Left {
        const clang::CallExpr *call = nullptr;
        bool lost = false;
    };
    /* When an iteration has ended, or when the loop is entered, at first or again by a loop around
     * it; without a call: there is none. */
    Left afterIteration() const;
    Left atEntry() const;

  private:
    /* What a stretch of the program does with requests at last: nothing, it waits, or it leaves
     * OPEN one. LOST: one before, that nobody can wait for any more. */
    struct Last {
        bool any = false;
        const clang::CallExpr *open = nullptr, *lost = nullptr;

        void goOn(const Last &next)
        {
            const clang::CallExpr *before = lost;
            if (next.any)
                *this = next;
            lost = before != nullptr ? before : next.lost;
        }
        Left left() const
        {
            return {lost != nullptr ? lost : open, lost != nullptr};
        }
    };

    const Analysis &analysis;
    mutable std::map<const clang::FunctionDecl *, Last> known; /* functions of the file */

    Last of(const clang::CallExpr *call) const;
    Last of(const clang::Stmt *statement) const;
    std::string requestOf(const clang::CallExpr *call) const;
    bool areApart(const clang::CallExpr *one, const clang::CallExpr *other) const;
    bool isLostInLoop(const clang::CallExpr *call, const clang::Stmt *statement) const;
    Last around(const Step &step) const;
};

} // namespace xmpi
#endif
