/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through all that an iteration is seen to do. */
#include "state/again.h"
#include "analysis.h"
#include "handles/streams.h"
#include "library/library.h"
#include "source/loops.h"

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

namespace
{

/* The numbers that a pointer goes by, and which of them the loops around LOOP change, those around
 * calls of its function, too. */
class Turns
{
  public:
    Turns(const std::vector<const FunctionDecl *> &functions, const FunctionDecl *function,
          const Stmt *loop)
        : functions(functions)
    {
        goAround(function, loop);
    }

    /* A number that VARIABLE goes by, another one each time; or null. */
    const VarDecl *of(const VarDecl *variable)
    {
        if (open.count(variable) != 0) /* two that change places, or c = c + 1 */
            return variable->getType()->isArithmeticType() ? variable : nullptr;
        if (around.empty() || !done.insert(variable).second)
            return nullptr;
        open.insert(variable);
        const VarDecl *found = isStepped(variable) ? variable : inParameter(variable);
        for (const FunctionDecl *function : functions)
            if (found == nullptr)
                found = inValues(variable, function);
        open.erase(variable);
        return found;
    }

  private:
    const std::vector<const FunctionDecl *> &functions;
    std::vector<const Stmt *> around;
    std::set<const FunctionDecl *> seen;   /* whose calls lead to the loop, */
    std::set<const FunctionDecl *> called; /* again and again */
    std::set<const VarDecl *> open, done;

    template <class See> void eachCallOf(const FunctionDecl *function, const See &see) const
    {
        for (const FunctionDecl *caller : functions)
            eachWithin(caller->getBody(), [&](const Stmt *one) {
                const auto *call = dyn_cast<CallExpr>(one);
                const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
                if (callee != nullptr && callee->getDefinition() == function->getDefinition())
                    see(caller, call);
            });
    }

    /* Whether PLACE in FUNCTION is come to more than once. */
    bool goAround(const FunctionDecl *function, const Stmt *place)
    {
        const size_t before = around.size();
        eachWithin(function->getBody(), [&](const Stmt *one) {
            if (isLoop(one) && one != place && holds(one, place))
                around.push_back(one);
        });
        const bool inLoop = around.size() > before;
        if (seen.insert(function->getDefinition()).second)
            eachCallOf(function, [&](const FunctionDecl *caller, const CallExpr *call) {
                if (goAround(caller, call))
                    called.insert(function->getDefinition());
            });
        return inLoop || called.count(function->getDefinition()) != 0;
    }

    bool isAgain(const FunctionDecl *function, const Stmt *statement) const
    {
        return called.count(function) != 0 || seen.count(function) == 0 ||
               llvm::any_of(around, [&](const Stmt *loop) { return holds(loop, statement); });
    }

    /* A loop around counts by it, or hands on its address. */
    bool isStepped(const VarDecl *variable) const
    {
        return variable->getType()->isArithmeticType() &&
               llvm::any_of(around, [&](const Stmt *loop) {
                   return anyWithin(loop, [&](const Stmt *one) {
                       const auto *binary = dyn_cast<BinaryOperator>(one);
                       const auto *unary = dyn_cast<UnaryOperator>(one);
                       return (binary != nullptr && binary->isCompoundAssignmentOp() &&
                               variableIn(binary->getLHS()) == variable) ||
                              (unary != nullptr &&
                               (unary->isIncrementDecrementOp() ||
                                unary->getOpcode() == UO_AddrOf) &&
                               variableIn(unary->getSubExpr()) == variable);
                   });
               });
    }

    const VarDecl *inParameter(const VarDecl *variable)
    {
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        const auto *function =
            parameter ? dyn_cast<FunctionDecl>(parameter->getDeclContext()) : nullptr;
        const VarDecl *found = nullptr;
        if (function != nullptr)
            eachCallOf(function, [&](const FunctionDecl *caller, const CallExpr *call) {
                const unsigned index = parameter->getFunctionScopeIndex();
                if (found == nullptr && index < call->getNumArgs() && isAgain(caller, call))
                    found = in(call->getArg(index));
            });
        return found;
    }

    /* In what FUNCTION sets VARIABLE to. */
    const VarDecl *inValues(const VarDecl *variable, const FunctionDecl *function)
    {
        const VarDecl *found = nullptr;
        eachWithin(function->getBody(), [&](const Stmt *one) {
            const Expr *value = valueFor(variable, one);
            if (found == nullptr && value != nullptr && isAgain(function, one))
                found = in(value);
        });
        return found;
    }

    /* (Not of what has its address taken, which is where it is.) */
    const VarDecl *in(const Expr *value)
    {
        const VarDecl *found = nullptr;
        eachWithin(value, [&](const Stmt *one) {
            const auto *read = dyn_cast<CastExpr>(one);
            const VarDecl *variable = read != nullptr && read->getCastKind() == CK_LValueToRValue
                                          ? variableIn(read->getSubExpr())
                                          : nullptr;
            if (found == nullptr && variable != nullptr)
                found = of(variable);
        });
        return found;
    }
};

} // namespace

/* It is declared in LOOP. */
static bool holdsDeclaration(const Stmt *loop, const VarDecl *variable)
{
    return anyWithin(loop, [&](const Stmt *one) {
        return llvm::any_of(declaredBy(one), [&](const VarDecl *declared) {
            return declared->getCanonicalDecl() == variable;
        });
    });
}

std::string givenOthers(const std::vector<const FunctionDecl *> &functions,
                        const FunctionDecl *function, const Stmt *loop)
{
    Turns turns(functions, function, loop);
    std::string found;
    eachWithin(loop, [&](const Stmt *one) {
        const auto *name = dyn_cast<DeclRefExpr>(one);
        const VarDecl *pointer = name ? variableIn(name) : nullptr;
        if (!found.empty() || pointer == nullptr || !pointer->getType()->isPointerType() ||
            isStream(pointer->getType()) || holdsDeclaration(loop, pointer))
            return;
        if (const VarDecl *number = turns.of(pointer))
            found = "'" + pointer->getNameAsString() +
                    "' leads to another array each time the loop is come to, as what it is given "
                    "goes by '" +
                    number->getNameAsString() + "': let the loop name these arrays themselves";
    });
    return found;
}

} // namespace xmpi
