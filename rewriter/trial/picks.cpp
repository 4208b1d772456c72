/* SPDX-License-Identifier: BSD-3-Clause
 * Follows values back to the conditions that they have been picked by. */
#include "trial/picks.h"
#include "source/loops.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

struct Picks::Slice {
    Choices found;
    std::set<std::pair<const VarDecl *, const FieldDecl *>> places;
    std::set<const FunctionDecl *> functions;
    std::set<std::pair<const ForStmt *, const VarDecl *>> heads; /* and their counters */
    bool asksGiven = false; /* it is looked for what the program is given, elements among it */
    bool given = false;     /* there is some */
};

Picks::Picks(const Analysis &analysis, const Lookups &lookups)
    : analysis(analysis), lookups(lookups)
{
    for (const FunctionDecl *function : analysis.structure.functions) {
        const Effects effects = analysis.finder.of(function->getBody());
        for (const Write &write : effects.writes)
            writes[write.place.base->getCanonicalDecl()].push_back(write);
        for (const CallExpr *call : effects.calls)
            if (const FunctionDecl *callee = definitionOf(call))
                calls[callee->getCanonicalDecl()].push_back(call);
    }
}

template <class Text> Choices Picks::of(const Text &text) const
{
    Slice slice;
    visit(slice, text);
    return slice.found;
}

template Choices Picks::of(const Place &) const;
template Choices Picks::of(const Expr *const &) const;
template Choices Picks::of(const QualType &) const;

Choices Picks::ofUse(const Expr *value) const
{
    Slice slice;
    visitUse(slice, value);
    return slice.found;
}

bool Picks::picks(const Expr *expression)
{
    const auto *binary = dyn_cast<BinaryOperator>(expression);
    return isa<ConditionalOperator>(expression) ||
           (binary != nullptr && (binary->isComparisonOp() || cutsOff(binary->getOpcode())));
}

const Expr *Picks::pickedBy(const Expr *expression)
{
    const auto *choice = dyn_cast<ConditionalOperator>(expression);
    return choice != nullptr ? choice->getCond() : expression;
}

/* Whether memory was to be had, or what a library has done was well, is no choice. */
static bool asksForSuccess(const Expr *condition)
{
    return anyWithin(condition, [](const Stmt *one) {
        const auto *binary = dyn_cast<BinaryOperator>(one);
        const auto *cast = dyn_cast<CastExpr>(one);
        const auto *call = dyn_cast<CallExpr>(one);
        return (binary != nullptr && binary->isComparisonOp() &&
                binary->getLHS()->IgnoreParenCasts()->getType()->isPointerType()) ||
               (cast != nullptr && cast->getCastKind() == CK_PointerToBoolean) ||
               (call != nullptr && definitionOf(call) == nullptr);
    });
}

/* It hangs on what the program is given from outside: input, rank and size. What is computed of
 * constants alone comes out in a trial as it always does. */
bool Picks::isGiven(const Expr *condition) const
{
    Slice slice;
    slice.asksGiven = true;
    visit(slice, condition);
    return slice.given;
}

/* Nobody here sets PLACE, or others do. */
void Picks::seeGiven(Slice &slice, const Place &place) const
{
    const VarDecl *base = place.base->getCanonicalDecl();
    const auto all = writes.find(base);
    const auto *parameter = dyn_cast<ParmVarDecl>(base);
    const auto *function =
        parameter ? dyn_cast<FunctionDecl>(parameter->getParentFunctionOrMethod()) : nullptr;
    const bool never = all == writes.end() && base->getAnyInitializer() == nullptr;
    slice.given |= function != nullptr ? calls.count(function->getCanonicalDecl()) == 0
                                       : never && !base->isStaticLocal();
    if (all != writes.end())
        slice.given |= llvm::any_of(all->second, [](const Write &write) {
            return write.call != nullptr && definitionOf(write.call) == nullptr;
        });
}

bool Picks::isOneSided(const Expr *condition) const
{
    const auto side = lookups.sides.find(condition);
    if (side == lookups.sides.end() || side->second == 3)
        return false;
    const auto [found, isNew] = known.try_emplace(condition, false);
    if (isNew)
        found->second = !asksForSuccess(condition) && isGiven(condition);
    return found->second;
}

void Picks::add(Slice &slice, const Expr *condition) const
{
    if (slice.asksGiven)
        visit(slice, condition);
    else if (isOneSided(condition))
        slice.found.insert(condition);
}

/* The lengths in TYPE, an array of variable length, or of such. */
void Picks::visit(Slice &slice, QualType type) const
{
    for (; const auto *array = analysis.context.getAsArrayType(type);
         type = array->getElementType())
        if (const auto *variable = dyn_cast<VariableArrayType>(array))
            if (variable->getSizeExpr() != nullptr)
                visit(slice, variable->getSizeExpr());
}

void Picks::visit(Slice &slice, const Expr *value) const
{
    visitParts(slice, value);
    for (const Mention &mention : analysis.finder.of(value).mentions)
        visit(slice, mention.place);
}

/* The loop around PLACE whose head, and nothing in it, sets COUNTER; or null. */
const ForStmt *Picks::headOf(const VarDecl *counter, const Stmt *place) const
{
    const auto sets = [&](const Stmt *statement) {
        return llvm::any_of(analysis.finder.of(statement).writes, [&](const Write &write) {
            return write.place.base->getCanonicalDecl() == counter;
        });
    };
    const std::vector<const Stmt *> around = analysis.structure.around(place);
    for (const Stmt *outer : llvm::reverse(around)) {
        const auto *loop = dyn_cast<ForStmt>(outer);
        if (loop != nullptr && loop->getInit() != nullptr && loop->getInc() != nullptr &&
            valueFor(counter, loop->getInit()) != nullptr && sets(loop->getInc()))
            return counter->hasLocalStorage() && !sets(loop->getBody()) ? loop : nullptr;
    }
    return nullptr;
}

void Picks::visitUse(Slice &slice, const Expr *value) const
{
    visitParts(slice, value);
    for (const Mention &mention : analysis.finder.of(value).mentions) {
        const VarDecl *variable = mention.place.base->getCanonicalDecl();
        const ForStmt *loop = headOf(variable, value);
        if (loop == nullptr)
            visit(slice, mention.place);
        else if (slice.heads.insert({loop, variable}).second) {
            visitUse(slice, valueFor(variable, loop->getInit()));
            if (loop->getCond() != nullptr)
                visitUse(slice, loop->getCond());
        }
    }
}

/* What VALUE picks, and what the functions do that it calls. */
void Picks::visitParts(Slice &slice, const Expr *value) const
{
    eachWithin(value, [&](const Stmt *one) {
        if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(one))
            visit(slice, size->getTypeOfArgument());
        const auto *part = dyn_cast<Expr>(one);
        if (part != nullptr && picks(part) && !slice.asksGiven)
            add(slice, pickedBy(part));
    });
    for (const CallExpr *call : analysis.finder.of(value).calls)
        if (const FunctionDecl *callee = definitionOf(call))
            visit(slice, callee);
        else
            slice.given = true;
}

/* Which of its values a function hands back. */
void Picks::visit(Slice &slice, const FunctionDecl *function) const
{
    if (!slice.functions.insert(function->getCanonicalDecl()).second)
        return;
    eachWithin(function->getBody(), [&](const Stmt *one) {
        if (const auto *choice = dyn_cast<IfStmt>(one);
            choice != nullptr && !returnedIn(choice).empty())
            add(slice, choice->getCond());
    });
    for (const Expr *value : returnedIn(function->getBody()))
        visit(slice, value);
}

/* Elements are none of the pointer to them. */
void Picks::visit(Slice &slice, const Place &place) const
{
    const VarDecl *base = place.base->getCanonicalDecl();
    if (!slice.places.insert({base, place.field}).second)
        return;
    if (slice.asksGiven)
        seeGiven(slice, place);
    if (const auto all = writes.find(base); all != writes.end())
        for (const Write &write : all->second)
            if ((slice.asksGiven || !write.place.element) &&
                (write.place.field == nullptr || place.field == nullptr ||
                 write.place.field == place.field))
                visit(slice, write, place);
    if (const auto *parameter = dyn_cast<ParmVarDecl>(base))
        visitCallers(slice, parameter, place);
}

void Picks::visit(Slice &slice, const Write &write, const Place &place) const
{
    for (const Expr *condition : write.conditions)
        add(slice, condition);
    if (write.value != nullptr)
        visit(slice, write.value);
    const FunctionDecl *callee = write.call != nullptr ? definitionOf(write.call) : nullptr;
    for (unsigned i = 0; callee && i < callee->getNumParams() && i < write.call->getNumArgs(); i++)
        if (namesOf(write.call->getArg(i), place.base) > 0)
            visit(slice, Place{callee->getParamDecl(i), place.field, true, false, place.type});
}

void Picks::visitCallers(Slice &slice, const ParmVarDecl *parameter, const Place &place) const
{
    const auto *function = dyn_cast_or_null<FunctionDecl>(parameter->getParentFunctionOrMethod());
    const auto all = function ? calls.find(function->getCanonicalDecl()) : calls.end();
    const unsigned at = parameter->getFunctionScopeIndex();
    if (all == calls.end())
        return;
    for (const CallExpr *call : all->second) {
        if (at >= call->getNumArgs())
            continue;
        slice.asksGiven ? visit(slice, call->getArg(at)) : visitUse(slice, call->getArg(at));
        if (place.field != nullptr)
            for (const Mention &mention : analysis.finder.of(call->getArg(at)).mentions)
                visit(slice, Place{mention.place.base, place.field, false, false, place.type});
    }
}

} // namespace xmpi
