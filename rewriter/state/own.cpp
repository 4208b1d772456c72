/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at the places that name a sum: all of them must be known. Looks for how one of two is
 * chosen.
 */
#include "state/own.h"
#include "compat.h"
#include "facts/effects.h"
#include "flow/other_files.h"
#include "flow/root_guards.h"
#include "library/constants.h"
#include "source/within.h"
#include <clang/Lex/Lexer.h>

namespace xmpi
{

using namespace clang;

namespace
{

bool isZero(const Expr *value)
{
    const Expr *bare = value->IgnoreParenCasts();
    if (const auto *list = dyn_cast<InitListExpr>(bare))
        return llvm::all_of(*list, [](const Stmt *one) { return isZero(cast<Expr>(one)); });
    if (const auto *literal = dyn_cast<IntegerLiteral>(bare))
        return literal->getValue() == 0;
    const auto *real = dyn_cast<FloatingLiteral>(bare);
    return isa<ImplicitValueInitExpr>(bare) || (real != nullptr && real->getValue().isZero());
}

/* All that the program does with VARIABLE, a number or an array of numbers. */
class OwnSum
{
  public:
    OwnSum(Analysis &analysis, const VarDecl *variable)
        : analysis(analysis), variable(variable), guards(analysis)
    {
    }

    bool isOne()
    {
        bool known = true, zero = variable->hasGlobalStorage();
        if (const Expr *init = variable->getInit())
            zero = known = isZero(init);
        for (const FunctionDecl *function : analysis.structure.functions)
            known = known && isKnownIn(function->getBody(), Anywhere, zero);
        known = known && isKnownIn(analysis.loop, Iterated, zero);
        for (const Step &step : analysis.path)
            for (const Stmt *next : analysis.structure.following(step.anchor))
                known = known && isKnownIn(next, Behind, zero);
        return known && zero && added && summed;
    }

  private:
    enum class Done { Added, Zeroed, Summed, Replaced, Otherwise };
    enum Where { Anywhere, Iterated, Behind }; /* in the file, the loop, or what follows it */

    Analysis &analysis;
    const VarDecl *const variable;
    const RootGuards guards;
    bool added = false, summed = false;
    std::set<std::pair<Where, const FunctionDecl *>> called; /* from there, and looked at */

    bool isNamed(const Stmt *statement) const
    {
        const auto *reference = dyn_cast<DeclRefExpr>(statement);
        return reference != nullptr &&
               reference->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl();
    }

    /* STATEMENT, which is THERE, does with the variable only what a sum is for. (It is made 0
     * before the loop: in an iteration it may be on some processes alone.) */
    bool isKnownIn(const Stmt *statement, Where there, bool &zero)
    {
        return !anyWithin(statement, [&](const Stmt *part) {
            const auto *call = dyn_cast<CallExpr>(part);
            if (call != nullptr && !isKnownBy(call, there, zero))
                return true;
            if (!isNamed(part) || isLater(part))
                return false;
            const Done done = doneWith(cast<Expr>(part));
            zero = zero || done == Done::Zeroed;
            added = added || done == Done::Added;
            summed = summed || done == Done::Summed || done == Done::Replaced;
            return done == Done::Otherwise || (there != Anywhere && done == Done::Zeroed) ||
                   (there == Behind && done == Done::Added);
        });
    }

    bool isKnownBy(const CallExpr *call, Where there, bool &zero)
    {
        const FunctionDecl *callee = there != Anywhere ? definitionOf(call) : nullptr;
        if (variable->isExternallyVisible() && isUnseen(analysis, call))
            return false;
        return callee == nullptr || !called.insert({there, callee}).second ||
               isKnownIn(callee->getBody(), there, zero);
    }

    /* What PART, which names it, is in: an element of it, its address. */
    const Expr *wholeOf(const Expr *part) const
    {
        for (const Stmt *outer = analysis.structure.parent(part);;
             outer = analysis.structure.parent(outer)) {
            const auto *unary = dyn_cast_or_null<UnaryOperator>(outer);
            const auto *subscript = dyn_cast_or_null<ArraySubscriptExpr>(outer);
            const bool around = isa_and_nonnull<ParenExpr, CastExpr>(outer) ||
                                (unary != nullptr && unary->getOpcode() == UO_AddrOf) ||
                                (subscript != nullptr && holds(subscript->getBase(), part));
            if (!around)
                return part;
            part = cast<Expr>(outer);
        }
    }

    /* Nothing is done with the result of EXPRESSION. */
    bool isAlone(const Expr *expression) const
    {
        const Stmt *outer = analysis.structure.parent(expression);
        if (const auto *choice = dyn_cast_or_null<IfStmt>(outer))
            return choice->getCond() != expression;
        if (const auto *loop = dyn_cast_or_null<ForStmt>(outer))
            return loop->getCond() != expression;
        return isa_and_nonnull<CompoundStmt, SwitchCase, LabelStmt>(outer);
    }

    Done doneWith(const Expr *name) const
    {
        const Expr *whole = wholeOf(name);
        const Stmt *outer = analysis.structure.parent(whole);
        if (const auto *call = dyn_cast_or_null<CallExpr>(outer))
            return doneBy(call, name);
        if (const auto *choice = dyn_cast_or_null<ConditionalOperator>(outer)) {
            const Stmt *around = analysis.structure.parent(choice);
            while (isa_and_nonnull<ParenExpr, CastExpr>(around))
                around = analysis.structure.parent(around);
            const auto *call = dyn_cast_or_null<CallExpr>(around);
            return call != nullptr && choice->getCond() != whole ? doneBy(call, name)
                                                                 : Done::Otherwise;
        }
        const auto *step = dyn_cast_or_null<UnaryOperator>(outer);
        if (step != nullptr && step->isIncrementDecrementOp() && isAlone(step))
            return Done::Added;
        const auto *binary = dyn_cast_or_null<BinaryOperator>(outer);
        if (binary == nullptr || binary->getLHS() != whole || !isAlone(binary))
            return Done::Otherwise;
        const BinaryOperatorKind kind = binary->getOpcode();
        const bool adds = kind == BO_AddAssign || kind == BO_SubAssign;
        return adds                       ? Done::Added
               : kind != BO_Assign        ? Done::Otherwise
               : isZero(binary->getRHS()) ? Done::Zeroed
                                          : Done::Added; /* as what it becomes shows */
    }

    /* By CALL, which is given it as NAME says. */
    Done doneBy(const CallExpr *call, const Expr *name) const
    {
        const llvm::StringRef callee = calleeName(call);
        if (callee == "memset" && call->getNumArgs() == 3 && holds(call->getArg(0), name))
            return isZero(call->getArg(1)) ? Done::Zeroed : Done::Otherwise;
        if (!isSum(call))
            return Done::Otherwise;
        if (holds(call->getArg(0), name))
            return Done::Summed;
        return holds(call->getArg(1), name) && replaces(call) ? Done::Replaced : Done::Otherwise;
    }

    bool isSum(const CallExpr *call) const
    {
        const llvm::StringRef name = calleeName(call);
        return (name == "MPI_Reduce" || name == "MPI_Allreduce") && call->getNumArgs() > 5 &&
               constantOfMpi(call->getArg(4), analysis.context) == "MPI_SUM" &&
               isWorld(analysis, call->getArg(call->getNumArgs() - 1));
    }

    /* CALL, behind the loop and once, makes the sum of all processes of it, in its place. */
    bool replaces(const CallExpr *call) const
    {
        const Stmt *block = analysis.structure.parent(call);
        const Expr *given = call->getArg(0)->IgnoreParenCasts();
        const auto *choice = dyn_cast<ConditionalOperator>(given);
        const bool inPlace =
            isInPlace(given, analysis.context) ||
            (choice != nullptr && (isInPlace(choice->getTrueExpr(), analysis.context) ||
                                   isInPlace(choice->getFalseExpr(), analysis.context)));
        return inPlace && isa_and_nonnull<CompoundStmt>(block) &&
               llvm::any_of(analysis.path, [&](const Step &step) {
                   const std::vector<const Stmt *> next = analysis.structure.following(step.anchor);
                   return analysis.structure.enclosingLoop(step.anchor) == nullptr &&
                          llvm::is_contained(next, call);
               });
    }

    /* PART follows a call that has made the sum of all processes of it, where that is. */
    bool isLater(const Stmt *part) const
    {
        for (const Stmt *inner = part, *block = analysis.structure.parent(part); block != nullptr;
             inner = block, block = analysis.structure.parent(block)) {
            if (!isa<CompoundStmt>(block))
                continue;
            for (const Stmt *one : block->children()) {
                if (one == inner)
                    break;
                const auto *call = dyn_cast_or_null<CallExpr>(one);
                if (call != nullptr && isSum(call) && replaces(call) &&
                    anyWithin(call->getArg(1), [&](const Stmt *name) { return isNamed(name); }))
                    return calleeName(call) == "MPI_Allreduce" || guards.isUnder(part);
            }
        }
        return false;
    }
};

} // namespace

bool isOwnSum(Analysis &analysis, const VarDecl *variable)
{
    const QualType element = analysis.context.getBaseElementType(variable->getType());
    return element->isArithmeticType() && !isa<ParmVarDecl>(variable) &&
           OwnSum(analysis, variable).isOne();
}

/* -- the largest, or the smallest */

static std::string spelled(const Expr *expression, const ASTContext &context)
{
    const CharSourceRange range =
        CharSourceRange::getTokenRange(expression->IgnoreParenImpCasts()->getSourceRange());
    return Lexer::getSourceText(range, context.getSourceManager(), context.getLangOpts()).str();
}

/* Where CONDITION holds ONE is the larger one of ONE and OTHER, or the smaller. */
static bool tells(const Expr *condition, const std::string &one, const std::string &other,
                  bool larger, const ASTContext &context)
{
    const auto *binary = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
    if (binary != nullptr && binary->getOpcode() == BO_LAnd)
        return tells(binary->getLHS(), one, other, larger, context) ||
               tells(binary->getRHS(), one, other, larger, context);
    if (binary == nullptr || !binary->isRelationalOp())
        return false;
    const bool more = binary->getOpcode() == BO_GT || binary->getOpcode() == BO_GE;
    const std::string left = spelled(binary->getLHS(), context),
                      right = spelled(binary->getRHS(), context);
    return more == larger ? left == one && right == other : left == other && right == one;
}

bool picksOne(const Stmt *loop, const Stmt *statement, bool larger, const ASTContext &context)
{
    const auto *set = dyn_cast<BinaryOperator>(statement);
    if (set == nullptr || set->getOpcode() != BO_Assign)
        return false;
    const Expr *value = set->getRHS()->IgnoreParenImpCasts();
    const std::string place = spelled(set->getLHS(), context), given = spelled(value, context);
    if (const auto *call = dyn_cast<CallExpr>(value))
        return startsWith(calleeName(call), larger ? "fmax" : "fmin") && call->getNumArgs() == 2 &&
               (spelled(call->getArg(0), context) == place ||
                spelled(call->getArg(1), context) == place);
    if (const auto *choice = dyn_cast<ConditionalOperator>(value)) {
        const std::string one = spelled(choice->getTrueExpr(), context),
                          other = spelled(choice->getFalseExpr(), context);
        return (one == place || other == place) &&
               tells(choice->getCond(), one, other, larger, context);
    }
    return anyWithin(loop, [&](const Stmt *part) {
        const auto *choice = dyn_cast<IfStmt>(part);
        return choice != nullptr && holds(choice->getThen(), set) &&
               tells(choice->getCond(), given, place, larger, context);
    });
}

bool isSummedBehind(const FunctionDecl *function, const Stmt *loop, const std::string &name,
                    const ASTContext &context)
{
    return anyWithin(function->getBody(), [&](const Stmt *part) {
        const auto *call = dyn_cast<CallExpr>(part);
        const llvm::StringRef callee = call != nullptr ? calleeName(call) : "";
        return (callee == "MPI_Reduce" || callee == "MPI_Allreduce") && !holds(loop, part) &&
               constantOfMpi(call->getArg(4), context) == "MPI_SUM" &&
               spelled(call->getArg(0)->IgnoreParenCasts(), context) == name;
    });
}

} // namespace xmpi
