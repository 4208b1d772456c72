/* SPDX-License-Identifier: BSD-3-Clause
 * Finds who makes persistent requests, where they are kept, and what starting them touches. */
#include "handles/requests.h"
#include "compat.h"
#include "facts/effects.h"
#include "source/loops.h"

namespace xmpi
{

using namespace clang;

static bool isRequest(QualType type)
{
    QualType pointed = type->isArrayType() ? QualType(type->getArrayElementTypeNoTypeQual(), 0)
                                           : type->getPointeeType();
    const auto *name = pointed.isNull() ? nullptr : pointed->getAs<TypedefType>();
    return name != nullptr && name->getDecl()->getName() == "MPI_Request";
}

static const ParmVarDecl *parameterOf(const CallExpr *call, unsigned index)
{
    const FunctionDecl *callee = call->getDirectCallee();
    return callee != nullptr && index < callee->getNumParams() ? callee->getParamDecl(index)
                                                               : nullptr;
}

static bool starts(const CallExpr *call)
{
    return plainName(call) == "MPI_Start" || plainName(call) == "MPI_Startall";
}

static bool completes(const CallExpr *call)
{
    return startsWith(plainName(call), "MPI_Wait") || startsWith(plainName(call), "MPI_Test");
}

/* The variable, array or member whose address, or that of an element, ARGUMENT is. */
bool PersistentRequests::isInit(const CallExpr *call)
{
    llvm::StringRef name = plainName(call);
    const ParmVarDecl *last =
        call->getNumArgs() > 0 ? parameterOf(call, call->getNumArgs() - 1) : nullptr;
    return startsWith(name, "MPI_") && (endsWith(name, "_init") || endsWith(name, "_init_c")) &&
           last != nullptr && isRequest(last->getType());
}

PersistentRequests::PersistentRequests(const std::vector<const FunctionDecl *> &functions,
                                       const StructMembers &members)
    : members(members)
{
    std::vector<Caller> calls;
    bool any = false;
    for (const FunctionDecl *function : functions)
        for (const CallExpr *call : EffectsFinder().of(function->getBody()).calls) {
            calls.emplace_back(function, call);
            any = any || isInit(call);
        }
    if (!any)
        return;
    findVariables(calls);
    findFunctions(calls);
    findBuffers(calls);
    findStarted(calls);
    for (const FunctionDecl *function : functions)
        findNamed(function);
}

/* -- where requests are kept */

bool PersistentRequests::addHolder(const Expr *argument)
{
    std::optional<Place> place = placeGiven(argument);
    if (!place)
        return false;
    if (place->field != nullptr)
        return fields.insert(place->field).second;
    bool fresh = variables.insert(place->base->getCanonicalDecl()).second;
    for (const VarDecl *meant : members.meaning(place->base))
        fresh = variables.insert(meant->getCanonicalDecl()).second || fresh;
    return fresh;
}

/* A pointer may have got them in any way. */
bool PersistentRequests::holds(const VarDecl *variable) const
{
    if (!variables.empty() && variable->getType()->isPointerType() &&
        isRequest(variable->getType()))
        return true;
    for (const VarDecl *meant : members.meaning(variable))
        if (variables.count(meant->getCanonicalDecl()))
            return true;
    return variables.count(variable->getCanonicalDecl()) != 0;
}

bool PersistentRequests::holds(const Expr *argument) const
{
    std::optional<Place> place = placeGiven(argument);
    return place && ((place->field != nullptr && fields.count(place->field)) || holds(place->base));
}

/* A function that makes them where its parameter points to puts them where its caller says. */
void PersistentRequests::findVariables(const std::vector<Caller> &calls)
{
    for (const auto &[function, call] : calls)
        if (isInit(call))
            addHolder(call->getArg(call->getNumArgs() - 1));
    for (bool more = true; more;) {
        more = false;
        for (const auto &[function, call] : calls) {
            const FunctionDecl *callee = definitionOf(call);
            for (unsigned i = 0; callee != nullptr && i < call->getNumArgs(); i++)
                if (i < callee->getNumParams() &&
                    variables.count(callee->getParamDecl(i)->getCanonicalDecl()))
                    more = addHolder(call->getArg(i)) || more;
        }
    }
}

/* -- functions that start or make requests, themselves or by others */

void PersistentRequests::findFunctions(const std::vector<Caller> &calls)
{
    for (bool more = true; more;) {
        more = false;
        for (const auto &[function, call] : calls) {
            const FunctionDecl *callee = definitionOf(call);
            llvm::StringRef name = plainName(call);
            bool makes = isInit(call) || startsWith(name, "MPI_I") || name == "MPI_Request_free";
            if (starts(call) || (callee != nullptr && starting.count(callee)))
                more = starting.insert(function).second || more;
            if (makes || (callee != nullptr && making.count(callee)))
                more = making.insert(function).second || more;
        }
    }
}

/* -- buffers */

/* EXPRESSION begins with a parameter of FUNCTION: its index; -1 otherwise. */
static int parameterIn(const Expr *expression, const FunctionDecl *function)
{
    std::optional<Place> place = placeGiven(expression);
    for (unsigned i = 0; place && i < function->getNumParams(); i++)
        if (place->base->getCanonicalDecl() == function->getParamDecl(i)->getCanonicalDecl())
            return static_cast<int>(i);
    return -1;
}

/* EXPRESSION begins with a pointer of FUNCTION that is declared with its only value: that; or null.
 */
static const Expr *onlyValueIn(const Expr *expression, const FunctionDecl *function)
{
    std::optional<Place> place = placeGiven(expression);
    const VarDecl *pointer = place ? place->base->getCanonicalDecl() : nullptr;
    const bool declared = pointer != nullptr && pointer->hasLocalStorage() &&
                          !isa<ParmVarDecl>(pointer) && pointer->getType()->isPointerType() &&
                          place->field == nullptr && pointer->getInit() != nullptr;
    return declared && !changes(function->getBody(), pointer) ? pointer->getInit() : nullptr;
}

void PersistentRequests::findBuffers(const std::vector<Caller> &calls)
{
    for (const auto &[function, init] : calls)
        for (unsigned i = 0; isInit(init) && i < init->getNumArgs(); i++) {
            QualType pointed = parameterOf(init, i)->getType()->getPointeeType();
            if (!pointed.isNull() && pointed->isVoidType())
                buffers.push_back(
                    {init, function, init->getArg(i), true, !pointed.isConstQualified()});
        }
    std::set<std::pair<const CallExpr *, const Expr *>> seen;
    for (size_t at = 0; at < buffers.size(); at++) {
        const RequestBuffer buffer = buffers[at];
        int index = parameterIn(buffer.expression, buffer.function);
        bool bare = isa<DeclRefExpr>(buffer.expression->IgnoreParenCasts());
        const Expr *value = onlyValueIn(buffer.expression, buffer.function);
        if (value != nullptr && seen.insert({buffer.init, value}).second)
            buffers.push_back(
                {buffer.init, buffer.function, value, buffer.exact && bare, buffer.received});
        for (const auto &[caller, call] : calls)
            if (index >= 0 && definitionOf(call) == buffer.function->getDefinition() &&
                index < static_cast<int>(call->getNumArgs()) &&
                seen.insert({buffer.init, call->getArg(static_cast<unsigned>(index))}).second)
                buffers.push_back({buffer.init, caller, call->getArg(static_cast<unsigned>(index)),
                                   buffer.exact && bare, buffer.received});
    }
}

static size_t mentionsOf(const ParmVarDecl *parameter, const Stmt *statement)
{
    size_t count = 0;
    for (const Mention &mention : EffectsFinder().of(statement).mentions)
        count += mention.place.base == parameter;
    return count;
}

/* FUNCTION does nothing with the memory, but says that requests are for it. */
void PersistentRequests::findNamed(const FunctionDecl *function)
{
    for (const ParmVarDecl *parameter : function->parameters()) {
        size_t inBuffers = 0;
        for (const RequestBuffer &buffer : buffers)
            if (buffer.function == function)
                inBuffers += mentionsOf(parameter, buffer.expression);
        if (parameter->getType()->isPointerType() && inBuffers > 0 &&
            inBuffers == mentionsOf(parameter, function->getBody()))
            named.insert(parameter);
    }
}

std::vector<RequestBuffer> PersistentRequests::buffersOf(const CallExpr *init) const
{
    std::vector<RequestBuffer> found;
    for (const RequestBuffer &buffer : buffers)
        if (buffer.init == init)
            found.push_back(buffer);
    return found;
}

/* -- what is started */

/* START may start the request of BUFFER: it names the same variable or member, or who knows. */
bool PersistentRequests::fits(const CallExpr *start, const RequestBuffer &buffer) const
{
    unsigned last = buffer.init->getNumArgs() - 1;
    std::optional<Place> one = placeGiven(start->getArg(start->getNumArgs() - 1));
    std::optional<Place> other = placeGiven(buffer.init->getArg(last));
    if (!one || !other)
        return true;
    if (one->field != nullptr || other->field != nullptr)
        return one->field == other->field;
    for (const Place &place : {*one, *other})
        if (place.base->getType()->isPointerType() || !members.meaning(place.base).empty())
            return true;
    return one->base->getCanonicalDecl() == other->base->getCanonicalDecl();
}

void PersistentRequests::findStarted(const std::vector<Caller> &calls)
{
    for (const auto &[function, call] : calls) {
        const FunctionDecl *callee = definitionOf(call);
        bool itself = starts(call);
        if (!itself && (callee == nullptr || !starting.count(callee)))
            continue;
        for (const RequestBuffer &buffer : buffers) {
            std::optional<Place> place = placeGiven(buffer.expression);
            bool global = place && place->base->hasGlobalStorage();
            bool named = buffer.function == function || (global && itself);
            if (named && (itself ? fits(call, buffer) : !global))
                started[call].push_back(buffer);
        }
    }
}

const std::vector<RequestBuffer> &PersistentRequests::startedBy(const CallExpr *call) const
{
    static const std::vector<RequestBuffer> none;
    auto found = started.find(call);
    return found == started.end() ? none : found->second;
}

bool PersistentRequests::keeps(const CallExpr *call, unsigned index) const
{
    const ParmVarDecl *parameter = parameterOf(call, index);
    if (buffers.empty() || parameter == nullptr)
        return false;
    if (isInit(call))
        return index + 1 < call->getNumArgs();
    if (definitionOf(call) != nullptr && named.count(definitionOf(call)->getParamDecl(index)))
        return true;
    if (!isRequest(parameter->getType()))
        return false;
    const FunctionDecl *callee = definitionOf(call);
    bool other = callee != nullptr ? !making.count(callee)
                                   : completes(call) || !startsWith(plainName(call), "MPI_");
    return starts(call) || (other && holds(call->getArg(index)));
}

} // namespace xmpi
