/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/set_whole.h"
#include "source/integer.h"
#include "source/within.h"
#include <map>

namespace xmpi
{

using namespace clang;

namespace
{

const VarDecl *variableIn(const Expr *expression)
{
    const auto *name = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable ? variable->getCanonicalDecl() : nullptr;
}

class WholeSetter
{
  public:
    explicit WholeSetter(const ASTContext &context) : context(context)
    {
    }

    std::set<const VarDecl *> setBy(const ForStmt *loop)
    {
        std::set<const VarDecl *> found;
        if (anyWithin(loop, isObscure))
            return found;
        visit(loop);
        for (const auto &[array, times] : stores)
            if (times == namedIn(loop, array))
                found.insert(array);
        return found;
    }

  private:
    const ASTContext &context;
    std::map<const VarDecl *, long long> lengths; /* of the loops around, by their counters */
    std::map<const VarDecl *, int> stores;        /* that set all of an array */

    /* A pass may end early, or reach what is in an array by another name. */
    static bool isObscure(const Stmt *one)
    {
        const auto *operation = dyn_cast<UnaryOperator>(one);
        const auto *element = dyn_cast<ArraySubscriptExpr>(one);
        const auto *member = dyn_cast<MemberExpr>(one);
        return isa<BreakStmt, ContinueStmt, GotoStmt, IndirectGotoStmt, ReturnStmt, LabelStmt,
                   SwitchStmt, CallExpr, AsmStmt, StmtExpr>(one) ||
               (operation &&
                (operation->getOpcode() == UO_Deref || operation->getOpcode() == UO_AddrOf)) ||
               (element && !element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()) ||
               (member && member->isArrow());
    }

    static int namedIn(const Stmt *statement, const VarDecl *variable)
    {
        int times = 0;
        eachWithin(statement, [&](const Stmt *one) {
            const auto *name = dyn_cast<DeclRefExpr>(one);
            times += name != nullptr && name->getDecl()->getCanonicalDecl() == variable;
        });
        return times;
    }

    void visit(const Stmt *statement)
    {
        if (const auto *loop = dyn_cast_or_null<ForStmt>(statement))
            return visitLoop(loop);
        if (const auto *several = dyn_cast_or_null<CompoundStmt>(statement))
            for (const Stmt *one : several->body())
                visit(one);
        const auto *expression = dyn_cast_or_null<Expr>(statement);
        const auto *assignment =
            expression ? dyn_cast<BinaryOperator>(expression->IgnoreParenImpCasts()) : nullptr;
        if (assignment == nullptr || assignment->getOpcode() != BO_Assign)
            return;
        if (const VarDecl *array = setWhole(assignment->getLHS());
            array != nullptr && assignment->getType()->isArithmeticType())
            stores[array]++;
        visit(assignment->getRHS()); /* a[i] = b[i] = 0 */
    }

    void visitLoop(const ForStmt *loop)
    {
        const VarDecl *counter = counterOf(loop);
        const std::optional<long long> length = counter ? lengthOf(loop, counter) : std::nullopt;
        if (!length || *length <= 0 || lengths.count(counter) != 0 ||
            changes(loop->getBody(), counter))
            return;
        lengths[counter] = *length;
        visit(loop->getBody());
        lengths.erase(counter);
    }

    /* The variable that LOOP begins with 0 and counts in ones; or null. */
    const VarDecl *counterOf(const ForStmt *loop) const
    {
        const VarDecl *counter = nullptr;
        const Expr *begin = nullptr;
        if (const auto *declared = dyn_cast_or_null<DeclStmt>(loop->getInit())) {
            const auto *variable =
                declared->isSingleDecl() ? dyn_cast<VarDecl>(declared->getSingleDecl()) : nullptr;
            begin = variable ? variable->getInit() : nullptr;
            counter = variable ? variable->getCanonicalDecl() : nullptr;
        } else if (const auto *set = dyn_cast_or_null<BinaryOperator>(loop->getInit())) {
            begin = set->getOpcode() == BO_Assign ? set->getRHS() : nullptr;
            counter = variableIn(set->getLHS());
        }
        if (begin == nullptr || counter == nullptr || !counter->hasLocalStorage() ||
            constantInteger(begin, context) != 0)
            return nullptr;
        const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
        const bool counts =
            step != nullptr && step->isIncrementOp() && variableIn(step->getSubExpr()) == counter;
        return counts ? counter : nullptr;
    }

    std::optional<long long> lengthOf(const ForStmt *loop, const VarDecl *counter) const
    {
        const auto *goesOn = dyn_cast_or_null<BinaryOperator>(loop->getCond());
        const bool counted = goesOn != nullptr && variableIn(goesOn->getLHS()) == counter &&
                             (goesOn->getOpcode() == BO_LT || goesOn->getOpcode() == BO_LE);
        const std::optional<long long> bound =
            counted ? constantInteger(goesOn->getRHS(), context) : std::nullopt;
        return bound ? std::optional(*bound + (goesOn->getOpcode() == BO_LE)) : std::nullopt;
    }

    static bool changes(const Stmt *body, const VarDecl *counter)
    {
        return anyWithin(body, [&](const Stmt *one) {
            const auto *binary = dyn_cast<BinaryOperator>(one);
            const auto *step = dyn_cast<UnaryOperator>(one);
            return (binary && binary->isAssignmentOp() &&
                    variableIn(binary->getLHS()) == counter) ||
                   (step && step->isIncrementDecrementOp() &&
                    variableIn(step->getSubExpr()) == counter);
        });
    }

    /* The array all elements of which TARGET comes to in the loops around; or null. */
    const VarDecl *setWhole(const Expr *target) const
    {
        std::set<const VarDecl *> counters;
        const auto *element = dyn_cast<ArraySubscriptExpr>(target->IgnoreParens());
        while (element != nullptr) {
            const Expr *base = element->getBase()->IgnoreParenImpCasts();
            const ConstantArrayType *type = context.getAsConstantArrayType(base->getType());
            const VarDecl *counter = variableIn(element->getIdx());
            const auto length = lengths.find(counter);
            if (type == nullptr || length == lengths.end() || !counters.insert(counter).second ||
                type->getSize() != static_cast<uint64_t>(length->second))
                return nullptr;
            if (const VarDecl *array = variableIn(base))
                return array;
            element = dyn_cast<ArraySubscriptExpr>(base);
        }
        return nullptr;
    }
};

} // namespace

std::set<const VarDecl *> arraysSetBy(const ASTContext &context, const ForStmt *loop)
{
    return WholeSetter(context).setBy(loop);
}

} // namespace xmpi
