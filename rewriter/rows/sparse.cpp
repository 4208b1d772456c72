/* SPDX-License-Identifier: BSD-3-Clause
 * Finds `for (k = p[i]; k < p[i + 1]; k++)` and what is indexed by k in it. */
#include "rows/sparse.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

namespace
{

class EntriesFinder
{
  public:
    EntriesFinder(const LoopUses &uses, const VarDecl *pointers) : uses(uses), pointers(pointers)
    {
    }

    std::vector<const VarDecl *> entries;

    void find(const Stmt *statement)
    {
        eachWithin(statement, [&](const Stmt *one) {
            const auto *loop = dyn_cast<ForStmt>(one);
            const VarDecl *counter = loop != nullptr ? counterOf(loop) : nullptr;
            if (counter != nullptr)
                collect(loop->getBody(), counter);
        });
    }

  private:
    const LoopUses &uses;
    const VarDecl *pointers;

    /* An element of the row pointers, or a variable that is set to one where it is declared. */
    const Expr *indexOf(const Expr *expression) const
    {
        const Expr *bare = expression->IgnoreParenCasts();
        const VarDecl *variable = variableIn(bare);
        if (variable != nullptr && variable->isLocalVarDecl() && variable->getInit() != nullptr)
            bare = variable->getInit()->IgnoreParenCasts();
        const auto *element = dyn_cast<ArraySubscriptExpr>(bare);
        const VarDecl *base = element != nullptr ? variableIn(element->getBase()) : nullptr;
        return base != nullptr && uses.means(base, pointers) ? element->getIdx() : nullptr;
    }

    const VarDecl *counterOf(const ForStmt *loop) const
    {
        const VarDecl *counter = nullptr;
        const Expr *first = nullptr;
        if (const auto *binary = dyn_cast_or_null<BinaryOperator>(loop->getInit())) {
            counter = binary->getOpcode() == BO_Assign ? variableIn(binary->getLHS()) : nullptr;
            first = binary->getRHS();
        }
        if (const auto *declaration = dyn_cast_or_null<DeclStmt>(loop->getInit()))
            if (declaration->isSingleDecl()) {
                counter = dyn_cast<VarDecl>(declaration->getSingleDecl());
                first = counter ? counter->getInit() : nullptr;
            }
        const auto *condition = dyn_cast_or_null<BinaryOperator>(loop->getCond());
        if (counter == nullptr || first == nullptr || condition == nullptr ||
            condition->getOpcode() != BO_LT || variableIn(condition->getLHS()) != counter)
            return nullptr;
        const Expr *from = indexOf(first), *to = indexOf(condition->getRHS());
        return from != nullptr && to != nullptr && isNext(from, to) ? counter : nullptr;
    }

    /* TO is FROM + 1. */
    static bool isNext(const Expr *from, const Expr *to)
    {
        const auto *sum = dyn_cast<BinaryOperator>(to->IgnoreParenCasts());
        const VarDecl *row = variableIn(from);
        return sum != nullptr && sum->getOpcode() == BO_Add && row != nullptr &&
               variableIn(sum->getLHS()) == row &&
               isa<IntegerLiteral>(sum->getRHS()->IgnoreParenCasts());
    }

    void collect(const Stmt *statement, const VarDecl *counter)
    {
        if (const auto *element = dyn_cast<ArraySubscriptExpr>(statement))
            if (variableIn(element->getIdx()) == counter)
                if (const VarDecl *base = variableIn(element->getBase()))
                    for (const VarDecl *variable : uses.meaning(base))
                        if (!llvm::is_contained(entries, variable))
                            entries.push_back(variable);
        for (const Stmt *child : partsIn(statement))
            collect(child, counter);
    }
};

} // namespace

std::vector<const VarDecl *> entriesOf(const LoopUses &uses, const VarDecl *pointers)
{
    EntriesFinder finder(uses, pointers);
    for (const Stmt *body : uses.bodies)
        finder.find(body);
    return finder.entries;
}

std::optional<std::set<const VarDecl *>>
filledAlong(const Analysis &analysis, const std::vector<const VarDecl *> &arrays,
            const std::function<bool(const VarDecl *, const VarDecl *)> &isSame)
{
    std::set<const VarDecl *> filled(arrays.begin(), arrays.end());
    for (const Item &item : analysis.prologue) {
        std::set<const VarDecl *> here;
        for (const Write &write : item.effects.writes)
            if (write.place.element && write.place.field == nullptr)
                here.insert(write.place.base->getCanonicalDecl());
        bool along = llvm::any_of(here, [&](const VarDecl *one) {
            return llvm::any_of(arrays, [&](const VarDecl *array) { return isSame(one, array); });
        });
        if (along && item.step + 1 < analysis.path.size())
            return std::nullopt;
        if (along)
            filled.insert(here.begin(), here.end());
    }
    return filled;
}

} // namespace xmpi
