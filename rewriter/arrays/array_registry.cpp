/* SPDX-License-Identifier: BSD-3-Clause
 * Registers arrays where their extents can be written. */
#include "arrays/array_registry.h"
#include "facts/storage.h"
#include "report/advice.h"
#include "rows/elements.h"
#include "source/variable.h"
#include "source/within.h"
#include "state/sight.h"
#include "trial/expressions.h"

namespace xmpi
{

using namespace clang;

bool ArrayRegistry::refuse(SourceLocation where, Problem problem,
                           std::initializer_list<llvm::StringRef> arguments)
{
    return analysis.diagnostics.report(where, problem, arguments);
}

/* (No clause names what an element of an array of pointers points to.) */
bool ArrayRegistry::refuseShape(SourceLocation where, const VarDecl *variable)
{
    const bool changed = facts.uses.isWritten(variable);
    const Type *element = variable->getType()->isArrayType()
                              ? variable->getType()->getBaseElementTypeUnsafe()
                              : nullptr;
    if (element != nullptr && element->isPointerType())
        return refuse(where, Problem::ArrayShape,
                      {variable->getName(),
                       "keep each of its pointers in a variable or member of its own, and write "
                       "'#pragma xmpi data distributed(name[rows][columns])' for each, with ghost "
                       "rows 'halo(name[rows][columns]: width)', before the loop",
                       changed ? "changes" : "reads"});
    const SourceManager &manager = analysis.context.getSourceManager();
    const SourceLocation loop = analysis.loop->getBeginLoc();
    const std::string name = variable->getNameAsString(),
                      of = whereDeclared(manager, variable, loop);
    if (variable->isFileVarDecl() && !of.empty() && !isDeclaredFor(manager, variable, loop))
        return refuse(where, Problem::ArrayShape,
                      {name,
                       "where iterations make its memory, make it before the loop; else declare " +
                           name + of + " where the loop sees it, and " + shapeAdvice(name),
                       changed ? "changes" : "reads"});
    reportShape(analysis, where, name, changed);
    return false;
}

static std::string lastField(const RecordDecl *record)
{
    std::string name;
    for (const FieldDecl *field : record->fields())
        name = field->getNameAsString();
    return name;
}

/* Rows go by the range and the domain; what is asked of the range alone, as whether there are any,
 * makes more room for them or less. */
void ArrayRegistry::nameRows(Picked &picked, const Step &place) const
{
    const Division &division = *inference.division;
    picked.name(division.displ.place);
    for (const auto &[variable, item] : division.variables)
        picked.name(variable.place);
    survey.textFor(division.extent, place.function, place.anchor, SIZE_MAX - 1, &picked);
    for (const Expr *condition : picked.wanted) {
        const Effects effects = analysis.finder.of(condition);
        if (llvm::all_of(effects.mentions, [&](const Mention &mention) {
                return analysis.rangeAt(mention.place) != nullptr;
            }))
            picked.used.insert(condition);
    }
}

/* So many ELEMENTS, as the program itself has written it where it makes the memory of VARIABLE. */
std::string ArrayRegistry::asMade(const VarDecl *variable, const Values &elements) const
{
    std::vector<const Expr *> parts;
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes)
            if (write.value != nullptr && write.place.base->getCanonicalDecl() == variable &&
                !write.place.element)
                eachWithin(write.value, [&](const Stmt *part) {
                    if (const auto *count = dyn_cast<Expr>(part))
                        parts.push_back(count);
                });
    return keptText(analysis, survey, parts, elements, survey.pickedFor(variable));
}

std::vector<std::string> ArrayRegistry::texts(const std::vector<Values> &shape, size_t step,
                                              std::optional<Picked> picked) const
{
    const Step &place = analysis.path[step];
    std::vector<std::string> all;
    for (const Values &values : shape) {
        const bool rows = inference.division && values == inference.division->extent;
        if (rows && picked)
            nameRows(*picked, place);
        all.push_back(rows && step == inference.division->step
                          ? inference.division->domain
                          : survey.textFor(values, place.function, place.anchor, SIZE_MAX - 1,
                                           picked && !rows ? &*picked : nullptr));
    }
    const bool known = llvm::none_of(all, [](const std::string &text) { return text.empty(); });
    return known && (!picked || picked->areAllUsed()) ? all : std::vector<std::string>();
}

std::vector<std::string> ArrayRegistry::textsOf(const VarDecl *variable,
                                                const std::vector<Values> &shape, size_t step) const
{
    Picked picked = survey.pickedFor(variable);
    if (variable->getType()->isPointerType()) /* an element has these lengths */
        picked.name(variable->getType()->getPointeeType());
    const std::vector<std::string> all = texts(shape, step, picked);
    const bool written = all.empty() && shape.size() == 1 && step == analysis.lastStep();
    const std::string text = written ? asMade(variable, shape.front()) : "";
    return text.empty() ? all : std::vector<std::string>{text};
}

/* What INDEX, or a function that it calls, picks by numbers that are no counters: no trial has been
 * there. */
static void wantPicked(const Analysis &analysis, const Expr *index,
                       const std::function<bool(const Place &)> &counts, int depth, Picked &picked)
{
    const auto isFixed = [&](const Stmt *one) {
        const Effects effects = analysis.finder.of(one);
        return llvm::none_of(effects.mentions,
                             [&](const Mention &mention) { return counts(mention.place); });
    };
    eachWithin(index, [&](const Stmt *one) {
        const auto *expression = dyn_cast<Expr>(one);
        const auto *call = dyn_cast<CallExpr>(one);
        const FunctionDecl *callee = call != nullptr ? definitionOf(call) : nullptr;
        if (expression != nullptr && Picks::picks(expression) && isFixed(expression))
            picked.wanted.insert(expression);
        if (callee != nullptr && depth > 0)
            for (const Expr *value : returnedIn(callee->getBody()))
                wantPicked(analysis, value, counts, depth - 1, picked);
    });
}

Picked ArrayRegistry::pickedByUse(const VarDecl *variable) const
{
    enum { MaxDepth = 4 };
    Picked picked = survey.pickedFor(nullptr);
    std::vector<Effects> effects;
    for (const Stmt *body : facts.uses.bodies)
        effects.push_back(analysis.finder.of(body));
    const auto counts = [&](const Place &place) {
        return llvm::any_of(effects, [&](const Effects &one) { return one.changes(place); });
    };
    for (const Access &access : facts.uses.accesses)
        if (access.index != nullptr && facts.uses.touches(access, variable)) {
            picked.wantUse(access.index);
            wantPicked(analysis, access.index, counts, MaxDepth, picked);
        }
    return picked;
}

/* What holds the pointer of VARIABLE, of the function of STEP, in the caller; or null. */
const VarDecl *ArrayRegistry::inCaller(const VarDecl *variable, size_t step) const
{
    if (variable->hasGlobalStorage())
        return variable;
    const auto *parameter = dyn_cast<ParmVarDecl>(variable);
    if (parameter == nullptr || step == 0)
        return nullptr;
    const CallExpr *call = analysis.path[step - 1].call;
    if (parameter->getFunctionScopeIndex() >= call->getNumArgs())
        return nullptr;
    const auto *passed = variableNamed(call->getArg(parameter->getFunctionScopeIndex()));
    return passed != nullptr && passed->getType()->isPointerType() ? passed->getCanonicalDecl()
                                                                   : nullptr;
}

bool ArrayRegistry::add(const VarDecl *variable, Scheme scheme, const std::vector<Values> &extents,
                        SourceLocation where, const std::string &halo)
{
    size_t step = analysis.path.size() - 1;
    const VarDecl *named = variable;
    const bool rowsAlone = scheme == Scheme::Distributed && extents.size() == 1 && halo.empty();
    const auto textsAt = [&](size_t at) { /* (it does not tell how long a row is) */
                                          return rowsAlone ? texts(extents, at)
                                                           : textsOf(variable, extents, at);
    };
    std::vector<std::string> shape = textsAt(step);
    while (shape.empty() && step > 0 && (named = inCaller(named, step)) != nullptr)
        shape = textsAt(--step);
    if (shape.empty())
        return refuseShape(where, variable);
    return addAt(step, named, scheme, shape, halo);
}

bool ArrayRegistry::addAt(size_t step, const VarDecl *variable, Scheme scheme,
                          const std::vector<std::string> &shape, const std::string &halo)
{
    if (const FieldDecl *field = pointerMember(pointedBy(variable)))
        return refuse(variable->getLocation(), Problem::MemberArray,
                      {variable->getNameAsString() + "[]." + field->getNameAsString()});
    const RecordDecl *record = pointedBy(variable)->getAsRecordDecl();
    if (record != nullptr && record->getDefinition() != nullptr &&
        record->getDefinition()->hasFlexibleArrayMember())
        return refuse(variable->getLocation(), Problem::MemberArray,
                      {variable->getNameAsString() + "->" + lastField(record->getDefinition())});
    if (facts.isResized(variable))
        return refuseShape(variable->getLocation(), variable);
    Data data;
    data.halo = halo;
    data.name = uniqueName(analysis, variable);
    data.variable = analysis.textOf(Place::of(variable), step);
    data.scheme = scheme;
    data.shape = shape;
    data.fixed = analysis.arrays.bytesOf(blockOf(survey, variable));
    data.elements = elementsOf(analysis.context, pointedBy(variable));
    data.where = analysis.source.offset(variable->getLocation());
    analysis.data[variable] = data.name;
    const Data one = data;
    for (size_t i = 0; i < pointersIn(variable); i++) {
        data.name = one.name + "[" + std::to_string(i) + "]";
        data.variable = one.variable + "[" + std::to_string(i) + "]";
        analysis.data[variable] = one.name + "[0]";
        analysis.entry(step).data.push_back(data);
    }
    if (pointersIn(variable) == 0)
        analysis.entry(step).data.push_back(data);
    addCopies(step, variable, one);
    return true;
}

/* A struct that was handed on by value has the pointers of its own as well. */
void ArrayRegistry::addCopies(size_t step, const VarDecl *variable, const Data &data)
{
    if (!analysis.members.contains(variable))
        return;
    for (size_t holder : analysis.holders(variable)) {
        std::string text = analysis.textOf(Place::of(variable), holder);
        for (size_t i = 0; holder != step && i < std::max<size_t>(pointersIn(variable), 1); i++) {
            std::string index = pointersIn(variable) ? "[" + std::to_string(i) + "]" : "";
            analysis.entry(holder).aliases.push_back({data.name + index, text + index, data.where});
        }
    }
}

std::string ghostRows(const VarDecl *variable, int more)
{
    if (more % 2 == 1) /* no width has as many on both sides */
        return "where each iteration sets all of '" + variable->getNameAsString() +
               "' anew, as values at faces, allocate it there, and free it at its end; else name "
               "the state of the loop, '#pragma xmpi loop state(...)' (docs/startover.md)";
    if (!variable->getType()->isPointerType()) /* several, which no data clause can name */
        return stateOfRows(variable);
    const bool rows = variable->getType()->getPointeeType()->isArrayType();
    return "write '#pragma xmpi data halo(" + variable->getNameAsString() +
           (rows ? "[rows]" : "[rows][columns]") +
           ": width)' where as many ghost rows lie in front of the own ones as "
           "behind (0: there are none)";
}

std::string stateOfRows(const VarDecl *variable)
{
    return "where as many ghost rows lie in front of the own ones as behind, name the state of the "
           "loop, as in '#pragma xmpi loop state(rows((" +
           variable->getNameAsString() + (variable->getType()->isArrayType() ? "[0]" : "") +
           ")[rows][columns] from first, count at width halo width), ...)' (docs/startover.md)";
}

} // namespace xmpi
