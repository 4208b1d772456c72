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

/* A number in ARGUMENT that AROUND changes; or null. */
static const VarDecl *changedIn(const Expr *argument, const Stmt *around)
{
    const VarDecl *found = nullptr;
    eachWithin(argument, [&](const Stmt *one) {
        const auto *read = dyn_cast<CastExpr>(one); /* not its address */
        const VarDecl *variable = read != nullptr && read->getCastKind() == CK_LValueToRValue
                                      ? variableIn(read->getSubExpr())
                                      : nullptr;
        if (variable != nullptr && variable->getType()->isArithmeticType() &&
            changes(around, variable))
            found = variable;
    });
    return found;
}

/* What CALL, which AROUND is around, hands to FUNCTION for LOOP. */
static std::string givenOthers(const CallExpr *call, const Stmt *around,
                               const FunctionDecl *function, const Stmt *loop)
{
    for (unsigned i = 0; i < call->getNumArgs() && i < function->getNumParams(); i++) {
        const ParmVarDecl *parameter = function->getParamDecl(i);
        const bool used = anyWithin(loop, [&](const Stmt *one) {
            const auto *name = dyn_cast<DeclRefExpr>(one);
            return name != nullptr && name->getDecl() == parameter;
        });
        const VarDecl *number = used && parameter->getType()->isPointerType()
                                    ? changedIn(call->getArg(i), around)
                                    : nullptr;
        if (number != nullptr)
            return "'" + parameter->getNameAsString() +
                   "' leads to another array each time the loop is come to, as what it is given "
                   "goes "
                   "by '" +
                   number->getNameAsString() + "': let the loop name these arrays themselves";
    }
    return "";
}

std::string givenOthers(const std::vector<const FunctionDecl *> &functions,
                        const FunctionDecl *function, const Stmt *loop)
{
    std::string found;
    for (const FunctionDecl *caller : functions)
        eachWithin(caller->getBody(), [&](const Stmt *around) {
            if (isLoop(around))
                eachWithin(around, [&](const Stmt *one) {
                    const auto *call = dyn_cast<CallExpr>(one);
                    const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
                    if (found.empty() && callee != nullptr &&
                        callee->getDefinition() == function->getDefinition())
                        found = givenOthers(call, around, function->getDefinition(), loop);
                });
        });
    return found;
}

} // namespace xmpi
