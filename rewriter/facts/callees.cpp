/* SPDX-License-Identifier: BSD-3-Clause
 * What the functions of the file that a statement calls do for it. */
#include "facts/effects.h"
#include "compat.h"
#include "library/library.h"

namespace xmpi
{

using namespace clang;

const EffectsFinder::Members &EffectsFinder::membersSet(const ParmVarDecl *parameter) const
{
    auto [at, fresh] = known->emplace(parameter, std::nullopt);
    if (!fresh)
        return at->second; /* of a function that calls itself: nothing is known */
    const auto *function = cast<FunctionDecl>(parameter->getDeclContext());
    Effects inside = of(function->getBody());
    std::set<const FieldDecl *> set;
    for (const Mention &mention : inside.mentions)
        if (mention.place.base == parameter && mention.place.field == nullptr)
            return at->second; /* passed on, copied, or as a whole */
    for (const Write &write : inside.writes)
        if (write.place.base == parameter)
            set.insert(write.place.field);
    at->second = set;
    return at->second;
}

/* CALLEE changes what PARAMETER points to, or its member FIELD, by its old value. */
static bool addsThrough(const EffectsFinder &finder, const FunctionDecl *callee,
                        const ParmVarDecl *parameter, const FieldDecl *field)
{
    const Effects inside = finder.of(callee->getBody());
    return llvm::any_of(inside.writes, [&](const Write &write) {
        const bool same =
            write.place.base == parameter &&
            (field == nullptr || write.place.field == nullptr || write.place.field == field);
        return same && write.how == Write::How::Assigned && !inside.setsAnew(write) &&
               write.place.type->isArithmeticType();
    });
}

bool EffectsFinder::addsTo(const Write &write) const
{
    if (write.how != Write::How::Passed || write.call == nullptr)
        return false;
    for (const FunctionDecl *callee : callees(write.call))
        for (unsigned i = 0; i < write.call->getNumArgs(); i++) {
            const Effects given = of(write.call->getArg(i));
            const bool named = llvm::any_of(given.mentions, [&](const Mention &mention) {
                return mention.place.base == write.place.base;
            });
            if (named && (i >= callee->getNumParams() || /* one of those that it asks for */
                          addsThrough(*this, callee, callee->getParamDecl(i), write.place.field)))
                return true;
        }
    return false;
}

/* What only computes, or asks MPI something, calls nothing but what it is given; types may have
 * attributes. */
static bool callsBack(const CallExpr *call)
{
    const llvm::StringRef name = calleeName(call);
    return startsWith(name, "MPI_Type_") || (deedOf(call) != Deed::Computes && !isLocalMpi(name));
}

std::vector<const FunctionDecl *> EffectsFinder::callees(const CallExpr *call) const
{
    std::vector<const FunctionDecl *> found;
    const FunctionDecl *callee = call->getDirectCallee();
    if (members != nullptr)
        found = members->callees(call);
    else if (callee != nullptr && callee->getDefinition() != nullptr)
        found.push_back(callee->getDefinition());
    if (callee != nullptr && callee->getDefinition() == nullptr && callsBack(call))
        found.insert(found.end(), handedOut.begin(), handedOut.end());
    return found;
}

std::vector<const FunctionDecl *> EffectsFinder::reachable(const Effects &effects) const
{
    std::vector<const FunctionDecl *> found;
    std::set<const FunctionDecl *> seen;
    std::vector<const FunctionDecl *> open = effects.functions;
    while (!open.empty()) {
        const FunctionDecl *definition = open.back()->getDefinition();
        open.pop_back();
        if (definition == nullptr || !seen.insert(definition).second)
            continue;
        found.push_back(definition);
        Effects inside = of(definition->getBody());
        open.insert(open.end(), inside.functions.begin(), inside.functions.end());
    }
    return found;
}

/* With which structs the functions of this file are called. */
EffectsFinder::Calls EffectsFinder::callsBehind(const Effects &effects) const
{
    Calls found;
    if (members == nullptr || !members->hasShared())
        return found;
    std::vector<std::pair<Effects, Bindings>> open = {{effects, {}}};
    while (!open.empty()) {
        auto [inside, bindings] = open.back();
        open.pop_back();
        std::multiset<const FunctionDecl *> named(inside.functions.begin(), inside.functions.end());
        std::vector<std::pair<const FunctionDecl *, Bindings>> next;
        for (const CallExpr *call : inside.calls) {
            const FunctionDecl *callee = call->getDirectCallee();
            auto mention = callee ? named.find(callee) : named.end();
            if (mention != named.end())
                named.erase(mention);
            if (callee != nullptr && callee->getDefinition() != nullptr)
                next.emplace_back(callee->getDefinition(),
                                  members->bind(call, callee->getDefinition(), bindings));
        }
        for (const FunctionDecl *function : named) /* by a pointer */
            if (function->getDefinition() != nullptr)
                next.emplace_back(function->getDefinition(), Bindings());
        for (const auto &[function, own] : next)
            if (found[function].insert(own).second)
                open.emplace_back(of(function->getBody()), own);
    }
    return found;
}

/* The variables of file scope that PLACE, in the function IN, may be of. */
std::set<const VarDecl *> EffectsFinder::globals(const Place &place, const FunctionDecl *in,
                                                 const Calls &calls) const
{
    if (place.base->hasGlobalStorage() && !place.base->isStaticLocal())
        return {place.base};
    std::set<const VarDecl *> found;
    if (members == nullptr || !members->isShared(place.base))
        return found;
    auto bindings = calls.find(in);
    if (bindings == calls.end())
        return members->meaning(place.base);
    for (const Bindings &own : bindings->second)
        found.merge(members->meaning(place.base, own));
    return found;
}

Effects EffectsFinder::withCallees(const Stmt *statement) const
{
    Effects effects = of(statement);
    const Calls calls = callsBehind(effects);
    for (const FunctionDecl *function : reachable(effects)) {
        Effects inside = of(function->getBody());
        for (Mention mention : inside.mentions)
            for (const VarDecl *global : globals(mention.place, function, calls)) {
                mention.assigned = mention.assigned && global == mention.place.base;
                mention.place.base = global;
                effects.mentions.push_back(mention);
            }
        for (Write write : inside.writes)
            for (const VarDecl *global : globals(write.place, function, calls)) {
                write.place.base = global;
                effects.writes.push_back(write);
            }
        effects.calls.insert(effects.calls.end(), inside.calls.begin(), inside.calls.end());
    }
    return effects;
}

} // namespace xmpi
