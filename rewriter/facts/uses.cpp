/* SPDX-License-Identifier: BSD-3-Clause
 * Walks the loop and the functions behind it. */
#include "facts/uses.h"
#include "facts/computed.h"
#include "facts/storage.h"
#include "source/variable.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

static const VarDecl *namedBy(const Expr *expression)
{
    const std::optional<Place> place = placeGiven(expression);
    return place ? place->base->getCanonicalDecl() : nullptr;
}

LoopUses::LoopUses(Analysis &analysis) : analysis(analysis)
{
    bodies.push_back(analysis.loop);
    for (const FunctionDecl *function :
         analysis.finder.reachable(analysis.finder.of(analysis.loop))) {
        bodies.push_back(function->getBody());
        inner.insert(function->param_begin(), function->param_end());
    }
    for (const Stmt *body : bodies) {
        effects.push_back(analysis.finder.of(body));
        inner.insert(effects.back().declared.begin(), effects.back().declared.end());
        bindCalls(effects.back());
        eachWithin(body, [&](const Stmt *one) { findAccess(one); });
    }
    for (const Effects &inside : effects)
        for (const Mention &mention : inside.mentions)
            for (const VarDecl *member : analysis.members.meaning(mention.place.base))
                bound[mention.place.base].insert(member);
    for (const Stmt *body : bodies)
        eachWithin(body, [&](const Stmt *one) { bindPointersAt(one); });
    bindExchanges();
}

/* All that the function of PARAMETER does with it is *PARAMETER. */
static bool isBehindOnly(const Stmt *statement, const ParmVarDecl *parameter)
{
    if (const auto *unary = dyn_cast<UnaryOperator>(statement))
        if (unary->getOpcode() == UO_Deref &&
            isa<DeclRefExpr>(unary->getSubExpr()->IgnoreParenImpCasts()))
            return true;
    if (const auto *reference = dyn_cast<DeclRefExpr>(statement))
        return reference->getDecl() != parameter;
    return llvm::all_of(partsIn(statement),
                        [&](const Stmt *child) { return isBehindOnly(child, parameter); });
}

void LoopUses::bindCall(const CallExpr *call, const FunctionDecl *callee)
{
    const FunctionDecl *named = call->getDirectCallee();
    if (named != nullptr && named->getDefinition() != callee)
        return bindForeign(call, callee);
    for (const auto &[parameter, argument] : passedBy(call, callee)) {
        if (const VarDecl *variable = namedBy(argument))
            bound[parameter->getCanonicalDecl()].insert(variable);
        if (named != nullptr && addressedBy(argument) != nullptr &&
            isBehindOnly(callee->getBody(), parameter))
            handedOver[argument->IgnoreParenCasts()] = parameter->getCanonicalDecl();
    }
}

/* A function of another file may hand on to CALLEE any pointer that it is given. */
void LoopUses::bindForeign(const CallExpr *call, const FunctionDecl *callee)
{
    for (const ParmVarDecl *parameter : callee->parameters())
        for (const Expr *argument : call->arguments())
            if (parameter->getType()->isPointerType() &&
                argument->IgnoreParenImpCasts()->getType()->isPointerType() &&
                namedBy(argument) != nullptr)
                bound[parameter->getCanonicalDecl()].insert(namedBy(argument));
}

void LoopUses::bindCalls(const Effects &inside)
{
    for (const CallExpr *call : inside.calls) {
        for (const FunctionDecl *callee : analysis.finder.callees(call))
            bindCall(call, callee);
    }
}

/* What VALUE, a pointer, may come from. What a function of the file hands back is one of its
 * pointers; of other functions, one of the arguments. */
/* A function of another file may hand back a pointer that it is given, if that can be of its type:
 * fopen does not return the name. */
static bool mayReturn(const CallExpr *call, const Expr *argument)
{
    QualType back = call->getType()->getPointeeType();
    QualType given = argument->IgnoreParenCasts()->getType()->getPointeeType();
    return back.isNull() || given.isNull() || !back->isRecordType() || !given->isCharType();
}

void LoopUses::addOrigins(const Expr *value, std::set<const VarDecl *> &origins, int depth) const
{
    enum { MaxDepth = 6 };
    const Expr *bare = value->IgnoreParenCasts();
    if (depth > MaxDepth)
        return;
    if (const auto *choice = dyn_cast<ConditionalOperator>(bare)) {
        addOrigins(choice->getTrueExpr(), origins, depth + 1);
        addOrigins(choice->getFalseExpr(), origins, depth + 1);
    } else if (const auto *call = dyn_cast<CallExpr>(bare)) {
        const FunctionDecl *callee = definitionOf(call);
        for (const Expr *argument : call->arguments())
            if (callee != nullptr || mayReturn(call, argument))
                addOrigins(argument, origins, depth + 1);
        if (callee != nullptr)
            for (const Mention &mention : analysis.finder.of(callee->getBody()).mentions)
                if (mention.place.base->hasGlobalStorage())
                    origins.insert(mention.place.base->getCanonicalDecl());
    } else if (const VarDecl *variable = namedBy(bare)) {
        QualType type = variable->getType();
        if (type->isPointerType() || type->isArrayType() || type->isRecordType())
            origins.insert(variable);
    }
}

void LoopUses::bindPointer(const VarDecl *pointer, const Expr *value)
{
    pointers[pointer].values.push_back(value);
    addOrigins(value, inner.count(pointer) != 0 ? bound[pointer] : exchanged[pointer], 0);
}

/* A function of the file that gets addresses of pointers may exchange the pointers. */
void LoopUses::bindExchanges()
{
    std::set<const VarDecl *> parameters;
    for (const auto &[address, parameter] : handedOver)
        parameters.insert(parameter);
    for (const Stmt *body : bodies)
        for (const Write &write : analysis.finder.of(body).writes)
            if (write.how == Write::How::Assigned && write.place.behind && !write.place.element &&
                write.place.type->isPointerType() && parameters.count(write.place.base))
                for (const VarDecl *pointer : meaning(write.place.base))
                    if (pointer->getType()->isPointerType() && parameters.count(pointer) == 0)
                        bindPointer(pointer, write.value);
}

void LoopUses::bindPointersAt(const Stmt *statement)
{
    auto named = [](const Expr *expression) -> const VarDecl * {
        const VarDecl *variable = variableAt(expression->IgnoreParenCasts());
        return variable != nullptr && variable->getType()->isPointerType()
                   ? variable->getCanonicalDecl()
                   : nullptr;
    };
    for (const VarDecl *variable : declaredBy(statement))
        if (variable->getType()->isPointerType() && variable->getInit() != nullptr)
            bindPointer(variable->getCanonicalDecl(), variable->getInit());
    if (const auto *binary = dyn_cast<BinaryOperator>(statement))
        if (binary->isAssignmentOp())
            if (const VarDecl *pointer = named(binary->getLHS())) {
                if (binary->isCompoundAssignmentOp())
                    pointers[pointer].otherwise = true;
                else
                    bindPointer(pointer, binary->getRHS());
            }
    if (const auto *unary = dyn_cast<UnaryOperator>(statement))
        if (unary->isIncrementDecrementOp() ||
            (unary->getOpcode() == UO_AddrOf && handedOver.count(unary) == 0))
            if (const VarDecl *pointer = named(unary->getSubExpr()))
                pointers[pointer].otherwise = true;
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

std::set<const VarDecl *> LoopUses::exchangedWith(const VarDecl *variable) const
{
    std::set<const VarDecl *> all = {variable->getCanonicalDecl()};
    for (size_t before = 0; before != all.size();) {
        before = all.size();
        for (const Write &write : analysis.inLoop.writes) {
            const VarDecl *other = variableIn(write.value),
                          *own = write.place.base->getCanonicalDecl();
            if (other == nullptr || write.place.element || !write.place.type->isPointerType() ||
                (all.count(other) == 0 && all.count(own) == 0))
                continue;
            all.insert(other);
            all.insert(own);
        }
        for (const auto &[pointer, origins] : exchanged) {
            std::set<const VarDecl *> meant = {pointer};
            for (const VarDecl *origin : origins)
                meant.merge(meaning(origin));
            if (llvm::any_of(meant, [&](const VarDecl *one) { return all.count(one) != 0; }))
                all.merge(meant);
        }
    }
    return all;
}

bool LoopUses::means(const VarDecl *variable, const VarDecl *wanted) const
{
    return meaning(variable).count(wanted->getCanonicalDecl()) != 0;
}

static int levels(QualType type)
{
    int levels = 0;
    for (; type->isPointerType(); levels++)
        type = type->getPointeeType();
    return levels;
}

bool LoopUses::touches(const Access &access, const VarDecl *wanted) const
{
    int own = levels(access.base->getType());
    bool fits = pointersIn(wanted) > 0 ? own == levels(pointedBy(wanted)) + 1
                                       : own >= levels(wanted->getType());
    return fits && means(access.variable, wanted);
}

bool LoopUses::mentionsRange(const Stmt *expression, RangeKind kind) const
{
    for (const RangeVariable &range : analysis.ranges)
        if (const Expr *computed = computedBy(range); computed != nullptr && range.kind == kind)
            if (holds(expression, computed))
                return true;
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

const VarDecl *pointerIn(const Expr *expression)
{
    const Expr *bare = expression->IgnoreParenCasts();
    if (const auto *binary = dyn_cast<BinaryOperator>(bare))
        if (binary->isAdditiveOp() && binary->getType()->isPointerType())
            return pointerIn(sidesOf(binary).first);
    if (const Expr *target = addressedBy(bare))
        if (const auto *element = dyn_cast<ArraySubscriptExpr>(target->IgnoreParens()))
            return pointerIn(element->getBase());
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(bare)) {
        if (element->getType()->isArrayType())
            return nullptr; /* a row of what such a pointer leads to */
        const VarDecl *array = pointerIn(element->getBase());
        return array != nullptr && pointersIn(array) > 0 ? array : nullptr;
    }
    const VarDecl *variable = variableAt(bare);
    return variable != nullptr ? variable->getCanonicalDecl() : nullptr;
}

void LoopUses::addAccess(const Expr *base, const Expr *index)
{
    if (const VarDecl *variable = pointerIn(base))
        accesses.push_back({variable, base, index, base->getExprLoc()});
    const auto *member = dyn_cast<MemberExpr>(base->IgnoreParenCasts());
    std::optional<Place> place =
        member != nullptr && member->getType()->isPointerType() ? placeOf(member) : std::nullopt;
    if (place && place->field != nullptr)
        members.emplace_back(*place, base->getExprLoc());
}

void LoopUses::findAccess(const Stmt *statement)
{
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(statement))
        addAccess(subscript->getBase(), subscript->getIdx());
    if (const auto *binary = dyn_cast<BinaryOperator>(statement))
        if (binary->isAdditiveOp() && binary->getType()->isPointerType()) {
            const auto [pointer, index] = sidesOf(binary);
            addAccess(pointer, index);
        }
}

static bool isElement(const Write &write)
{
    return write.place.element || (write.place.behind && write.place.field == nullptr) ||
           write.place.type->isArrayType() || write.place.base->getType()->isArrayType();
}

bool LoopUses::isNamedAfter(const VarDecl *variable) const
{
    for (const Effects &after : analysis.after)
        for (const Mention &mention : after.mentions)
            if (mention.place.base->getCanonicalDecl() == variable ||
                means(mention.place.base, variable))
                return true;
    return false;
}

bool LoopUses::isWritten(const VarDecl *variable) const
{
    for (const Effects &inside : effects)
        for (const Write &write : inside.writes) {
            const bool own = definitionOf(write.call) != nullptr;
            const bool member = write.place.behind && analysis.isData(variable); /* v[i].x */
            if (!own && (member || isElement(write)) && reaches(write.place.base, variable))
                return true;
        }
    return false;
}

/* A pointer that the loop assigns points to what one of the others did. */
bool LoopUses::reaches(const VarDecl *pointer, const VarDecl *variable) const
{
    std::set<const VarDecl *> all = meaning(pointer);
    for (size_t before = 0; before != all.size();) {
        before = all.size();
        for (const auto &[other, origins] : exchanged)
            for (const VarDecl *origin : origins)
                if (all.count(other) != 0)
                    for (const VarDecl *meant : meaning(origin))
                        all.insert(meant);
    }
    return all.count(variable->getCanonicalDecl()) != 0;
}

bool LoopUses::isCollective(const Write &write)
{
    if (write.call == nullptr)
        return false;
    static const char *const names[] = {"MPI_Allgather", "MPI_Allgatherv", "MPI_Allreduce",
                                        "MPI_Bcast"};
    llvm::StringRef name = calleeName(write.call);
    return llvm::any_of(names, [&](const char *known) { return name == known; });
}

} // namespace xmpi
