/* SPDX-License-Identifier: BSD-3-Clause
 * Collects what pointers are assigned, and follows it back. */
#include "facts/pointer_targets.h"
#include "library/library.h"
#include "library/traits.h"
#include "source/variable.h"
#include "flow/other_files.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

namespace
{

/* What p[i] and *p count from. */
const Expr *baseOfElement(const Expr *expression)
{
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression))
        return subscript->getBase()->IgnoreParenCasts();
    const auto *unary = dyn_cast<UnaryOperator>(expression);
    return unary != nullptr && unary->getOpcode() == UO_Deref
               ? unary->getSubExpr()->IgnoreParenCasts()
               : nullptr;
}

} // namespace

PointerTargets::PointerTargets(const Analysis &analysis) : analysis(analysis)
{
    for (const FunctionDecl *function : analysis.structure.functions)
        collect(function->getBody(), function->getCanonicalDecl());
    for (const Decl *declared : analysis.context.getTranslationUnitDecl()->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declared))
            if (variable->hasInit() && variable->getType()->isPointerType())
                values[variable->getCanonicalDecl()].push_back(variable->getInit());
    if (analysis.loop != nullptr)
        collectLoop();
}

/* What calls in the loop, and in the functions that it leads to, hand over. */
void PointerTargets::collectLoop()
{
    const auto all = analysis.finder.reachable(analysis.finder.of(analysis.loop));
    const auto collectHanded = [&](const Stmt *body) {
        for (const CallExpr *call : analysis.finder.of(body).calls)
            for (const FunctionDecl *callee : analysis.finder.callees(call))
                for (unsigned i = 0; i < callee->getNumParams() && i < call->getNumArgs(); i++)
                    handed[callee->getParamDecl(i)->getCanonicalDecl()].push_back(call->getArg(i));
    };
    collectHanded(analysis.loop);
    for (const FunctionDecl *function : all) {
        iterated.insert(function->getCanonicalDecl());
        collectHanded(function->getBody());
    }
    for (const Step &step : analysis.path)
        iterated.erase(step.function->getCanonicalDecl());
}

void PointerTargets::collect(const Stmt *statement, const FunctionDecl *function)
{
    for (const VarDecl *variable : declaredBy(statement))
        if (variable->hasInit()) {
            const auto *list = dyn_cast<InitListExpr>(variable->getInit());
            if (list == nullptr)
                values[variable->getCanonicalDecl()].push_back(variable->getInit());
            for (unsigned i = 0; list != nullptr && i < list->getNumInits(); i++)
                elements[variable->getCanonicalDecl()].push_back(list->getInit(i));
        }
    if (const auto *binary = dyn_cast<BinaryOperator>(statement))
        if (binary->getOpcode() == BO_Assign && binary->getType()->isPointerType())
            assign(binary->getLHS(), binary->getRHS());
    if (const auto *unary = dyn_cast<UnaryOperator>(statement))
        if (unary->getOpcode() == UO_AddrOf)
            collectAddress(unary);
    if (const auto *call = dyn_cast<CallExpr>(statement))
        collectCall(call);
    if (const auto *back = dyn_cast<ReturnStmt>(statement))
        if (back->getRetValue() != nullptr)
            returned[function].push_back(back->getRetValue());
    for (const Stmt *child : partsIn(statement))
        collect(child, function);
}

/* A member that is no variable of its own is not followed: reading it tells nothing. */
void PointerTargets::assign(const Expr *target, const Expr *value)
{
    target = target->IgnoreParens();
    if (const VarDecl *variable = variableIn(target)) {
        values[variable].push_back(value);
        assigned.insert(variable);
    }
    const Expr *base = baseOfElement(target);
    if (base != nullptr && variableIn(base) != nullptr)
        elements[variableIn(base)].push_back(value);
}

/* Who has the address of a pointer may set it; but what allocates memory only does that. */
void PointerTargets::collectAddress(const UnaryOperator *address)
{
    const Expr *inner = address->getSubExpr()->IgnoreParens();
    const VarDecl *variable = variableIn(inner);
    if (const Expr *base = baseOfElement(inner);
        base != nullptr && inner->getType()->isPointerType())
        variable = variableIn(base);
    if (variable == nullptr || !inner->getType()->isPointerType())
        return;
    const Stmt *parent = analysis.structure.parent(address);
    while (parent != nullptr && isa<CastExpr, ParenExpr>(parent))
        parent = analysis.structure.parent(parent);
    const auto *call = dyn_cast_or_null<CallExpr>(parent);
    llvm::StringRef name = call != nullptr ? calleeName(call) : llvm::StringRef();
    if (name == "posix_memalign" || name == "MPI_Alloc_mem")
        values[variable].push_back(call);
    else
        unknown.insert(variable);
}

void PointerTargets::collectCall(const CallExpr *call)
{
    calledOutside = calledOutside || isUnseen(analysis, call);
    const FunctionDecl *direct = call->getDirectCallee();
    const bool inside = direct == nullptr || direct->getDefinition() != nullptr;
    for (const FunctionDecl *callee : analysis.finder.callees(call))
        for (unsigned i = 0; i < callee->getNumParams(); i++) {
            const VarDecl *parameter = callee->getParamDecl(i)->getCanonicalDecl();
            if (inside && i < call->getNumArgs())
                values[parameter].push_back(call->getArg(i));
            else
                unknown.insert(parameter);
        }
    for (const Expr *argument : call->arguments())
        if (const auto *name = dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts()); !inside && name)
            if (const auto *function = dyn_cast<FunctionDecl>(name->getDecl()))
                if (const FunctionDecl *own = function->getDefinition()) /* it will be called */
                    for (const ParmVarDecl *parameter : own->parameters())
                        unknown.insert(parameter->getCanonicalDecl());
}

std::optional<PointerTargets::Targets> PointerTargets::of(const Expr *pointer, bool inLoop) const
{
    Found found;
    found.inLoop = inLoop;
    if (!add(pointer, found))
        return std::nullopt;
    return found.targets;
}

std::optional<PointerTargets::Targets> PointerTargets::of(const VarDecl *pointer) const
{
    Found found;
    if (!addHeld(pointer->getCanonicalDecl(), found))
        return std::nullopt;
    return found.targets;
}

std::optional<PointerTargets::Targets> PointerTargets::ofListed(const Expr *pointer,
                                                                bool inLoop) const
{
    Found found;
    found.inLoop = inLoop;
    if (!isa<MemberExpr, DeclRefExpr>(pointer->IgnoreParenCasts()) || !addStruct(pointer, found))
        return std::nullopt;
    return found.targets;
}

/* All pointers in the struct that PART is, or is of: in the list of its declaration, or of that in
 * a function of the file that hands it back. */
bool PointerTargets::addStruct(const Expr *part, Found &found) const
{
    enum { MaxDepth = 4 };
    const Expr *bare = part->IgnoreParenCasts();
    for (const auto *member = dyn_cast<MemberExpr>(bare); member != nullptr && !member->isArrow();
         member = dyn_cast<MemberExpr>(bare))
        bare = member->getBase()->IgnoreParenCasts();
    const VarDecl *variable = variableIn(bare);
    if (variable != nullptr && analysis.members.contains(variable))
        variable = analysis.members.owner(variable);
    if (variable == nullptr || !variable->hasLocalStorage() || variable->getInit() == nullptr ||
        !variable->getType()->isRecordType() || isSetLater(variable))
        return false;
    if (const auto *list = dyn_cast<InitListExpr>(variable->getInit()))
        return addListed(list, found);
    const CallExpr *call = callIn(variable->getInit());
    const FunctionDecl *callee = definitionOf(call);
    auto known = returned.end();
    if (callee != nullptr && found.depth < MaxDepth)
        known = returned.find(callee->getCanonicalDecl());
    if (known == returned.end())
        return false;
    found.inLoop = false; /* all that its parameters are ever given */
    found.depth++;
    return llvm::all_of(known->second, [&](const Expr *one) { return addStruct(one, found); });
}

/* Somebody sets VARIABLE, or a part of it, behind its declaration. */
bool PointerTargets::isSetLater(const VarDecl *variable) const
{
    const auto *function = cast<FunctionDecl>(variable->getDeclContext());
    const Effects effects = analysis.finder.of(function->getBody());
    return llvm::any_of(effects.writes, [&](const Write &write) {
        return write.place.base->getCanonicalDecl() == variable->getCanonicalDecl() &&
               write.how != Write::How::Declared && !write.place.element;
    });
}

bool PointerTargets::addListed(const InitListExpr *list, Found &found) const
{
    return llvm::all_of(list->inits(), [&](const Expr *value) {
        const auto *inner = dyn_cast<InitListExpr>(value);
        if (value->getType()->isRecordType() && inner == nullptr)
            return false;
        return inner != nullptr ? addListed(inner, found)
                                : !value->getType()->isPointerType() || add(value, found);
    });
}

PointerTargets::Targets valuesBehind(const PointerTargets &targets, const VarDecl *pointer)
{
    std::optional<PointerTargets::Targets> all = targets.of(pointer);
    bool plain = all && llvm::all_of(*all, [](const VarDecl *target) {
                     return isPlainValue(target->getType());
                 });
    return plain ? *all : PointerTargets::Targets();
}

bool PointerTargets::addAll(const std::vector<const Expr *> &all, Found &found) const
{
    return llvm::all_of(all, [&](const Expr *value) { return add(value, found); });
}

bool PointerTargets::add(const Expr *pointer, Found &found) const
{
    const Expr *bare = pointer->IgnoreParenCasts();
    if (!bare->getType()->isPointerType() && !bare->getType()->isArrayType())
        return bare->isEvaluatable(analysis.context); /* 0, MPI_IN_PLACE */
    if (isa<StringLiteral>(bare))
        return true;
    if (const auto *choice = dyn_cast<ConditionalOperator>(bare))
        return add(choice->getTrueExpr(), found) && add(choice->getFalseExpr(), found);
    if (const auto *binary = dyn_cast<BinaryOperator>(bare)) {
        bool left = binary->isAdditiveOp() && binary->getLHS()->getType()->isPointerType();
        return (binary->isAdditiveOp() || binary->getOpcode() == BO_Comma ||
                binary->isAssignmentOp()) &&
               add(left ? binary->getLHS() : binary->getRHS(), found);
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(bare)) {
        if (unary->getOpcode() == UO_AddrOf)
            return addAddress(unary->getSubExpr(), found);
        if (unary->isIncrementDecrementOp())
            return add(unary->getSubExpr(), found);
    }
    if (const auto *call = dyn_cast<CallExpr>(bare))
        return addCall(call, found);
    if (bare->getType()->isArrayType())
        return addAddress(bare, found);
    if (const VarDecl *variable = variableIn(bare))
        return addHeld(variable, found);
    const Expr *base = baseOfElement(bare);
    return base != nullptr && addElement(base, found);
}

/* A pointer that is an element of TABLE, which leads to rows of a registered array, or is set where
 * its variable is named. */
bool PointerTargets::addElement(const Expr *table, Found &found) const
{
    enum { MaxDepth = 4 };
    Found tables;
    tables.called = found.called;
    tables.depth = found.depth + 1;
    if (tables.depth > MaxDepth || !add(table, tables))
        return false;
    for (const VarDecl *holder : tables.targets) {
        if (analysis.isData(holder)) {
            found.targets.insert(holder);
            continue;
        }
        Targets names = {holder}; /* by which it is filled */
        names.insert(tables.handed.begin(), tables.handed.end());
        if (isOpen(holder) || !addFilled(names, holder, found))
            return false;
    }
    return !tables.targets.empty();
}

/* The pointers in a table that HOLDER holds, and that is called one of NAMES where they are set. */
bool PointerTargets::addFilled(const Targets &names, const VarDecl *holder, Found &found) const
{
    if (!found.seenElements.insert(holder).second)
        return true;
    bool any = false;
    for (const VarDecl *name : names) {
        auto known = elements.find(name);
        if (known == elements.end())
            continue;
        Found inner;
        inner.called = found.called;
        inner.depth = found.depth;
        inner.inLoop = found.inLoop;
        inner.seenElements = found.seenElements;
        if (isOpen(name) || !addAll(known->second, inner))
            return false;
        any = true;
        for (const VarDecl *target : inner.targets)
            if (name != holder && target->hasLocalStorage() &&
                target->getDeclContext() == name->getDeclContext() &&
                target->getType()->isPointerType() && !analysis.isData(target))
                inner.fresh = true; /* the caller's, as the table is */
            else
                found.targets.insert(target);
        if (inner.fresh)
            found.targets.insert(holder);
        found.seenElements.merge(inner.seenElements);
    }
    return any;
}

/* The place itself, or what it is a part of. */
bool PointerTargets::addAddress(const Expr *place, Found &found) const
{
    place = place->IgnoreParens();
    if (const auto *member = dyn_cast<MemberExpr>(place))
        return member->isArrow() ? add(member->getBase(), found)
                                 : addAddress(member->getBase(), found);
    if (const Expr *base = baseOfElement(place))
        return base->getType()->isArrayType() ? addAddress(base, found) : add(base, found);
    const VarDecl *variable = variableIn(place);
    if (variable != nullptr)
        found.targets.insert(variable);
    return variable != nullptr || isa<CompoundLiteralExpr, StringLiteral>(place);
}

/* HOLDER may be set by somebody who is not seen. */
bool PointerTargets::isOpen(const VarDecl *holder) const
{
    return unknown.count(holder) != 0 || analysis.members.isShared(holder) ||
           (holder->hasGlobalStorage() && holder->isExternallyVisible() && calledOutside);
}

/* HOLDER, a parameter, is in an iteration what calls there hand over. */
bool PointerTargets::isHandedInLoop(const VarDecl *holder) const
{
    const auto *in = dyn_cast_or_null<FunctionDecl>(holder->getDeclContext());
    return isa<ParmVarDecl>(holder) && in != nullptr &&
           iterated.count(in->getCanonicalDecl()) != 0 && handed.count(holder) != 0 &&
           assigned.count(holder) == 0;
}

bool PointerTargets::addHeld(const VarDecl *holder, Found &found) const
{
    if (analysis.isData(holder) || analysis.arrays.contains(holder)) {
        found.targets.insert(holder);
        return true;
    }
    if (const std::set<const VarDecl *> &all = analysis.members.meaning(holder); !all.empty())
        return llvm::all_of(
            all, [&](const VarDecl *member) { return member != holder && addHeld(member, found); });
    if (isOpen(holder))
        return false;
    if (!found.seen.insert({holder, found.inLoop}).second)
        return true;
    const bool outer = found.fresh, inLoop = found.inLoop;
    found.inLoop = inLoop && isHandedInLoop(holder); /* others may have been set before */
    const auto &all = found.inLoop ? handed : values;
    auto known = all.find(holder);
    if (known == all.end()) { /* nobody sets it, or nobody who is seen */
        found.inLoop = inLoop;
        return !isa<ParmVarDecl>(holder) && !holder->hasGlobalStorage();
    }
    found.fresh = false;
    if (!addAll(known->second, found))
        return false;
    if (found.fresh)
        found.targets.insert(holder);
    found.fresh = outer;
    found.inLoop = inLoop;
    return true;
}

/* What a function of the file allocates and hands back is its caller's. */
bool PointerTargets::addCall(const CallExpr *call, Found &found) const
{
    llvm::StringRef name = calleeName(call);
    const FunctionDecl *callee = definitionOf(call);
    if (callee == nullptr && (has(name, Trait::GivesMemory) || name == "realloc" ||
                              name == "posix_memalign" || name == "MPI_Alloc_mem"))
        return found.fresh = true;
    if (callee == nullptr)
        return has(name, Trait::HandsBack) && call->getNumArgs() > 0 && add(call->getArg(0), found);
    auto known = returned.find(callee->getCanonicalDecl());
    if (known == returned.end() || !found.called.insert(callee).second)
        return false;
    Found inner;
    inner.called = found.called;
    inner.depth = found.depth;
    const bool good = addAll(known->second, inner);
    found.called.erase(callee);
    for (const VarDecl *target : inner.targets)
        if (target->hasLocalStorage() && target->getDeclContext() == callee &&
            target->getType()->isPointerType() && !analysis.isData(target)) {
            found.fresh = true;
            found.handed.insert(target);
        } else {
            found.targets.insert(target);
        }
    found.handed.merge(inner.handed);
    found.fresh = found.fresh || inner.fresh;
    return good;
}

/* -- functions */

using Functions = std::vector<const FunctionDecl *>;

static bool holdsOwn(const Functions &functions, const VarDecl *variable, int depth);

static bool isOwn(const Functions &functions, const Expr *expression, int depth)
{
    enum { MaxDepth = 4 };
    const Expr *bare = expression->IgnoreParenCasts();
    if (const auto *unary = dyn_cast<UnaryOperator>(bare))
        return (unary->getOpcode() == UO_AddrOf || unary->getOpcode() == UO_Deref) &&
               isOwn(functions, unary->getSubExpr(), depth);
    if (const auto *choice = dyn_cast<ConditionalOperator>(bare))
        return isOwn(functions, choice->getTrueExpr(), depth) &&
               isOwn(functions, choice->getFalseExpr(), depth);
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(bare))
        return isOwn(functions, subscript->getBase(), depth);
    const auto *reference = dyn_cast<DeclRefExpr>(bare);
    if (reference == nullptr || depth > MaxDepth)
        return false;
    if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl()))
        return function->getDefinition() != nullptr;
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable != nullptr && holdsOwn(functions, variable, depth);
}

static bool holdsOwn(const Functions &functions, const VarDecl *variable, int depth)
{
    if (isa<ParmVarDecl>(variable) || variable->hasExternalFormalLinkage())
        return false;
    const Expr *value = variable->getAnyInitializer();
    if (const auto *list = dyn_cast_or_null<InitListExpr>(value)) {
        if (!llvm::all_of(*list, [&](const Stmt *one) {
                return isOwn(functions, cast<Expr>(one), depth + 1);
            }))
            return false;
    } else if (value != nullptr && !isOwn(functions, value, depth + 1)) {
        return false;
    }
    for (const FunctionDecl *function : functions)
        for (const Write &write : EffectsFinder().of(function->getBody()).writes)
            if (write.place.base->getCanonicalDecl() == variable->getCanonicalDecl() &&
                write.how != Write::How::Declared &&
                (write.value == nullptr || !isOwn(functions, write.value, depth + 1)))
                return false;
    return true;
}

bool isOwnFunction(const Functions &functions, const Expr *pointer)
{
    return isOwn(functions, pointer, 0);
}

std::set<const VarDecl *> filledBy(const Analysis &analysis, const CallExpr *call)
{
    std::set<const VarDecl *> filled;
    for (const RequestBuffer &buffer : analysis.requests.startedBy(call)) {
        const std::optional<Place> place = placeGiven(buffer.expression);
        if (place && buffer.received)
            filled.insert(place->base->getCanonicalDecl());
    }
    return filled;
}

} // namespace xmpi
