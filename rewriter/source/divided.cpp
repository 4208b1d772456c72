/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the arrays that processes divide. */
#include "source/divided.h"
#include "facts/effects.h"
#include "source/variable.h"
#include "source/visitor.h"
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

using namespace clang;

std::vector<const FunctionDecl *> functionsOf(ASTContext &context)
{
    std::vector<const FunctionDecl *> functions;
    for (const Decl *decl : context.getTranslationUnitDecl()->decls()) {
        const auto *function = dyn_cast<FunctionDecl>(decl);
        bool ours = function != nullptr && function->doesThisDeclarationHaveABody() &&
                    !context.getSourceManager().isInSystemHeader(function->getLocation());
        if (ours)
            functions.push_back(function);
    }
    return functions;
}

namespace
{

/* Integers that branches set, with the condition; heads of loops inside do not count. */
class Chosen : public Visitor
{
  public:
    std::vector<std::pair<Place, const Expr *>> all;

    bool TraverseIfStmt(IfStmt *choice) override
    {
        conditions.push_back(choice->getCond());
        bool more = TraverseStmt(choice->getThen()) && TraverseStmt(choice->getElse());
        conditions.pop_back();
        return more;
    }

    bool TraverseForStmt(ForStmt *loop) override
    {
        return TraverseStmt(loop->getBody());
    }

    void VisitBinaryOperator(BinaryOperator *binary) override
    {
        std::optional<Place> place = binary->isAssignmentOp() && binary->getType()->isIntegerType()
                                         ? placeOf(binary->getLHS())
                                         : std::nullopt;
        for (const Expr *condition : conditions)
            if (place && !place->element)
                all.emplace_back(*place, condition);
    }

  private:
    std::vector<const Expr *> conditions;
};

/* Variables that may depend on the rank, whatever the order of the statements. */
class Ranked
{
  public:
    explicit Ranked(const std::vector<const FunctionDecl *> &functions) : functions(functions)
    {
        for (const FunctionDecl *function : functions)
            all.push_back(EffectsFinder().of(function->getBody()));
        while (findAsking())
            ;
        Chosen chosen;
        for (const FunctionDecl *function : functions)
            chosen.TraverseStmt(function->getBody());
        for (bool more = true; more;) {
            more = false;
            for (const Effects &effects : all)
                more = follow(effects) || more;
            for (const auto &[place, condition] : chosen.all)
                if (isIn(condition) && !isAgreed(place))
                    more = insert(place.base, place.field) || more;
        }
    }

    bool isIn(const Stmt *statement) const
    {
        if (statement == nullptr)
            return false;
        const Effects effects = EffectsFinder().of(statement);
        return llvm::any_of(effects.mentions,
                            [&](const Mention &mention) { return isIn(mention.place); }) ||
               llvm::any_of(effects.calls, [&](const CallExpr *call) { return isRank(call); });
    }

    const std::vector<Effects> &effects() const
    {
        return all;
    }

  private:
    using Part = std::pair<const VarDecl *, const FieldDecl *>;

    const std::vector<const FunctionDecl *> &functions;
    std::vector<Effects> all; /* of each function */
    std::set<Part> parts;     /* variables, or members of them */
    std::set<const FunctionDecl *> asking;

    bool isIn(const Place &place) const
    {
        const VarDecl *base = place.base->getCanonicalDecl();
        auto first = parts.lower_bound({base, nullptr});
        bool any = first != parts.end() && first->first == base;
        return any && (place.field == nullptr || parts.count({base, nullptr}) != 0 ||
                       parts.count({base, place.field}) != 0);
    }

    bool insert(const VarDecl *variable, const FieldDecl *field)
    {
        return parts.insert({variable->getCanonicalDecl(), field}).second;
    }

    /* All get it from one of them, or reduce it. */
    bool isAgreed(const Place &place) const
    {
        for (const Effects &effects : all)
            for (const Write &write : effects.writes)
                if (write.call != nullptr && overlap(write.place, place) &&
                    (calleeName(write.call) == "MPI_Bcast" ||
                     calleeName(write.call) == "MPI_Allreduce"))
                    return true;
        return false;
    }

    /* MPI_Comm_rank, or a function that calls it. */
    bool isRank(const CallExpr *call) const
    {
        const FunctionDecl *callee = call->getDirectCallee();
        return calleeName(call) == "MPI_Comm_rank" ||
               (callee != nullptr && asking.count(callee->getCanonicalDecl()) != 0);
    }

    bool findAsking()
    {
        bool more = false;
        for (size_t i = 0; i < functions.size(); i++)
            if (llvm::any_of(all[i].calls, [&](const CallExpr *call) { return isRank(call); }))
                more = asking.insert(functions[i]->getCanonicalDecl()).second || more;
        return more;
    }

    bool follow(const Effects &effects)
    {
        bool more = false;
        for (const CallExpr *call : effects.calls) {
            const FunctionDecl *callee = definitionOf(call);
            for (unsigned i = 0; callee != nullptr && i < callee->getNumParams(); i++)
                if (i < call->getNumArgs() && isIn(call->getArg(i)))
                    more = insert(callee->getParamDecl(i), nullptr) || more;
        }
        for (const Write &write : effects.writes)
            if (setsRanked(write))
                more = insert(write.place.base, write.place.field) || more;
        return more;
    }

    /* What can be a bound of a loop, or hold one. */
    bool setsRanked(const Write &write) const
    {
        if (!write.place.type->isIntegerType() && !write.place.type->isRecordType() &&
            !write.place.type->isAnyPointerType())
            return false;
        if (isIn(write.value) || (write.call != nullptr && isRank(write.call)))
            return true;
        return write.call != nullptr &&
               llvm::any_of(write.call->arguments(),
                            [&](const Expr *argument) { return isIn(argument); });
    }
};

/* What loops set by their counter, where their bounds depend on the rank, or what is asked of the
 * counter in them does: arrays, and pointers that lead to them. */
class Finder : public Visitor
{
  public:
    Finder(const Ranked &ranked, const std::vector<const FunctionDecl *> &functions)
        : ranked(ranked)
    {
        for (const FunctionDecl *function : functions)
            TraverseStmt(function->getBody());
        for (bool more = true; more;) {
            more = false;
            for (const Effects &effects : ranked.effects())
                more = follow(effects) || more;
        }
    }

    std::set<const VarDecl *> variables, inner;

    bool TraverseForStmt(ForStmt *loop) override
    {
        bool own = ranked.isIn(loop->getCond()) || ranked.isIn(loop->getInit());
        std::vector<const VarDecl *> outside = counters;
        if (loop->getInc() != nullptr)
            for (const Write &write : EffectsFinder().of(loop->getInc()).writes)
                if (own || picks(loop->getBody(), write.place.base))
                    counters.push_back(write.place.base);
        bool more = Visitor::TraverseForStmt(loop);
        counters = outside;
        return more;
    }

    void VisitBinaryOperator(BinaryOperator *binary) override
    {
        const Expr *target = binary->getLHS()->IgnoreParens(), *index = nullptr, *next = nullptr;
        if (!binary->isAssignmentOp())
            return;
        while (const auto *member = dyn_cast<MemberExpr>(target))
            target = member->getBase()->IgnoreParenImpCasts();
        while (const auto *subscript = dyn_cast<ArraySubscriptExpr>(target)) {
            next = index;
            index = subscript->getIdx();
            target = subscript->getBase()->IgnoreParenImpCasts();
        }
        const VarDecl *variable = variableAt(target);
        if (index != nullptr && variable != nullptr && isCounted(index))
            variables.insert(variable->getCanonicalDecl());
        else if (next != nullptr && variable != nullptr && isCounted(next))
            inner.insert(variable->getCanonicalDecl());
    }

  private:
    const Ranked &ranked;
    std::vector<const VarDecl *> counters;

    /* `if (owner[i] != rank) continue;`: some of what COUNTER goes through are the process's. */
    bool picks(const Stmt *body, const VarDecl *counter) const
    {
        const auto *choice = dyn_cast<IfStmt>(body);
        if (choice != nullptr && ranked.isIn(choice->getCond())) {
            const Effects effects = EffectsFinder().of(choice->getCond());
            if (llvm::any_of(effects.mentions,
                             [&](const Mention &one) { return one.place.base == counter; }))
                return true;
        }
        return llvm::any_of(body->children(), [&](const Stmt *child) {
            return child != nullptr && picks(child, counter);
        });
    }

    bool isCounted(const Expr *index) const
    {
        const Effects effects = EffectsFinder().of(index);
        return llvm::any_of(effects.mentions, [&](const Mention &mention) {
            return llvm::find(counters, mention.place.base) != counters.end();
        });
    }

    /* u[LEVEL], one of a few arrays, and the same one on all processes; or null. */
    const VarDecl *severalIn(const Expr *value) const
    {
        const auto *element = dyn_cast<ArraySubscriptExpr>(value->IgnoreParenImpCasts());
        const VarDecl *variable = element ? variableIn(element->getBase()) : nullptr;
        return variable != nullptr && isFewArrays(variable->getType()) &&
                       !ranked.isIn(element->getIdx())
                   ? variable
                   : nullptr;
    }

    bool insert(const Expr *value)
    {
        if (const VarDecl *several = value != nullptr ? severalIn(value) : nullptr)
            return inner.insert(several).second;
        std::optional<Place> place = value != nullptr ? placeOf(value) : std::nullopt;
        return place && place->field == nullptr &&
               variables.insert(place->base->getCanonicalDecl()).second;
    }

    /* From pointers back to what they point to. */
    bool follow(const Effects &effects)
    {
        bool more = false;
        for (const CallExpr *call : effects.calls) {
            const FunctionDecl *callee = definitionOf(call);
            for (unsigned i = 0; callee != nullptr && i < callee->getNumParams(); i++)
                if (i < call->getNumArgs() &&
                    variables.count(callee->getParamDecl(i)->getCanonicalDecl()))
                    more = insert(call->getArg(i)) || more;
        }
        for (const Write &write : effects.writes)
            if (write.value != nullptr && write.place.type->isPointerType() &&
                variables.count(write.place.base->getCanonicalDecl()))
                more = insert(write.value) || more;
        return more;
    }
};

} // namespace

bool isFewArrays(QualType type)
{
    enum { Most = 32 };
    const auto *array = dyn_cast<ConstantArrayType>(type.getCanonicalType().getTypePtr());
    return array != nullptr && array->getElementType()->isConstantArrayType() &&
           array->getSize().getLimitedValue() <= Most;
}

DividedArrays::DividedArrays(ASTContext &context)
{
    const std::vector<const FunctionDecl *> functions = functionsOf(context);
    const Ranked ranked(functions);
    Finder finder(ranked, functions);
    variables = std::move(finder.variables);
    inner = std::move(finder.inner);
}

} // namespace xmpi
