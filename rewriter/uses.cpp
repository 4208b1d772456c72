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

bool LoopUses::mentionsVariable(const Stmt *expression, const VarDecl *variable) const
{
    for (const Mention &mention : analysis.finder.of(expression).mentions)
        if (mention.place.base->getCanonicalDecl() == variable)
            return true;
    return false;
}

bool LoopUses::isScratch(const VarDecl *variable) const
{
    const Effects &inside = effects.front();
    for (const Write &write : inside.writes) {
        if (!isElement(write) || write.place.base->getCanonicalDecl() != variable)
            continue;
        const FunctionDecl *callee = write.call ? write.call->getDirectCallee() : nullptr;
        if (callee != nullptr && callee->getDefinition() != nullptr)
            return false;
        for (const Mention &mention : inside.mentions)
            if (mention.place.base->getCanonicalDecl() == variable) {
                SourceLocation first = mention.where, own = write.where;
                unsigned gap = analysis.source.offset(own) - analysis.source.offset(first);
                bool self = std::any_of(
                    inside.writes.begin(), inside.writes.end(), [&](const Write &other) {
                        return other.where == write.where && other.value != nullptr &&
                               mentionsVariable(other.value, variable);
                    });
                return gap < 8 && !self && write.conditions.size() <= 4 &&
                       (write.call == nullptr || isMpiCall(write.call) ||
                        calleeName(write.call) == "memset" || calleeName(write.call) == "memcpy");
            }
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

/* The last that happens to VARIABLE is a collective operation, in any case. */
bool LoopUses::endsCollective(const VarDecl *variable, const Effects &inside) const
{
    const Write *last = nullptr;
    for (const Write &write : inside.writes)
        if (write.place.base->getCanonicalDecl() == variable)
            last = &write;
    return last != nullptr && isCollective(*last);
}

bool LoopUses::isRankedName(const Expr *name) const
{
    std::optional<Place> place = placeOf(name);
    if (!place)
        return false;
    if (ranked.count(place->base->getCanonicalDecl()) || analysis.isSetup(*place))
        return true;
    for (const VarDecl *variable : meaning(place->base))
        if (ranked.count(variable))
            return true;
    for (RangeKind kind :
         {RangeKind::Rank, RangeKind::Count, RangeKind::Displ, RangeKind::End, RangeKind::Last})
        if (mentionsRange(name, kind))
            return true;
    return false;
}

/* Of a function of this file it is what it returns that counts, not what it is given. */
bool LoopUses::isRanked(const Stmt *expression) const
{
    if (expression == nullptr || isa<UnaryExprOrTypeTraitExpr>(expression))
        return false;
    if (const auto *call = dyn_cast<CallExpr>(expression)) {
        const FunctionDecl *callee = call->getDirectCallee();
        if (callee != nullptr && callee->getDefinition() != nullptr)
            return rankedFunctions.count(callee->getCanonicalDecl()) != 0;
    }
    if (isa<DeclRefExpr>(expression) || isa<MemberExpr>(expression))
        if (isRankedName(cast<Expr>(expression)))
            return true;
    if (isa<MemberExpr>(expression) &&
        isa<DeclRefExpr>(cast<MemberExpr>(expression)->getBase()->IgnoreParenImpCasts()))
        return false;
    for (const Stmt *child : expression->children())
        if (isRanked(child))
            return true;
    return false;
}

bool LoopUses::spreadRanks(const Effects &inside)
{
    bool more = false;
    for (const Write &write : inside.writes) {
        const VarDecl *variable = write.place.base->getCanonicalDecl();
        if (ranked.count(variable) || isCollective(write) || endsCollective(variable, inside))
            continue;
        bool now = isRanked(write.value);
        for (const Expr *condition : write.conditions)
            now = now || isRanked(condition);
        const FunctionDecl *callee = write.call ? write.call->getDirectCallee() : nullptr;
        if (callee != nullptr && callee->getDefinition() != nullptr)
            continue; /* its own writes to the parameter count */
        if (write.call != nullptr)
            for (const Expr *argument : write.call->arguments())
                now = now || (namedBy(argument) != variable && isRanked(argument));
        if (now && analysis.rangeAt(write.place) == nullptr) {
            for (const VarDecl *meant : meaning(variable))
                if (meant == variable || write.place.behind || write.place.element)
                    ranked.insert(meant);
            more = true;
        }
    }
    return more;
}

void LoopUses::findReturns()
{
    for (const FunctionDecl *function :
         analysis.finder.reachable(analysis.finder.of(analysis.loop))) {
        std::vector<const Stmt *> open = {function->getBody()};
        while (!open.empty()) {
            const Stmt *next = open.back();
            open.pop_back();
            const auto *back = dyn_cast<ReturnStmt>(next);
            if (back != nullptr && isRanked(back->getRetValue()))
                rankedFunctions.insert(function->getCanonicalDecl());
            for (const Stmt *child : next->children())
                if (child != nullptr)
                    open.push_back(child);
        }
    }
}

void LoopUses::findRanked(const std::set<const VarDecl *> &distributed)
{
    ranked = distributed;
    bool more = true;
    while (more) {
        more = false;
        for (const Effects &inside : effects)
            more = spreadRanks(inside) || more;
        size_t before = rankedFunctions.size();
        findReturns();
        more = more || rankedFunctions.size() > before;
    }
}

} // namespace xmpi
