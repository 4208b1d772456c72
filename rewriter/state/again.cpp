/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through all that an iteration is seen to do. */
#include "state/again.h"
#include "analysis.h"
#include "cells/clause_cells.h"
#include "check/safety.h"
#include "handles/streams.h"
#include "library/constants.h"
#include "library/library.h"
#include "source/loops.h"
#include <clang/Lex/Lexer.h>
#include <functional>

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

namespace
{

/* The cells of numbers that are made of the number of processes, wherever in the file. */
class BySize
{
  public:
    BySize(const ASTContext &context, Cells &cells) : cells(cells)
    {
        for (const FunctionDecl *function : cells.functions)
            for (const Stmt *part : partsOf(function->getBody()))
                note(part, context);
        for (size_t before = SIZE_MAX; before != sized.size();) {
            before = sized.size();
            for (const auto &[cell, value] : set)
                if (in(value, {}) != nullptr)
                    sized.insert(cell);
        }
    }

    /* What VALUE has of them that is not KEPT; or null. */
    const Expr *in(const Expr *value, const CellSet &kept)
    {
        const auto parts = partsOf(value);
        const auto isOne = [&](const Stmt *part) {
            const auto *place = dyn_cast<Expr>(part);
            if (place == nullptr || !place->isLValue() || cells.of(place) == Cells::none)
                return false;
            const Cells::Cell cell = cells.found(cells.of(place));
            return sized.count(cell) != 0 && kept.count(cell) == 0;
        };
        const auto found = llvm::find_if(parts, isOne);
        return found != parts.end() ? cast<Expr>(*found) : nullptr;
    }

  private:
    Cells &cells;
    CellSet sized;
    std::vector<std::pair<Cells::Cell, const Expr *>> set;

    void give(Cells::Cell cell, QualType type, const Expr *value)
    {
        const auto *call = value ? dyn_cast<CallExpr>(value->IgnoreParenCasts()) : nullptr;
        if (value != nullptr && cell != Cells::none && type->isArithmeticType() &&
            !(call != nullptr && isMpiCall(call))) /* that hands back whether it has failed */
            set.emplace_back(cells.found(cell), value);
    }

    void note(const Stmt *part, const ASTContext &context)
    {
        const auto *call = dyn_cast<CallExpr>(part);
        const auto *binary = dyn_cast<BinaryOperator>(part);
        if (call != nullptr && calleeName(call) == "MPI_Comm_size" && call->getNumArgs() == 2 &&
            constantOfMpi(call->getArg(0), context) == "MPI_COMM_WORLD" &&
            cells.behind(call->getArg(1)) != Cells::none)
            sized.insert(cells.found(cells.behind(call->getArg(1))));
        if (binary != nullptr && binary->isAssignmentOp())
            give(cells.of(binary->getLHS()), binary->getLHS()->getType(), binary->getRHS());
        if (const auto *declaration = dyn_cast<DeclStmt>(part))
            for (const Decl *one : declaration->decls())
                if (const auto *variable = dyn_cast<VarDecl>(one))
                    give(cells.of(variable), variable->getType(), variable->getInit());
    }
};

/* The conditions under which STATEMENT, in a loop with POINT, jumps out of that. */
void addEnding(const Stmt *statement, const IfStmt *point, std::vector<const Expr *> &conditions)
{
    if (statement == nullptr || isLoop(statement) || isa<SwitchStmt>(statement))
        return;
    for (const Stmt *child : statement->children())
        addEnding(child, point, conditions);
    const auto *choice = dyn_cast<IfStmt>(statement);
    if (choice == nullptr || choice == point)
        return;
    const std::function<bool(const Stmt *)> leaves = [&](const Stmt *one) {
        return one != nullptr && !isLoop(one) && !isa<SwitchStmt>(one) &&
               (isa<BreakStmt>(one) || llvm::any_of(one->children(), leaves));
    };
    if (leaves(choice->getThen()) || leaves(choice->getElse()))
        conditions.push_back(choice->getCond());
}

} // namespace

std::string endedBySize(const ASTContext &context, Cells &cells, const Told &told)
{
    CellSet kept;
    for (Cells::Cell cell : Clause(cells, told.point->getCond()).named)
        kept.insert(cells.found(cell));
    std::vector<const Expr *> conditions;
    if (const Expr *condition = conditionIn(told.loop))
        conditions.push_back(condition);
    addEnding(bodyOf(told.loop), told.point, conditions);
    BySize numbers(context, cells);
    for (const Expr *condition : conditions)
        if (const Expr *by = numbers.in(condition, kept)) {
            const CharSourceRange range = CharSourceRange::getTokenRange(by->getSourceRange());
            const llvm::StringRef name =
                Lexer::getSourceText(range, context.getSourceManager(), context.getLangOpts());
            return "state(...): how many iterations there are follows '" + name.str() +
                   "', and so the number of processes: after a change of it they are as many as "
                   "with neither; a variable of its own, in same(...), keeps what it has begun "
                   "with";
        }
    return "";
}

} // namespace xmpi
