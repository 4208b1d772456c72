/* SPDX-License-Identifier: BSD-3-Clause
 * Finds values that come from elements of registered arrays. */
#include "flow/derived.h"
#include "check/safety.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

bool isRange(const Analysis &analysis, const Place &place)
{
    bool whole = place.field == nullptr && !place.behind && !place.element;
    return analysis.rangeAt(place) != nullptr ||
           (whole && analysis.divided.count(place.base->getCanonicalDecl()) != 0);
}

DerivedValues::DerivedValues(Analysis &analysis, const LoopUses &uses)
    : analysis(analysis), uses(uses), targets(analysis), distributed(analysis.distributed())
{
}

bool DerivedValues::areSet(const Effects &effects) const
{
    return llvm::any_of(effects.writes,
                        [&](const Write &write) { return isDerived(write, false, false); });
}

bool DerivedValues::areSetForGood(const Effects &effects, size_t item)
{
    asked = item;
    const Carriers carriers = carriersIn(effects);
    return llvm::any_of(effects.writes,
                        [&](const Write &write) { return isDerived(write, true, true, carriers); });
}

/* EFFECTS, or functions that they lead to, set elements of ARRAY, by whatever pointer, or hand it
 * to somebody who may. */
bool DerivedValues::setElements(const Effects &effects, const VarDecl *array) const
{
    const auto leadsThere = [&](const VarDecl *pointer) {
        if (pointer->getCanonicalDecl() == array)
            return true;
        if (!pointer->getType()->isPointerType() || analysis.isData(pointer))
            return false;
        const std::optional<PointerTargets::Targets> found = targets.of(pointer);
        return found
                   ? found->count(array) != 0
                   : analysis.context.hasSameUnqualifiedType(pointer->getType(), array->getType());
    };
    const auto sets = [&](const Effects &one) {
        return llvm::any_of(one.writes, [&](const Write &write) {
            return (write.place.element || write.place.behind) && leadsThere(write.place.base) &&
                   (write.call == nullptr || calleeName(write.call) != "free");
        });
    };
    return sets(effects) ||
           llvm::any_of(analysis.finder.reachable(effects), [&](const FunctionDecl *function) {
               return sets(analysis.finder.of(function->getBody()));
           });
}

bool DerivedValues::changesLater(const VarDecl *array) const
{
    if (uses.isWritten(array))
        return true;
    for (size_t i = asked + 1; i < analysis.prologue.size(); i++)
        if (setElements(analysis.prologue[i].effects, array))
            return true;
    for (size_t step = 0; step < analysis.path.size(); step++)
        for (const Stmt *statement : analysis.structure.following(analysis.path[step].anchor))
            if (analysis.runsAgain(step, statement) &&
                setElements(analysis.finder.withCallees(statement), array))
                return true;
    return false;
}

DerivedValues::Carriers DerivedValues::carriersIn(const Effects &effects) const
{
    Carriers carriers;
    const std::vector<const FunctionDecl *> functions = analysis.finder.reachable(effects);
    std::vector<Effects> bodies = {effects};
    for (const FunctionDecl *function : functions)
        bodies.push_back(analysis.finder.of(function->getBody()));
    for (size_t before = SIZE_MAX; before != carriers.size();) {
        before = carriers.size();
        for (const Effects &body : bodies)
            carry(body, carriers);
        for (const FunctionDecl *function : functions)
            carryBack(function, function->getBody(), carriers);
    }
    return carriers;
}

/* Local numbers that EFFECTS, of a statement or a body, set so. */
void DerivedValues::carry(const Effects &effects, Carriers &carriers) const
{
    for (const Write &write : effects.writes)
        if (write.place.base->isLocalVarDeclOrParm() && !write.place.behind &&
            isDerived(write, true, true, carriers))
            carriers.variables.insert(write.place.base->getCanonicalDecl());
    for (const CallExpr *call : effects.calls)
        carryIn(call, carriers);
}

void DerivedValues::carryIn(const CallExpr *call, Carriers &carriers) const
{
    for (const FunctionDecl *callee : analysis.finder.callees(call))
        for (const auto &[parameter, argument] : passedBy(call, callee))
            if (parameter->getType()->isArithmeticType() && readsElements(argument, true, carriers))
                carriers.variables.insert(parameter->getCanonicalDecl());
}

void DerivedValues::carryBack(const FunctionDecl *function, const Stmt *statement,
                              Carriers &carriers) const
{
    for (const Expr *value : returnedIn(statement))
        if (value->getType()->isArithmeticType() && readsElements(value, true, carriers))
            carriers.functions.insert(function->getCanonicalDecl());
}

bool DerivedValues::startState(const Effects &effects)
{
    bool any = false;
    for (const Write &write : effects.writes) {
        SourceLocation where;
        const Place &place = write.place;
        if (analysis.laterUse(place, where).empty())
            continue;
        if (!place.type->isArithmeticType() || isHandle(place.type) || place.element ||
            place.behind || analysis.rangeAt(place) != nullptr)
            return false;
        if (!flow)
            flow = followRanks(analysis, distributed);
        if (isRankedAt(flow->atEntry, place) || flow->layoutAt(place) != nullptr)
            return false;
        any = true;
    }
    return any;
}

/* Numbers: one, an array of fixed size, or a struct that a call fills; with MEMBERS, also one of a
 * struct, or all of it. */
static bool isNumbers(const Analysis &analysis, const Write &write, bool members)
{
    const QualType type = analysis.context.getBaseElementType(write.place.type);
    if (isHandle(type) || isScratchHandle(type))
        return false;
    return type->isArithmeticType() ||
           ((members || write.call != nullptr) && type->isRecordType() && isPlainValue(type));
}

/* CONDITIONS: also where elements decide whether it is set, or how often. */
bool DerivedValues::isDerived(const Write &write, bool written, bool conditions,
                              const Carriers &carriers) const
{
    if (!isNumbers(analysis, write, written) || isRange(analysis, write.place))
        return false;
    if (write.value != nullptr && !written)
        for (const CallExpr *call : analysis.finder.of(write.value).calls)
            if (!communication(analysis, call).empty())
                return false; /* such a function hands back what all agree on */
    const auto reads = [&](const Expr *expression) {
        return readsElements(expression, written, carriers);
    };
    if (reads(write.value) || (conditions && llvm::any_of(write.conditions, reads)))
        return true;
    return write.call != nullptr && calleeName(write.call) != "free" &&
           llvm::any_of(write.call->arguments(), reads);
}

bool DerivedValues::readsElements(const Expr *expression, bool written,
                                  const Carriers &carriers) const
{
    if (expression == nullptr)
        return false;
    const Effects effects = analysis.finder.of(expression);
    for (const CallExpr *call : effects.calls)
        for (const FunctionDecl *callee : analysis.finder.callees(call))
            if (carriers.functions.count(callee->getCanonicalDecl()) != 0)
                return true;
    return llvm::any_of(effects.mentions, [&](const Mention &mention) {
        const VarDecl *variable = mention.place.base->getCanonicalDecl();
        if (carriers.variables.count(variable) != 0 && !mention.assigned)
            return true;
        for (const auto &known : analysis.derived)
            if (overlap(known.value.place, mention.place))
                return true;
        return analysis.isData(variable) && (!written || changesLater(variable));
    });
}

void DerivedValues::restart()
{
    analysis.derived.clear();
    agreed.clear();
}

bool DerivedValues::isAgreed(const Place &place) const
{
    return llvm::any_of(agreed, [&](const Place &known) { return overlap(known, place); });
}

/* A number that WRITE sets is the same on all ranks from there on, or is not any more. */
void DerivedValues::agree(const Write &write)
{
    agreed.erase(std::remove_if(agreed.begin(), agreed.end(),
                                [&](const Place &known) { return overlap(known, write.place); }),
                 agreed.end());
    if (LoopUses::isCollective(write) && write.conditions.empty() && !write.place.element &&
        !write.place.behind && write.place.type->isArithmeticType())
        agreed.push_back(write.place);
}

void DerivedValues::note(const Item &item)
{
    for (const Write &write : item.effects.writes) {
        if (item.kind == Class::Initial && isDerived(write, false, true) &&
            !analysis.isData(write.place.base) && !LoopUses::isCollective(write)) {
            std::string array = ownElements(write);
            analysis.derived.push_back(
                {item.statement, {write.place, array, write.where}, !array.empty()});
        }
        agree(write);
    }
}

std::string DerivedValues::ownElements(const Write &write) const
{
    std::vector<const Expr *> from = {write.value};
    from.insert(from.end(), write.conditions.begin(), write.conditions.end());
    if (write.call != nullptr)
        from.insert(from.end(), write.call->arg_begin(), write.call->arg_end());
    for (const Expr *expression : from)
        if (std::string array = ownElements(expression); !array.empty())
            return array;
    return "";
}

std::string DerivedValues::ownElements(const Expr *expression) const
{
    if (expression == nullptr)
        return "";
    for (const Mention &mention : analysis.finder.of(expression).mentions) {
        if (distributed.count(mention.place.base->getCanonicalDecl()))
            return mention.place.base->getNameAsString();
        for (const Derived &known : analysis.derived)
            if (known.own && overlap(known.value.place, mention.place) && !isAgreed(mention.place))
                return known.value.cause;
    }
    return "";
}

} // namespace xmpi
