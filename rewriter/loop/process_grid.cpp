/* SPDX-License-Identifier: BSD-3-Clause
 * Follows the rank, and the size, as they are, through variables, parameters and members of the
 * file, and looks at what is divided by what. */
#include "loop/process_grid.h"
#include "facts/effects.h"
#include "source/integer.h"
#include "source/variable.h"
#include "source/within.h"
#include <map>

namespace xmpi
{

using namespace clang;

const char partsOfGrid[] = "so its processes move as they are, and their number stays: state(...) "
                           "names rows, not the parts of a grid";

namespace
{

class GridFinder
{
  public:
    explicit GridFinder(const ASTContext &context) : context(context)
    {
        const SourceManager &manager = context.getSourceManager();
        for (const Decl *one : context.getTranslationUnitDecl()->decls())
            if (const auto *function = dyn_cast<FunctionDecl>(one))
                if (function->doesThisDeclarationHaveABody() &&
                    !manager.isInSystemHeader(manager.getExpansionLoc(function->getLocation())))
                    functions.push_back(function);
    }

    std::optional<ProcessGrid> find()
    {
        for (const FunctionDecl *function : functions)
            eachWithin(function->getBody(), [&](const Stmt *part) {
                if (const auto *call = dyn_cast<CallExpr>(part))
                    lookAtCall(call, function->getBody());
            });
        followRank();
        for (const FunctionDecl *function : functions)
            eachWithin(function->getBody(), [&](const Stmt *part) {
                if (const auto *binary = dyn_cast<BinaryOperator>(part))
                    lookAt(binary);
            });
        return found ? found : byDivisors();
    }

  private:
    const ASTContext &context;
    std::vector<const FunctionDecl *> functions;
    std::set<const ValueDecl *> ranks, sizes; /* that hold them; functions that return them */
    std::optional<ProcessGrid> found;

    /* A number by which something is divided, or which lies between ranks: where it is held, or its
     * value. */
    using Number = std::pair<const ValueDecl *, long long>;
    std::map<Number, SourceLocation> remainders;
    std::set<Number> quotients, above, below;

    /* What EXPRESSION is, or leads to, as a whole; null: an element, or something else. */
    static const ValueDecl *holderOf(const Expr *expression)
    {
        expression = expression->IgnoreParenCasts();
        if (const auto *unary = dyn_cast<UnaryOperator>(expression))
            return unary->getOpcode() == UO_Deref || unary->getOpcode() == UO_AddrOf
                       ? holderOf(unary->getSubExpr())
                       : nullptr;
        if (const auto *member = dyn_cast<MemberExpr>(expression))
            return cast<ValueDecl>(member->getMemberDecl()->getCanonicalDecl());
        if (const auto *call = dyn_cast<CallExpr>(expression))
            return call->getDirectCallee() ? call->getDirectCallee()->getCanonicalDecl() : nullptr;
        return variableIn(expression);
    }

    bool isRank(const Expr *expression) const
    {
        const ValueDecl *holder = holderOf(expression);
        return holder != nullptr && ranks.count(holder) != 0;
    }

    size_t known() const
    {
        return ranks.size() + sizes.size();
    }

    /* -- calls of MPI */

    void lookAtCall(const CallExpr *call, const Stmt *body)
    {
        const llvm::StringRef name = calleeName(call);
        if ((name == "MPI_Comm_rank" || name == "MPI_Comm_size") && call->getNumArgs() == 2)
            if (const ValueDecl *holder = holderOf(call->getArg(1)))
                (name == "MPI_Comm_rank" ? ranks : sizes).insert(holder);
        if (found || (name != "MPI_Cart_create" && name != "MPI_Dims_create") ||
            call->getNumArgs() < 3)
            return;
        const Expr *many = call->getArg(1);
        std::optional<long long> dimensions = constantInteger(many, context);
        const VarDecl *variable = variableIn(many), *extents = variableIn(call->getArg(2));
        if (!dimensions && variable != nullptr && variable->hasInit())
            dimensions = constantInteger(variable->getInit(), context);
        if (dimensions && *dimensions > 1 &&
            *dimensions - (extents != nullptr ? singleIn(extents, body) : 0) > 1)
            found = ProcessGrid{call->getExprLoc(), std::to_string(*dimensions)};
    }

    bool isOne(const Expr *value) const
    {
        return constantInteger(value, context) == 1;
    }

    /* How many of the EXTENTS of a grid BODY sets to 1. */
    long long singleIn(const VarDecl *extents, const Stmt *body) const
    {
        long long single = 0;
        if (const auto *list = dyn_cast_or_null<InitListExpr>(extents->getInit()))
            for (const Expr *one : list->inits())
                single += isOne(one);
        eachWithin(body, [&](const Stmt *part) {
            const auto *set = dyn_cast<BinaryOperator>(part);
            const auto *element = set != nullptr && set->getOpcode() == BO_Assign
                                      ? dyn_cast<ArraySubscriptExpr>(set->getLHS()->IgnoreParens())
                                      : nullptr;
            single += element != nullptr && variableIn(element->getBase()) == extents &&
                      isOne(set->getRHS());
        });
        return single;
    }

    /* -- the rank, and what is made of it */

    void followRank()
    {
        for (size_t before = SIZE_MAX; before != known();) {
            before = known();
            for (const FunctionDecl *function : functions)
                eachWithin(function->getBody(), [&](const Stmt *part) { follow(part, function); });
        }
    }

    void follow(const Stmt *part, const FunctionDecl *function)
    {
        for (const VarDecl *variable : declaredBy(part))
            hand(variable->getInit(), variable->getCanonicalDecl());
        if (const auto *binary = dyn_cast<BinaryOperator>(part))
            if (binary->getOpcode() == BO_Assign)
                hand(binary->getRHS(), holderOf(binary->getLHS()));
        if (const auto *back = dyn_cast<ReturnStmt>(part))
            hand(back->getRetValue(), function->getCanonicalDecl());
        const auto *call = dyn_cast<CallExpr>(part);
        const FunctionDecl *callee = call ? definitionOf(call) : nullptr;
        for (unsigned i = 0; callee && i < callee->getNumParams() && i < call->getNumArgs(); i++)
            hand(call->getArg(i), callee->getParamDecl(i)->getCanonicalDecl());
    }

    void hand(const Expr *value, const ValueDecl *to)
    {
        const ValueDecl *holder = value != nullptr && to != nullptr ? holderOf(value) : nullptr;
        for (std::set<const ValueDecl *> *those : {&ranks, &sizes})
            if (holder != nullptr && those->count(holder) != 0)
                those->insert(to);
    }

    std::optional<Number> numberOf(const Expr *expression) const
    {
        if (const std::optional<long long> value = constantInteger(expression, context))
            return Number{nullptr, *value};
        const ValueDecl *holder = holderOf(expression);
        return holder != nullptr && !isa<FunctionDecl>(holder) && sizes.count(holder) == 0 &&
                       ranks.count(holder) == 0
                   ? std::optional(Number{holder, 0})
                   : std::nullopt;
    }

    /* EXPRESSION is the rank, or a number more or less. (Where it is multiplied the result numbers
     * rows.) */
    bool isNearRank(const Expr *expression) const
    {
        const auto *sum = dyn_cast<BinaryOperator>(expression->IgnoreParenCasts());
        if (sum == nullptr || !sum->isAdditiveOp())
            return isRank(expression);
        const bool left = isNearRank(sum->getLHS());
        return left ? numberOf(sum->getRHS()).has_value()
                    : sum->getOpcode() == BO_Add && isNearRank(sum->getRHS()) &&
                          numberOf(sum->getLHS()).has_value();
    }

    void lookAt(const BinaryOperator *binary)
    {
        const std::optional<Number> number = numberOf(binary->getRHS());
        if (!number || !isNearRank(binary->getLHS()))
            return;
        switch (binary->getOpcode()) {
        case BO_Rem:
            remainders.emplace(*number, binary->getExprLoc());
            break;
        case BO_Div:
            quotients.insert(*number);
            break;
        case BO_Add:
            above.insert(*number);
            break;
        case BO_Sub:
            below.insert(*number);
            break;
        default:
            break;
        }
    }

    /* It talks to those next to it, and to others by a number of more ranks. */
    bool hasNeighboursInRows() const
    {
        const auto both = [&](const Number &number) {
            return above.count(number) != 0 && below.count(number) != 0;
        };
        const Number one{nullptr, 1};
        return both(one) && llvm::any_of(above, [&](const Number &number) {
                   return number != one && both(number);
               });
    }

    /* (By 2 a rank may be divided for an order of sending, or of a tree.) */
    std::optional<ProcessGrid> byDivisors() const
    {
        const bool neighbours = hasNeighboursInRows();
        for (const auto &[number, where] : remainders)
            if (neighbours ||
                (quotients.count(number) != 0 && (number.first != nullptr || number.second > 2)))
                return ProcessGrid{where, "several"};
        return std::nullopt;
    }
};

} // namespace

std::optional<ProcessGrid> processGridIn(const ASTContext &context)
{
    return GridFinder(context).find();
}

} // namespace xmpi
