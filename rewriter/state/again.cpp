/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through all that an iteration is seen to do. */
#include "state/again.h"
#include "analysis.h"
#include "library/library.h"
#include "source/loops.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

class Again
{
  public:
    /* POINT tells the state, and decides nothing. */
    Again(Cells &cells, Passing &passing, const Stmt *point)
        : cells(cells), passing(passing), point(point)
    {
    }

    bool isFree(const Stmt *statement)
    {
        const auto parts = partsOf(statement);
        return llvm::all_of(parts, [&](const Stmt *part) {
            const auto *call = dyn_cast<CallExpr>(part);
            const Expr *decision = part != point ? conditionIn(part) : nullptr;
            return !(call != nullptr && (reachesBeyond(call) || !callsFree(call))) &&
                   !(decision != nullptr && passing.hasClock(decision));
        });
    }

  private:
    Cells &cells;
    Passing &passing;
    const Stmt *const point;
    std::set<const FunctionDecl *> seen;

    static bool reachesBeyond(const CallExpr *call)
    {
        switch (deedOf(call)) {
        case Deed::File:
            return calleeName(call) != "fopen" && calleeName(call) != "fopen64";
        case Deed::Reads:
        case Deed::Descriptor:
        case Deed::Signals:
        case Deed::Processes:
        case Deed::Socket:
        case Deed::Window:
            return true;
        default:
            return false;
        }
    }

    bool callsFree(const CallExpr *call)
    {
        const auto callees = cells.callees(call);
        return llvm::all_of(callees, [&](const FunctionDecl *callee) {
            return !seen.insert(callee).second || isFree(callee->getBody());
        });
    }
};

} // namespace

bool canBeMadeAgain(Cells &cells, Passing &passing, const Stmt *loop, const IfStmt *point,
                    const CellSet &kept)
{
    return Again(cells, passing, point).isFree(loop) &&
           llvm::none_of(kept, [&](Cells::Cell cell) { return passing.followsClock(cell); });
}

} // namespace xmpi
