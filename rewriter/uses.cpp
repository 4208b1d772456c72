/* SPDX-License-Identifier: BSD-3-Clause
 * Walks the loop and the functions behind it. */
#include "uses.h"
#include "safety.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

static const VarDecl *namedBy(const Expr *expression)
{
    std::optional<Place> place = placeOf(expression->IgnoreParenCasts());
    if (const auto *unary = dyn_cast<UnaryOperator>(expression->IgnoreParenCasts()))
        if (unary->getOpcode() == UO_AddrOf)
            place = placeOf(unary->getSubExpr());
    return place ? place->base->getCanonicalDecl() : nullptr;
}

LoopUses::LoopUses(Analysis &analysis) : analysis(analysis)
{
    bodies.push_back(analysis.loop);
    for (const FunctionDecl *function :
         analysis.finder.reachable(analysis.finder.of(analysis.loop)))
        bodies.push_back(function->getBody());
    for (const Stmt *body : bodies) {
        effects.push_back(analysis.finder.of(body));
        bindCalls(effects.back());
        findAccesses(body);
    }
}

void LoopUses::bindCalls(const Effects &inside)
{
    for (const CallExpr *call : inside.calls) {
        const FunctionDecl *callee = call->getDirectCallee();
        callee = callee != nullptr ? callee->getDefinition() : nullptr;
        if (callee == nullptr)
            continue;
        for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); i++)
            if (const VarDecl *variable = namedBy(call->getArg(i)))
                bound[callee->getParamDecl(i)->getCanonicalDecl()].insert(variable);
    }
}

std::set<const VarDecl *> LoopUses::meaning(const VarDecl *variable) const
{
    std::set<const VarDecl *> seen;
    std::vector<const VarDecl *> open = {variable->getCanonicalDecl()};
    while (!open.empty()) {
        const VarDecl *next = open.back();
        open.pop_back();
        if (!seen.insert(next).second)
            continue;
        auto found = bound.find(next);
        if (found != bound.end())
            open.insert(open.end(), found->second.begin(), found->second.end());
    }
    return seen;
}

bool LoopUses::means(const VarDecl *variable, const VarDecl *wanted) const
{
    return meaning(variable).count(wanted->getCanonicalDecl()) != 0;
}

bool LoopUses::mentionsRange(const Stmt *expression, RangeKind kind) const
{
    for (const Mention &mention : analysis.finder.of(expression).mentions) {
        for (const RangeVariable &range : analysis.ranges)
            if (range.kind == kind && overlap(range.place, mention.place))
                return true;
        for (const VarDecl *variable : meaning(mention.place.base))
            for (const RangeVariable &range : analysis.ranges)
                if (range.kind == kind && mention.place.field == nullptr &&
                    range.place.field == nullptr &&
                    range.place.base->getCanonicalDecl() == variable)
                    return true;
    }
    return false;
}

void LoopUses::addAccess(const Expr *base, const Expr *index)
{
    const auto *reference = dyn_cast<DeclRefExpr>(base->IgnoreParenCasts());
    const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    if (variable != nullptr)
        accesses.push_back({variable->getCanonicalDecl(), index, base->getExprLoc()});
    const auto *member = dyn_cast<MemberExpr>(base->IgnoreParenCasts());
    std::optional<Place> place =
        member != nullptr && member->getType()->isPointerType() ? placeOf(member) : std::nullopt;
    if (place && place->field != nullptr)
        members.emplace_back(*place, base->getExprLoc());
}

void LoopUses::findAccesses(const Stmt *statement)
{
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(statement))
        addAccess(subscript->getBase(), subscript->getIdx());
    if (const auto *binary = dyn_cast<BinaryOperator>(statement))
        if (binary->isAdditiveOp() && binary->getType()->isPointerType()) {
            bool left = binary->getLHS()->getType()->isPointerType();
            addAccess(left ? binary->getLHS() : binary->getRHS(),
                      left ? binary->getRHS() : binary->getLHS());
        }
    for (const Stmt *child : statement->children())
        if (child != nullptr)
            findAccesses(child);
}

static bool isElement(const Write &write)
{
    return write.place.element || write.place.type->isArrayType() ||
           write.place.base->getType()->isArrayType();
}

bool LoopUses::isWritten(const VarDecl *variable) const
{
    for (const Effects &inside : effects)
        for (const Write &write : inside.writes) {
            const FunctionDecl *callee = write.call ? write.call->getDirectCallee() : nullptr;
            bool own = callee != nullptr && callee->getDefinition() != nullptr;
            if (!own && isElement(write) && means(write.place.base, variable))
                return true;
        }
    return false;
}

bool LoopUses::isCollective(const Write &write)
{
    if (write.call == nullptr)
        return false;
    static const char *const names[] = {"MPI_Allgather", "MPI_Allgatherv", "MPI_Allreduce",
                                        "MPI_Bcast"};
    llvm::StringRef name = calleeName(write.call);
    return std::any_of(std::begin(names), std::end(names),
                       [&](const char *known) { return name == known; });
}

} // namespace xmpi
