/* SPDX-License-Identifier: BSD-3-Clause
 * Counts the places that name a sum: all of them must be known. Looks for how one of two is chosen.
 */
#include "state/own.h"
#include "compat.h"
#include "facts/uses.h"
#include "library/constants.h"
#include "source/within.h"
#include <clang/Lex/Lexer.h>

namespace xmpi
{

using namespace clang;

namespace
{

/* EXPRESSION is VARIABLE, an element of it, or its address. */
bool isOf(const Expr *expression, const VarDecl *variable)
{
    const Expr *bare = expression->IgnoreParenCasts();
    if (const auto *unary = dyn_cast<UnaryOperator>(bare))
        return unary->getOpcode() == UO_AddrOf && isOf(unary->getSubExpr(), variable);
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(bare))
        return isOf(subscript->getBase(), variable);
    const auto *reference = dyn_cast<DeclRefExpr>(bare);
    return reference != nullptr &&
           reference->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl();
}

/* EXPRESSION adds to VARIABLE, or subtracts. */
bool isAddition(const Expr *expression, const VarDecl *variable)
{
    const Expr *bare = expression->IgnoreParens();
    if (const auto *sum = dyn_cast<CompoundAssignOperator>(bare))
        return (sum->getOpcode() == BO_AddAssign || sum->getOpcode() == BO_SubAssign) &&
               isOf(sum->getLHS(), variable);
    const auto *step = dyn_cast<UnaryOperator>(bare);
    return step != nullptr && step->isIncrementDecrementOp() && isOf(step->getSubExpr(), variable);
}

/* What CONDITION goes by is in elements of arrays: by a number, it may be one of the rows of a
 * block, or of the processes. */
bool goesByElements(const Stmt *condition)
{
    if (isa<ArraySubscriptExpr>(condition))
        return true;
    if (isa<DeclRefExpr>(condition) || isa<CallExpr>(condition))
        return false;
    return llvm::all_of(condition->children(), [](const Stmt *child) {
        return child == nullptr || goesByElements(child);
    });
}

/* How often STATEMENT adds to VARIABLE, and does nothing with the result. */
size_t additions(const Stmt *statement, const VarDecl *variable)
{
    size_t found = 0;
    if (statement == nullptr)
        return 0;
    if (const auto *expression = dyn_cast<Expr>(statement))
        return isAddition(expression, variable) ? 1 : 0;
    if (const auto *choice = dyn_cast<IfStmt>(statement))
        return goesByElements(choice->getCond())
                   ? additions(choice->getThen(), variable) + additions(choice->getElse(), variable)
                   : 0;
    if (isa<ForStmt>(statement))
        return additions(bodyOf(statement), variable);
    if (isa<CompoundStmt>(statement))
        for (const Stmt *child : statement->children())
            found += additions(child, variable);
    return found;
}

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

/* VARIABLE is 0 where it is declared, and is not named again before the loop. */
bool beginsWithZero(const Analysis &analysis, const VarDecl *variable)
{
    if (variable->getInit() == nullptr || !isZero(variable->getInit()))
        return false;
    for (const Item &item : analysis.prologue) {
        for (const Mention &mention : item.effects.mentions)
            if (mention.place.base->getCanonicalDecl() == variable->getCanonicalDecl())
                return false;
        for (const Write &write : item.effects.writes)
            if (write.place.base->getCanonicalDecl() == variable->getCanonicalDecl() &&
                write.how != Write::How::Declared)
                return false;
    }
    return true;
}

size_t namings(const Effects &effects, const VarDecl *variable)
{
    return static_cast<size_t>(llvm::count_if(effects.mentions, [&](const Mention &mention) {
        return mention.place.base->getCanonicalDecl() == variable->getCanonicalDecl();
    }));
}

bool isSummed(Analysis &analysis, const CallExpr *call, const VarDecl *variable)
{
    const llvm::StringRef name = calleeName(call);
    return (name == "MPI_Reduce" || name == "MPI_Allreduce") && call->getNumArgs() > 5 &&
           isOf(call->getArg(0), variable) &&
           constantOfMpi(call->getArg(4), analysis.context) == "MPI_SUM" &&
           isWorld(analysis, call->getArg(call->getNumArgs() - 1));
}

} // namespace

bool isOwnSum(Analysis &analysis, const VarDecl *variable)
{
    size_t summed = 0;
    const QualType element = analysis.context.getBaseElementType(variable->getType());
    if (!element->isArithmeticType() || analysis.path.size() > 1 ||
        variable->getDeclContext() != analysis.loopStep().function ||
        !beginsWithZero(analysis, variable))
        return false;
    const size_t added = additions(analysis.loop, variable);
    size_t named = 0;
    std::vector<Effects> all = analysis.after;
    all.push_back(analysis.finder.of(analysis.loop));
    for (const Effects &one : all) {
        named += namings(one, variable);
        summed += static_cast<size_t>(llvm::count_if(
            one.calls, [&](const CallExpr *call) { return isSummed(analysis, call, variable); }));
    }
    return added > 0 && summed > 0 && named == added + summed;
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

} // namespace xmpi
