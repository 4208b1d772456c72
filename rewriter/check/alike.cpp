/* SPDX-License-Identifier: BSD-3-Clause
 * Follows the rank through the variables of the file, in whatever order statements run, into the
 * conditions that decide who gets to a loop and who stays in it. */
#include "check/alike.h"
#include "facts/effects.h"
#include "library/constants.h"
#include "library/exits.h"
#include "source/integer.h"
#include "source/loops.h"
#include "source/variable.h"
#include "source/visitor.h"
#include "source/within.h"

namespace xmpi
{
namespace
{

using namespace clang;

/* The variable or member that EXPRESSION is, or points to, or is an element of. */
const ValueDecl *holderOf(const Expr *expression)
{
    for (const Expr *at = expression; at != nullptr;) {
        at = at->IgnoreParenCasts();
        if (const auto *name = dyn_cast<DeclRefExpr>(at))
            return cast<ValueDecl>(name->getDecl()->getCanonicalDecl());
        if (const auto *member = dyn_cast<MemberExpr>(at))
            return cast<ValueDecl>(member->getMemberDecl()->getCanonicalDecl());
        if (const auto *element = dyn_cast<ArraySubscriptExpr>(at))
            at = element->getBase();
        else if (const auto *unary = dyn_cast<UnaryOperator>(at))
            at = unary->getSubExpr();
        else
            return nullptr;
    }
    return nullptr;
}

/* The argument that a collective operation makes the same on all ranks, or null. */
const Expr *madeEqual(const CallExpr *call)
{
    llvm::StringRef name = calleeName(call);
    const bool second = name == "MPI_Allreduce" || name == "MPI_Iallreduce";
    const bool fourth = name == "MPI_Allgather" || name == "MPI_Allgatherv";
    const unsigned which = second ? 1 : fourth ? 3 : 0;
    const bool any = second || fourth || name == "MPI_Bcast" || name == "MPI_Ibcast";
    return any && which < call->getNumArgs() ? call->getArg(which) : nullptr;
}

/* Which variables, members and functions have another value on each rank. */
class Ranked : public Visitor
{
  public:
    Ranked(const Structure &structure, const Pragmas &pragmas, Asked asked)
    {
        for (const FunctionDecl *function : structure.functions)
            collectEqual(function->getBody());
        for (const auto &pragma : pragmas.list)
            skipped.insert(pragma->marker);
        follow(structure);
        called = differ;
        for (auto one = differ.begin(); one != differ.end();)
            one = isOfFunction(*one) ? differ.erase(one) : std::next(one);
        handed = false;
        follow(structure);
        byThemselves.swap(differ);
        differ.clear();
        handed = true;
        follow(structure);
        if (asked == Asked::Pointers)
            differ.clear();
    }

    /* What EXPRESSION has of it, or null. A pointer by itself, as in a test whether there is
     * memory, has nothing of what is in that; POINTED: it is asked for that. */
    const Expr *of(const Stmt *expression, bool pointed = false) const
    {
        if (expression == nullptr || skipped.count(expression))
            return nullptr;
        const auto &those = !pointed && isPointer(expression) ? elsewhere : differ;
        if (const auto *call = dyn_cast<CallExpr>(expression)) {
            const FunctionDecl *callee = call->getDirectCallee();
            const bool has = callee != nullptr &&
                             (&those == &elsewhere ? those.count(callee->getCanonicalDecl()) != 0
                                                   : hasOf(callee->getCanonicalDecl(), call));
            return has ? call : nullptr;
        }
        if (isa<UnaryExprOrTypeTraitExpr>(expression))
            return nullptr;
        if (isa<DeclRefExpr, MemberExpr>(expression)) {
            const auto *value = cast<Expr>(expression);
            const ValueDecl *holder = holderOf(value);
            if (holder != nullptr && those.count(holder))
                return value;
            if (isa<MemberExpr>(expression)) /* a member of its own, whatever the struct has */
                return nullptr;
        }
        pointed = pointed || (leadsOn(expression) && !isPointer(expression));
        for (const Stmt *child : expression->children())
            if (const Expr *found = of(child, pointed))
                return found;
        return nullptr;
    }

    void VisitVarDecl(VarDecl *variable) override
    {
        if (variable->hasInit())
            flow(variable->getInit(), variable->getCanonicalDecl());
    }

    void VisitBinaryOperator(BinaryOperator *assignment) override
    {
        if (assignment->isAssignmentOp())
            flow(assignment->getRHS(), holderOf(assignment->getLHS()));
    }

    void VisitReturnStmt(ReturnStmt *statement) override
    {
        flow(statement->getRetValue(), in->getCanonicalDecl());
    }

    void VisitCallExpr(CallExpr *call) override
    {
        llvm::StringRef name = calleeName(call);
        if ((name == "MPI_Comm_rank" || name == "MPI_Group_rank") && call->getNumArgs() == 2)
            add(holderOf(call->getArg(1)));
        const FunctionDecl *callee = definitionOf(call);
        for (unsigned i = 0; callee && i < callee->getNumParams() && i < call->getNumArgs(); i++) {
            const ParmVarDecl *parameter = callee->getParamDecl(i);
            if (handed)
                flow(call->getArg(i), parameter);
            if (parameter->getType()->isPointerType() && hasOf(parameter, call))
                add(holderOf(call->getArg(i)));
            if (leadsToPointers(parameter) && elsewhere.count(parameter))
                add(holderOf(call->getArg(i)), elsewhere);
        }
    }

  private:
    const FunctionDecl *in = nullptr;
    std::set<const Stmt *> skipped;
    std::set<const ValueDecl *> equal, differ;
    std::set<const ValueDecl *> elsewhere; /* pointers that by themselves are others on each rank */
    /* What differs when parameters have what any call hands them, and when they have nothing of it:
     * then it does in each call. */
    std::set<const ValueDecl *> called, byThemselves;
    bool handed = true; /* parameters have what calls hand them */

    void follow(const Structure &structure)
    {
        for (size_t before = SIZE_MAX; before != differ.size() + elsewhere.size();) {
            before = differ.size() + elsewhere.size();
            for (const FunctionDecl *function : structure.functions) {
                in = function;
                TraverseStmt(function->getBody());
                leadSome(function->getBody(), false);
            }
        }
    }

    /* It is of one call of a function: what that returns, a parameter, a variable. */
    static bool isOfFunction(const ValueDecl *holder)
    {
        const auto *variable = dyn_cast<VarDecl>(holder);
        return isa<FunctionDecl>(holder) ||
               (variable != nullptr && (isa<ParmVarDecl>(variable) || variable->hasLocalStorage()));
    }

    /* What CALL hands over differs. */
    bool handsOver(const CallExpr *call) const
    {
        return llvm::any_of(call->arguments(), [&](const Expr *argument) {
            return of(argument, isPointer(argument)) != nullptr;
        });
    }

    /* RESULT, of the function that CALL calls, differs behind that. */
    bool hasOf(const ValueDecl *result, const CallExpr *call) const
    {
        if (called.empty()) /* nothing is known of single calls yet */
            return differ.count(result) != 0;
        const bool always = handed ? byThemselves.count(result) : differ.count(result);
        return always || (called.count(result) != 0 && handsOver(call));
    }

    static bool isPointer(const Stmt *expression)
    {
        const auto *value = dyn_cast<Expr>(expression);
        return value != nullptr && value->getType()->isPointerType();
    }

    static bool leadsOn(const Stmt *expression)
    {
        const auto *unary = dyn_cast<UnaryOperator>(expression);
        return isa<ArraySubscriptExpr>(expression) ||
               (unary != nullptr && unary->getOpcode() == UO_Deref);
    }

    static bool leadsToPointers(const ParmVarDecl *parameter)
    {
        return parameter->getType()->isPointerType() &&
               parameter->getType()->getPointeeType()->isPointerType();
    }

    void collectEqual(const Stmt *statement)
    {
        eachWithin(statement, [&](const Stmt *one) {
            if (const auto *call = dyn_cast<CallExpr>(one))
                if (const ValueDecl *holder = holderOf(madeEqual(call)))
                    equal.insert(holder);
        });
    }

    /* Pointers that STATEMENT leads somewhere on some ranks only. */
    void leadSome(const Stmt *statement, bool some)
    {
        const auto *choice = dyn_cast<IfStmt>(statement);
        const auto *binary = dyn_cast<BinaryOperator>(statement);
        if (some && binary != nullptr && binary->isAssignmentOp() && isPointer(binary->getLHS()))
            add(holderOf(binary->getLHS()), elsewhere);
        some = some || (choice != nullptr && of(choice->getCond()) != nullptr);
        for (const Stmt *child : partsIn(statement))
            leadSome(child, some);
    }

    void add(const ValueDecl *holder, std::set<const ValueDecl *> &to)
    {
        if (holder != nullptr && equal.count(holder) == 0)
            to.insert(holder);
    }

    void add(const ValueDecl *holder)
    {
        add(holder, differ);
    }

    void flow(const Expr *value, const ValueDecl *to)
    {
        const bool pointer = value != nullptr && isPointer(value);
        if (of(value, pointer) != nullptr)
            add(to);
        if (pointer && of(value) != nullptr)
            add(to, elsewhere);
    }
};

/* CALL hands back a null pointer only where it fails. */
bool isNullByFailure(const Expr *value)
{
    return callsOneOf(value, {"calloc", "fdopen", "fopen", "fopen64", "malloc", "opendir",
                              "realloc", "strdup", "tmpfile"});
}

/* What CONDITION asks whether it is null; or null. */
const Expr *askedForNull(const ASTContext &context, const Expr *condition)
{
    condition = condition->IgnoreParenCasts();
    const Expr *asked = nullptr;
    if (const auto *unary = dyn_cast<UnaryOperator>(condition))
        asked = unary->getOpcode() == UO_LNot ? unary->getSubExpr() : nullptr;
    const auto isNull = [&](const Expr *value) {
        return value->isNullPointerConstant(const_cast<ASTContext &>(context),
                                            Expr::NPC_ValueDependentIsNotNull) !=
               Expr::NPCK_NotNull;
    };
    if (const auto *binary = dyn_cast<BinaryOperator>(condition);
        binary != nullptr && binary->getOpcode() == BO_EQ)
        asked = isNull(binary->getRHS())   ? binary->getLHS()
                : isNull(binary->getLHS()) ? binary->getRHS()
                                           : nullptr;
    asked = asked != nullptr ? asked->IgnoreParenCasts() : nullptr;
    return asked != nullptr && asked->getType()->isPointerType() ? asked : nullptr;
}

/* The value that STATEMENT, as a whole, gives to VARIABLE; or null. */
const Expr *valueGiven(const Stmt *statement, const ValueDecl *variable)
{
    for (const VarDecl *declared : declaredBy(statement))
        if (declared->getCanonicalDecl() == variable)
            return declared->getInit();
    const auto *set = dyn_cast<BinaryOperator>(statement);
    const auto *name = set != nullptr && set->getOpcode() == BO_Assign
                           ? dyn_cast<DeclRefExpr>(set->getLHS())
                           : nullptr;
    return name != nullptr && name->getDecl()->getCanonicalDecl() == variable ? set->getRHS()
                                                                              : nullptr;
}

class Checker
{
  public:
    Checker(ASTContext &context, const StructMembers &members, const Pragmas &pragmas,
            Diagnostics &diagnostics, Asked asked)
        : context(context), structure(context, members), ranked(structure, pragmas, asked),
          ending(branchesThatEnd(structure)), diagnostics(diagnostics)
    {
    }

    bool check(const Pragma &pragma)
    {
        const Stmt *loop = pragma.target;
        if (const Expr *found = ranked.of(deciderIn(loop)))
            return refuse(Problem::LoopRows, found);
        const Expr *left = leaves(loop, loop, nullptr);
        return left != nullptr ? refuse(Problem::LoopRanks, left) : checkWay(loop, pragma.function);
    }

  private:
    ASTContext &context;
    Structure structure;
    Ranked ranked;
    std::set<const Stmt *> ending;
    Diagnostics &diagnostics;
    std::set<const FunctionDecl *> seen;

    bool refuse(Problem problem, const Expr *by)
    {
        const auto *call = dyn_cast<CallExpr>(by);
        const ValueDecl *holder = call != nullptr ? call->getDirectCallee() : holderOf(by);
        return diagnostics.report(by->getExprLoc(), problem,
                                  {holder != nullptr ? holder->getName() : "the rank"});
    }

    /* What decides over a part of it. */
    static const Expr *deciderIn(const Stmt *statement)
    {
        if (const auto *both = dyn_cast<BinaryOperator>(statement))
            return both->isLogicalOp() ? both->getLHS() : nullptr;
        return conditionIn(statement);
    }

    /* A status that is not 0 ends a program that has failed. */
    bool fails(const ReturnStmt *statement) const
    {
        Expr::EvalResult value;
        return statement->getRetValue() != nullptr &&
               statement->getRetValue()->EvaluateAsInt(value, context) && value.Val.getInt() != 0;
    }

    bool isLeft(const Stmt *statement, const Stmt *loop) const
    {
        if (const auto *back = dyn_cast<ReturnStmt>(statement))
            return !fails(back);
        if (const auto *jump = dyn_cast<GotoStmt>(statement))
            return loop != nullptr && !holds(loop, jump->getLabel()->getStmt());
        if (!isa<BreakStmt>(statement) || loop == nullptr)
            return false;
        const Stmt *around = structure.parent(statement);
        while (around != nullptr && !isa<SwitchStmt>(around) && !isLoop(around))
            around = structure.parent(around);
        return around == loop;
    }

    /* CHOICE asks whether what has just been done has failed: those that get to it have all done
     * it, so that it is no choice among ranks, whoever they are. */
    bool failed(const IfStmt *choice) const
    {
        const Expr *asked = askedForNull(context, choice->getCond());
        if (const auto *set = dyn_cast_or_null<BinaryOperator>(asked))
            return set->getOpcode() == BO_Assign && isNullByFailure(set->getRHS());
        const auto *name = dyn_cast_or_null<DeclRefExpr>(asked);
        const auto *block = dyn_cast_or_null<CompoundStmt>(structure.parent(choice));
        if (name == nullptr || block == nullptr)
            return false;
        const auto *variable = cast<ValueDecl>(name->getDecl()->getCanonicalDecl());
        const Expr *value = nullptr;
        for (const Stmt *earlier : block->body()) {
            if (earlier == choice)
                break;
            const Expr *given = valueGiven(earlier, variable);
            if (given != nullptr || namesOf(earlier, variable) > 0)
                value = given;
        }
        return value != nullptr && isNullByFailure(value);
    }

    /* In BRANCH, as a whole: `if (...) break;`, and nothing else leaves LOOP; or null. */
    const IfStmt *onlyLeaveIn(const Stmt *branch, const Stmt *loop) const
    {
        const auto *block = dyn_cast_or_null<CompoundStmt>(branch);
        const IfStmt *only = nullptr;
        int times = 0;
        if (block == nullptr || loop == nullptr)
            return nullptr;
        for (const Stmt *one : block->body()) {
            const auto *choice = dyn_cast<IfStmt>(one);
            const int leaving = [&] {
                int many = 0;
                eachWithin(one, [&](const Stmt *part) { many += isLeft(part, loop); });
                return many;
            }();
            times += leaving;
            only = leaving > 0 ? choice : only;
        }
        const Stmt *then = only != nullptr ? only->getThen() : nullptr;
        if (const auto *inner = dyn_cast_or_null<CompoundStmt>(then))
            then = inner->size() == 1 ? inner->body_back() : nullptr;
        const bool breaks = isa_and_nonnull<BreakStmt>(then) && only->getElse() == nullptr;
        return times == 1 && breaks ? only : nullptr;
    }

    /* What CHOICE, in a block, goes by: a variable that a broadcast there gives to all, and nothing
     * has named since; null: something else. */
    const CallExpr *handedFor(const IfStmt *choice, const VarDecl *variable) const
    {
        const CallExpr *handed = nullptr;
        for (const Stmt *one : cast<CompoundStmt>(structure.parent(choice))->body()) {
            if (one == choice)
                return handed;
            const auto *call = dyn_cast<CallExpr>(one);
            const bool hands = call != nullptr && calleeName(call) == "MPI_Bcast" &&
                               call->getNumArgs() == 5 &&
                               variableIn(addressedBy(call->getArg(0))) == variable;
            handed = hands ? call : namesOf(one, variable) > 0 ? nullptr : handed;
        }
        return nullptr;
    }

    /* Each branch of CHOICE leaves LOOP by what one process has told all, and by the same test. */
    bool leavesAlike(const IfStmt *choice, const Stmt *loop) const
    {
        const IfStmt *one = onlyLeaveIn(choice->getThen(), loop),
                     *other = onlyLeaveIn(choice->getElse(), loop);
        const auto *first =
            one ? dyn_cast<BinaryOperator>(one->getCond()->IgnoreParenCasts()) : nullptr;
        const auto *second =
            other ? dyn_cast<BinaryOperator>(other->getCond()->IgnoreParenCasts()) : nullptr;
        if (first == nullptr || second == nullptr || first->getOpcode() != second->getOpcode() ||
            !first->isComparisonOp())
            return false;
        const auto limit = constantInteger(first->getRHS(), context);
        const VarDecl *left = variableIn(first->getLHS()), *right = variableIn(second->getLHS());
        const CallExpr *give = left != nullptr ? handedFor(one, left) : nullptr,
                       *take = right != nullptr ? handedFor(other, right) : nullptr;
        if (give == nullptr || take == nullptr || !limit ||
            limit != constantInteger(second->getRHS(), context))
            return false;
        const auto root = constantInteger(give->getArg(3), context);
        const std::string world = constantOfMpi(give->getArg(4), context);
        return root && root == constantInteger(take->getArg(3), context) && !world.empty() &&
               world == constantOfMpi(take->getArg(4), context) &&
               context.hasSameType(left->getType(), right->getType());
    }

    /* What in the conditions around something that leaves LOOP, or the function where that is null,
     * differs; BY is what those around STATEMENT have. */
    const Expr *leaves(const Stmt *statement, const Stmt *loop, const Expr *by) const
    {
        if (statement == nullptr || ending.count(statement))
            return nullptr;
        if (by != nullptr && isLeft(statement, loop))
            return by;
        if (const auto *choice = dyn_cast<IfStmt>(statement); choice != nullptr && failed(choice))
            return choice->getElse() ? leaves(choice->getElse(), loop, by) : nullptr;
        if (const auto *choice = dyn_cast<IfStmt>(statement);
            by == nullptr && choice != nullptr && leavesAlike(choice, loop))
            return nullptr;
        const Expr *condition = statement == loop ? nullptr : deciderIn(statement);
        if (const Expr *found = condition ? ranked.of(condition) : nullptr)
            by = found;
        for (const Stmt *child : statement->children())
            if (const Expr *found = leaves(child, loop, by))
                return found;
        return nullptr;
    }

    /* ANCHOR is a call, and each branch of CHOICE makes one of the same function: whichever a rank
     * takes, it gets there. */
    static bool isOnBothSides(const Stmt *choice, const Stmt *anchor)
    {
        const auto *either = dyn_cast<IfStmt>(choice);
        const auto *call = dyn_cast<CallExpr>(anchor);
        const FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
        const auto calls = [&](const Stmt *branch) {
            int times = 0;
            if (branch != nullptr)
                eachWithin(branch, [&](const Stmt *one) {
                    const auto *other = dyn_cast<CallExpr>(one);
                    const FunctionDecl *called = other ? other->getDirectCallee() : nullptr;
                    times += called != nullptr &&
                             called->getCanonicalDecl() == callee->getCanonicalDecl();
                });
            return times;
        };
        return either != nullptr && callee != nullptr && calls(either->getThen()) == 1 &&
               calls(either->getElse()) == 1;
    }

    /* Nothing between the begin of FUNCTION and ANCHOR lets only some ranks go on; nor on the ways
     * to the function. */
    bool checkWay(const Stmt *anchor, const FunctionDecl *function)
    {
        for (const Stmt *inner = anchor, *outer = structure.parent(anchor); outer != nullptr;
             inner = outer, outer = structure.parent(outer)) {
            const Expr *condition = deciderIn(outer);
            const Expr *found = condition != inner && !isOnBothSides(outer, anchor)
                                    ? ranked.of(condition)
                                    : nullptr;
            for (const Stmt *earlier : outer->children()) {
                if (earlier == inner || found != nullptr || !isa<CompoundStmt>(outer))
                    break;
                found = leaves(earlier, nullptr, nullptr);
            }
            if (found != nullptr)
                return refuse(Problem::LoopRanks, found);
        }
        if (function->isMain() || !seen.insert(function->getCanonicalDecl()).second)
            return true;
        return llvm::all_of(structure.functions, [&](const FunctionDecl *caller) {
            return checkCalls(caller->getBody(), caller, function);
        });
    }

    bool checkCalls(const Stmt *statement, const FunctionDecl *caller, const FunctionDecl *callee)
    {
        if (statement == nullptr)
            return true;
        const auto *call = dyn_cast<CallExpr>(statement);
        const FunctionDecl *called = call != nullptr ? call->getDirectCallee() : nullptr;
        if (called != nullptr && called->getCanonicalDecl() == callee->getCanonicalDecl() &&
            !checkWay(call, caller))
            return false;
        return llvm::all_of(statement->children(),
                            [&](const Stmt *child) { return checkCalls(child, caller, callee); });
    }
};

} // namespace

bool checkAlike(ASTContext &context, const StructMembers &members, const Pragmas &pragmas,
                Diagnostics &diagnostics, Asked asked)
{
    return llvm::all_of(pragmas.list, [&](const auto &pragma) {
        return pragma->directive != Directive::Loop || pragma->target == nullptr ||
               Checker(context, members, pragmas, diagnostics, asked).check(*pragma);
    });
}

} // namespace xmpi
