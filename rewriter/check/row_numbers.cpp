/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at which elements of registered arrays become indices of rows, or are compared with the
 * rank. */
#include "check/row_numbers.h"
#include "facts/first_use.h"

namespace xmpi
{

using namespace clang;

namespace
{

/* Where MPI takes the number of a rank: positions among the arguments. */
struct RankArguments {
    const char *name;
    std::vector<unsigned> at;
};

const RankArguments rankArguments[] = {
    {"MPI_Send", {3}},        {"MPI_Ssend", {3}}, {"MPI_Isend", {3}},
    {"MPI_Issend", {3}},      {"MPI_Recv", {3}},  {"MPI_Irecv", {3}},
    {"MPI_Sendrecv", {3, 8}}, {"MPI_Bcast", {3}}, {"MPI_Reduce", {5}}};

class RowNumbers
{
  public:
    RowNumbers(Analysis &analysis, const LoopUses &uses)
        : analysis(analysis), uses(uses), distributed(analysis.distributed())
    {
        for (const Site &site : analysis.program.sites)
            addPointers(site.what);
        addPointers(analysis.program.loop.before);
    }

    bool check()
    {
        for (const Stmt *body : uses.bodies)
            if (!checkRanks(body))
                return false;
        return llvm::all_of(uses.accesses,
                            [&](const Access &access) { return checkIndex(access); });
    }

  private:
    enum { MaxDepth = 5 };

    Analysis &analysis;
    const LoopUses &uses;
    const std::set<const VarDecl *> distributed;
    std::set<std::string> pointers; /* to the entries of rows: the runtime makes them right */

    void addPointers(const Registrations &what)
    {
        for (const Data &data : what.data)
            if (data.csr == 1)
                pointers.insert(data.name);
    }

    bool refuse(SourceLocation where, const VarDecl *array, llvm::StringRef what,
                llvm::StringRef remedy)
    {
        return analysis.diagnostics.report(where, Problem::RowNumbers,
                                           {array->getName(), what, remedy});
    }

    /* -- elements */

    /* The array that EXPRESSION is a number in an element of, also of an array or struct in it. */
    static const VarDecl *arrayOf(const Expr *expression)
    {
        const Expr *bare = expression->IgnoreParenCasts();
        if (!bare->getType()->isArithmeticType())
            return nullptr;
        for (;;) {
            const auto *member = dyn_cast<MemberExpr>(bare);
            const auto *subscript = dyn_cast<ArraySubscriptExpr>(bare);
            const Expr *inner = subscript ? subscript->getBase()->IgnoreParenCasts() : nullptr;
            const bool within =
                inner != nullptr && inner->getType()->isArrayType() && !isa<DeclRefExpr>(inner);
            if (member != nullptr && member->isArrow())
                return nullptr;
            if (member == nullptr && !within)
                break;
            bare = member != nullptr ? member->getBase()->IgnoreParenCasts() : inner;
        }
        if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(bare))
            return pointerIn(subscript->getBase());
        const auto *unary = dyn_cast<UnaryOperator>(bare);
        return unary != nullptr && unary->getOpcode() == UO_Deref ? pointerIn(unary->getSubExpr())
                                                                  : nullptr;
    }

    /* The registered array that EXPRESSION is an element of, with what it was before the
     * iteration; or null. */
    const VarDecl *dataOf(const Expr *expression) const
    {
        const VarDecl *named = arrayOf(expression);
        if (named == nullptr)
            return nullptr;
        for (const VarDecl *meant : uses.meaning(named))
            if (analysis.isData(meant) && pointers.count(analysis.data.at(meant)) == 0 &&
                !setsBeforeReading(analysis, meant, nullptr, false))
                return meant;
        return nullptr;
    }

    /* An element somewhere in EXPRESSION, not in the index of another one. */
    const VarDecl *elementIn(const Stmt *expression) const
    {
        const auto *value = dyn_cast<Expr>(expression);
        if (value != nullptr && arrayOf(value) != nullptr)
            return dataOf(value);
        for (const Stmt *child : expression->children())
            if (const VarDecl *found = child != nullptr ? elementIn(child) : nullptr)
                return found;
        return nullptr;
    }

    /* -- numbers of ranks */

    bool checkRanks(const Stmt *statement)
    {
        if (const auto *binary = dyn_cast<BinaryOperator>(statement))
            if (binary->isComparisonOp() && (!checkRank(binary->getLHS(), binary->getRHS()) ||
                                             !checkRank(binary->getRHS(), binary->getLHS())))
                return false;
        if (const auto *call = dyn_cast<CallExpr>(statement))
            for (const RankArguments &known : rankArguments)
                for (unsigned at : known.at)
                    if (calleeName(call) == known.name && at < call->getNumArgs() &&
                        !checkRank(nullptr, call->getArg(at)))
                        return false;
        return llvm::all_of(statement->children(), [&](const Stmt *child) {
            return child == nullptr || checkRanks(child);
        });
    }

    /* VALUE is compared with what RANK is, or (null) is the rank to send to. */
    bool checkRank(const Expr *rank, const Expr *value)
    {
        if (rank != nullptr && !uses.mentionsRange(rank, RangeKind::Rank))
            return true;
        const VarDecl *array = elementIn(value);
        return array == nullptr ||
               refuse(value->getExprLoc(), array, "numbers of ranks",
                      "where the loop does not change it, write '#pragma xmpi setup' before the "
                      "statements that allocate and fill it, so that they are run again; else "
                      "keep numbers of rows, and compare them with the process's first and last "
                      "one");
    }

    /* -- local numbers of rows */

    bool checkIndex(const Access &access)
    {
        const std::set<const VarDecl *> meant = uses.meaning(access.variable);
        bool own = llvm::any_of(meant, [&](const VarDecl *variable) {
            return distributed.count(variable) != 0 && uses.touches(access, variable);
        });
        const VarDecl *array = own ? rowNumber(access.index, 0) : nullptr;
        return array == nullptr || isGuarded(access.base) ||
               refuse(access.where, array, "indices of the process's own rows",
                      "where the loop does not change it, write '#pragma xmpi setup' before the "
                      "statements that allocate and fill it, so that they are run again; else "
                      "fill it in each iteration before it is used, or keep numbers of all rows, "
                      "and ask of each whether it is one of the process's");
    }

    /* Only where a condition tells that the row is the process's own. */
    bool isGuarded(const Stmt *place) const
    {
        for (const Stmt *outer = place; outer != nullptr;
             outer = analysis.structure.parent(outer)) {
            const Expr *condition = nullptr;
            if (const auto *choice = dyn_cast<IfStmt>(outer))
                condition = choice->getCond();
            else if (const auto *value = dyn_cast<ConditionalOperator>(outer))
                condition = value->getCond();
            if (condition != nullptr && (uses.mentionsRange(condition, RangeKind::Displ) ||
                                         uses.mentionsRange(condition, RangeKind::Begin)))
                return true;
        }
        return false;
    }

    /* first, or what is subtracted or added like it. */
    bool isFirst(const Expr *expression) const
    {
        return uses.mentionsRange(expression, RangeKind::Displ) ||
               uses.mentionsRange(expression, RangeKind::Begin);
    }

    /* The distributed array of whose elements one is the number of the row in INDEX; or null. */
    const VarDecl *rowNumber(const Expr *index, int depth) const
    {
        const Expr *bare = index->IgnoreParenCasts();
        if (depth > MaxDepth)
            return nullptr;
        if (arrayOf(bare) != nullptr) {
            const VarDecl *array = dataOf(bare);
            return array != nullptr && distributed.count(array) ? array : nullptr;
        }
        if (const auto *binary = dyn_cast<BinaryOperator>(bare))
            return rowNumberIn(binary, depth);
        if (const auto *unary = dyn_cast<UnaryOperator>(bare))
            return rowNumber(unary->getSubExpr(), depth + 1);
        if (const auto *choice = dyn_cast<ConditionalOperator>(bare)) {
            const VarDecl *found = rowNumber(choice->getTrueExpr(), depth + 1);
            return found != nullptr ? found : rowNumber(choice->getFalseExpr(), depth + 1);
        }
        const VarDecl *variable = variableAt(bare);
        return variable != nullptr ? rowNumberOf(variable, depth) : nullptr;
    }

    /* row * length + column, or row + 1; of two that vary, which one is the row is not clear. */
    const VarDecl *rowNumberIn(const BinaryOperator *binary, int depth) const
    {
        const Expr *left = binary->getLHS()->IgnoreParenCasts();
        const Expr *right = binary->getRHS()->IgnoreParenCasts();
        if (binary->getOpcode() == BO_Mul) {
            const VarDecl *found = rowNumber(left, depth + 1);
            return found != nullptr ? found : rowNumber(right, depth + 1);
        }
        if (binary->isAssignmentOp() || binary->getOpcode() == BO_Comma)
            return rowNumber(right, depth + 1);
        if (!binary->isAdditiveOp())
            return nullptr;
        bool first = isProduct(left) || isFixed(right), second = isProduct(right) || isFixed(left);
        if (first == second)
            return nullptr;
        return rowNumber(first ? left : right, depth + 1);
    }

    static bool isProduct(const Expr *expression)
    {
        const auto *binary = dyn_cast<BinaryOperator>(expression);
        return binary != nullptr &&
               (binary->getOpcode() == BO_Mul ||
                (binary->isAdditiveOp() && (isProduct(binary->getLHS()->IgnoreParenCasts()) ||
                                            isProduct(binary->getRHS()->IgnoreParenCasts()))));
    }

    bool isFixed(const Expr *expression) const
    {
        return expression->isEvaluatable(analysis.context) || isFirst(expression);
    }

    /* What the iteration sets VARIABLE to. */
    const VarDecl *rowNumberOf(const VarDecl *variable, int depth) const
    {
        for (const Stmt *body : uses.bodies) {
            const Effects inside = analysis.finder.of(body);
            for (const Write &write : inside.writes)
                if (write.place.base == variable && write.value != nullptr &&
                    write.value->getType()->isIntegerType() && !isItself(write.value, variable))
                    if (const VarDecl *found = rowNumber(write.value, depth + 1))
                        return found;
            const VarDecl *found = isa<ParmVarDecl>(variable)
                                       ? rowNumberIn(inside, cast<ParmVarDecl>(variable), depth)
                                       : nullptr;
            if (found != nullptr)
                return found;
        }
        return nullptr;
    }

    static bool isItself(const Expr *value, const VarDecl *variable)
    {
        return variableAt(value->IgnoreParenCasts()) == variable;
    }

    /* What calls hand to PARAMETER. */
    const VarDecl *rowNumberIn(const Effects &inside, const ParmVarDecl *parameter, int depth) const
    {
        for (const CallExpr *call : inside.calls)
            for (const FunctionDecl *callee : analysis.finder.callees(call)) {
                unsigned at = parameter->getFunctionScopeIndex();
                if (callee != parameter->getDeclContext() || at >= call->getNumArgs() ||
                    !call->getArg(at)->getType()->isIntegerType())
                    continue;
                if (const VarDecl *found = rowNumber(call->getArg(at), depth + 1))
                    return found;
            }
        return nullptr;
    }
};

} // namespace

bool checkRowNumbers(Analysis &analysis, const LoopUses &uses)
{
    return RowNumbers(analysis, uses).check();
}

} // namespace xmpi
