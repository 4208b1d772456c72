/* SPDX-License-Identifier: BSD-3-Clause */
#include "flow/set_whole.h"
#include "source/integer.h"
#include "source/loops.h"
#include <map>

namespace xmpi
{

using namespace clang;

namespace
{

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
            if (times == namesOf(loop, array))
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
        const std::optional<CountedLoop> counted = countedLoop(loop);
        const std::optional<long long> length = counted ? lengthOf(*counted) : std::nullopt;
        if (!length || *length <= 0 || lengths.count(counted->counter) != 0)
            return;
        lengths[counted->counter] = *length;
        visit(loop->getBody());
        lengths.erase(counted->counter);
    }

    /* Of what begins with 0. */
    std::optional<long long> lengthOf(const CountedLoop &loop) const
    {
        const std::optional<long long> end = constantInteger(loop.end, context);
        if (!end || constantInteger(loop.begin, context) != 0)
            return std::nullopt;
        return *end + loop.closed;
    }

    /* The array all elements of which TARGET comes to in the loops around; or null. */
    const VarDecl *setWhole(const Expr *target) const
    {
        std::set<const VarDecl *> counters;
        const auto *element = dyn_cast<ArraySubscriptExpr>(target->IgnoreParens());
        while (element != nullptr) {
            const Expr *base = element->getBase()->IgnoreParenImpCasts();
            const ConstantArrayType *type = context.getAsConstantArrayType(base->getType());
            const Expr *index = element->getIdx()->IgnoreParenImpCasts();
            const VarDecl *counter = isa<ExplicitCastExpr>(index) ? nullptr : variableIn(index);
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
