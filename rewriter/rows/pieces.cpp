/* SPDX-License-Identifier: BSD-3-Clause
 * Sees that a loop takes the least of as many rows as a step goes on and as many as there are left.
 */
#include "rows/pieces.h"
#include "facts/effects.h"
#include "source/integer.h"
#include "source/variable.h"
#include <map>

namespace xmpi
{

using namespace clang;

namespace
{

/* A sum: of variables, each so many times, and a number. */
struct Sum {
    bool known = true;
    std::map<const VarDecl *, long long> terms;
    long long number = 0;

    bool operator==(const Sum &other) const
    {
        return known && other.known && terms == other.terms && number == other.number;
    }
};

Sum combined(const Sum &one, const Sum &other, long long factor)
{
    Sum sum = one;
    sum.known = one.known && other.known;
    sum.number += factor * other.number;
    for (const auto &[variable, times] : other.terms)
        if ((sum.terms[variable] += factor * times) == 0)
            sum.terms.erase(variable);
    return sum;
}

class Reader
{
  public:
    Reader(const Analysis &analysis, const Stmt *loop, const Counting &counting)
        : analysis(analysis), loop(loop), counting(counting),
          inside(analysis.finder.of(bodyOf(loop)))
    {
    }

    std::optional<Pieces> read()
    {
        const auto *head = dyn_cast<ForStmt>(loop);
        const auto *body = head != nullptr ? dyn_cast<CompoundStmt>(head->getBody()) : nullptr;
        std::optional<long long> begin = beginOf(head);
        if (body == nullptr || !begin || counting.step == nullptr || counting.falls ||
            writes(counting.counter) > 0 || !findBound())
            return std::nullopt;
        most = sumOf(counting.step);
        if (!most.known || !isSteady(most) || !isSteady(left))
            return std::nullopt;
        left = combined(left, Sum{true, {{counting.counter, 1}}, 0}, -1);
        for (size_t i = 0; i < body->size(); i++)
            if (std::optional<Pieces> found = lengthAt(body, i, *begin))
                return found;
        return std::nullopt;
    }

  private:
    const Analysis &analysis;
    const Stmt *loop;
    const Counting &counting;
    const Effects inside;
    Sum most, left; /* rows of a piece at most, and that are left */

    /* How often it is set, beside its declaration. */
    std::ptrdiff_t writes(const VarDecl *variable) const
    {
        return llvm::count_if(inside.writes, [&](const Write &write) {
            return write.place.base->getCanonicalDecl() == variable && !write.place.behind &&
                   write.how != Write::How::Declared;
        });
    }

    bool isSteady(const Sum &sum) const
    {
        return sum.known &&
               llvm::none_of(sum.terms, [&](const auto &term) { return writes(term.first) > 0; });
    }

    /* Variables that may be changed elsewhere are unknown. */
    Sum sumOf(const Expr *expression, const std::map<const VarDecl *, Sum> &known = {}) const
    {
        const Expr *bare = expression->IgnoreParenCasts();
        if (std::optional<long long> number = constantInteger(bare, analysis.context))
            return {true, {}, *number};
        if (const VarDecl *variable = variableIn(bare)) {
            auto value = known.find(variable);
            const bool own = variable->getType()->isIntegerType() && variable->hasLocalStorage();
            return value != known.end() ? value->second : Sum{own, {{variable, 1}}, 0};
        }
        const auto *binary = dyn_cast<BinaryOperator>(bare);
        if (binary == nullptr || !binary->isAdditiveOp())
            return {false, {}, 0};
        return combined(sumOf(binary->getLHS(), known), sumOf(binary->getRHS(), known),
                        binary->getOpcode() == BO_Sub ? -1 : 1);
    }

    std::optional<long long> beginOf(const ForStmt *head) const
    {
        const Stmt *init = head != nullptr ? head->getInit() : nullptr;
        const auto *declared = dyn_cast_or_null<DeclStmt>(init);
        const auto *assigned = dyn_cast_or_null<BinaryOperator>(init);
        const Expr *value = nullptr;
        if (declared != nullptr && declared->isSingleDecl())
            if (const auto *variable = dyn_cast<VarDecl>(declared->getSingleDecl());
                variable != nullptr && variable->getCanonicalDecl() == counting.counter)
                value = variable->getInit();
        if (assigned != nullptr && assigned->getOpcode() == BO_Assign &&
            variableIn(assigned->getLHS()) == counting.counter)
            value = assigned->getRHS();
        return value != nullptr ? constantInteger(value->IgnoreParenCasts(), analysis.context)
                                : std::nullopt;
    }

    /* Where the counter ends. */
    bool findBound()
    {
        const Expr *condition = cast<ForStmt>(loop)->getCond();
        const auto *compared =
            condition ? dyn_cast<BinaryOperator>(condition->IgnoreParenCasts()) : nullptr;
        if (compared == nullptr || !compared->isRelationalOp())
            return false;
        const bool swapped = variableIn(compared->getRHS()) == counting.counter;
        const Expr *counter = swapped ? compared->getRHS() : compared->getLHS();
        const BinaryOperatorKind kind =
            swapped ? BinaryOperator::reverseComparisonOp(compared->getOpcode())
                    : compared->getOpcode();
        if (variableIn(counter) != counting.counter || (kind != BO_LT && kind != BO_LE))
            return false;
        left = sumOf(swapped ? compared->getLHS() : compared->getRHS());
        left.number += kind == BO_LE;
        return true;
    }

    /* CONDITION ? ONE : OTHER is the least of both. */
    bool choosesLeast(const Expr *condition, const Sum &one, const Sum &other,
                      const std::map<const VarDecl *, Sum> &known) const
    {
        const auto *compared = dyn_cast<BinaryOperator>(condition->IgnoreParenCasts());
        if (compared == nullptr || !compared->isRelationalOp())
            return false;
        const bool less = compared->getOpcode() == BO_LT || compared->getOpcode() == BO_LE;
        const Sum difference =
            combined(sumOf(compared->getLHS(), known), sumOf(compared->getRHS(), known), -1);
        return difference == combined(less ? one : other, less ? other : one, -1);
    }

    bool isLeast(const Sum &one, const Sum &other) const
    {
        return (one == most && other == left) || (one == left && other == most);
    }

    /* VALUE is the least of what is left and a whole piece. */
    bool isLength(const Expr *value) const
    {
        const Expr *bare = value->IgnoreParenCasts();
        if (const auto *choice = dyn_cast<ConditionalOperator>(bare)) {
            const Sum one = sumOf(choice->getTrueExpr()), other = sumOf(choice->getFalseExpr());
            return isLeast(one, other) && choosesLeast(choice->getCond(), one, other, {});
        }
        const auto *call = dyn_cast<CallExpr>(bare);
        return call != nullptr && call->getNumArgs() == 2 && givesLeast(call) &&
               isLeast(sumOf(call->getArg(0)), sumOf(call->getArg(1)));
    }

    /* CALL is of a function of the file that hands back the least of two numbers. */
    bool givesLeast(const CallExpr *call) const
    {
        const FunctionDecl *callee = definitionOf(call);
        const Expr *value = returnedBy(callee);
        const auto *choice =
            value != nullptr ? dyn_cast<ConditionalOperator>(value->IgnoreParenCasts()) : nullptr;
        if (choice == nullptr || callee->getNumParams() != 2)
            return false;
        const Sum one = sumOf(choice->getTrueExpr()), other = sumOf(choice->getFalseExpr());
        const Sum first{true, {{callee->getParamDecl(0)->getCanonicalDecl(), 1}}, 0};
        const Sum second{true, {{callee->getParamDecl(1)->getCanonicalDecl(), 1}}, 0};
        return ((one == first && other == second) || (one == second && other == first)) &&
               choosesLeast(choice->getCond(), one, other, {});
    }

    /* The variable that STATEMENT gives a VALUE. */
    static const VarDecl *setBy(const Stmt *statement, const Expr *&value)
    {
        if (const auto *compound = dyn_cast<CompoundStmt>(statement);
            compound != nullptr && compound->size() == 1)
            statement = compound->body_front();
        if (const auto *declared = dyn_cast<DeclStmt>(statement)) {
            const auto *variable =
                declared->isSingleDecl() ? dyn_cast<VarDecl>(declared->getSingleDecl()) : nullptr;
            value = variable != nullptr ? variable->getInit() : nullptr;
            return value != nullptr ? variable->getCanonicalDecl() : nullptr;
        }
        const auto *binary = dyn_cast<BinaryOperator>(statement);
        value = binary != nullptr ? binary->getRHS() : nullptr;
        return binary != nullptr && binary->getOpcode() == BO_Assign ? variableIn(binary->getLHS())
                                                                     : nullptr;
    }

    /* "if (...) LENGTH = other;", where it is VALUE: makes it the least of both. */
    bool makesLeast(const Stmt *statement, const VarDecl *length, const Sum &value) const
    {
        const auto *choice = dyn_cast<IfStmt>(statement);
        const Expr *instead = nullptr;
        if (choice == nullptr || choice->getElse() != nullptr ||
            setBy(choice->getThen(), instead) != length)
            return false;
        const std::map<const VarDecl *, Sum> known = {{length, value}};
        const Sum other = sumOf(instead, known);
        return isLeast(value, other) && choosesLeast(choice->getCond(), other, value, known);
    }

    std::optional<Pieces> lengthAt(const CompoundStmt *body, size_t i, long long begin) const
    {
        const Stmt *statement = body->body_begin()[i];
        const Stmt *next = i + 1 < body->size() ? body->body_begin()[i + 1] : nullptr;
        const Expr *value = nullptr;
        const VarDecl *length = setBy(statement, value);
        if (length == nullptr || !length->hasLocalStorage() || !length->getType()->isIntegerType())
            return std::nullopt;
        const std::ptrdiff_t first = isa<DeclStmt>(statement) ? 0 : 1;
        if (isLength(value) && writes(length) == first)
            return Pieces{length, statement, begin};
        if (next != nullptr && makesLeast(next, length, sumOf(value)) &&
            writes(length) == first + 1)
            return Pieces{length, next, begin};
        return std::nullopt;
    }
};

} // namespace

std::optional<Pieces> piecesOf(const Analysis &analysis, const Stmt *loop, const Counting &counting)
{
    return counting.counter != nullptr ? Reader(analysis, loop, counting).read() : std::nullopt;
}

} // namespace xmpi
