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

    /* The call that leaves a request open, also in a function of the file, behind which nobody
     * waits: when an iteration has ended, or when the loop is entered, at first or again by a loop
     * around it; null: there is none. */
    const clang::CallExpr *afterIteration() const;
    const clang::CallExpr *atEntry() const;

  private:
    /* What a stretch of the program does with requests at last: nothing, it waits, or it leaves
     * OPEN one. */
    struct Last {
        bool any = false;
        const clang::CallExpr *open = nullptr;

        void goOn(const Last &next)
        {
            if (next.any)
                *this = next;
        }
    };

    const Analysis &analysis;
    mutable std::map<const clang::FunctionDecl *, Last> known; /* functions of the file */

    Last of(const clang::CallExpr *call) const;
    Last of(const clang::Stmt *statement) const;
    Last around(const Step &step) const;
};

} // namespace xmpi
#endif
