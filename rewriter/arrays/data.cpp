/* SPDX-License-Identifier: BSD-3-Clause
 * Registers the arrays that data pragmas name, and the further variables that hold their pointers.
 */
#include "rows/elements.h"
#include "infer/infer.h"
#include "library/opened.h"
#include "source/variable.h"

namespace xmpi
{

using namespace clang;

static size_t stepOf(const Analysis &analysis, const FunctionDecl *function)
{
    size_t step = 0;
    while (analysis.path[step].function != function)
        step++;
    return step;
}

/* The plain name is enough unless another variable of that name is registered as well. */
std::string uniqueName(const Analysis &analysis, const VarDecl *variable)
{
    std::string name = variable->getNameAsString();
    if (analysis.several) /* the same name in another loop's function is something else */
        return analysis.source.position(variable->getLocation()) + ":" + name;
    for (const auto &known : analysis.data)
        if (known.second == name)
            return analysis.source.position(variable->getLocation()) + ":" + name;
    return name;
}

static QualType elementOf(const ArrayOperand &array, const VarDecl *variable)
{
    if (array.element.empty())
        return variable->getType()->getPointeeType();
    const Expr *size = array.element.front().expression->IgnoreParens();
    return cast<UnaryExprOrTypeTraitExpr>(size)->getTypeOfArgument();
}

static bool addArray(Analysis &analysis, const Pragma &pragma, const ArrayOperand &array)
{
    const VarDecl *variable = variableNamed(array.variable.expression);
    const Step &step = analysis.path[stepOf(analysis, pragma.function)];
    if (array.scheme == Scheme::Replicated)
        analysis.equal.insert(variable->getCanonicalDecl());
    if (array.shape.empty())
        return true;
    if (!analysis.structure.alive(variable, step.function, step.anchor))
        return analysis.diagnostics.report(array.variable.where, Problem::VariableScope,
                                           {variable->getName()});
    Data data;
    data.name = uniqueName(analysis, variable);
    data.variable = array.variable.text;
    data.scheme = array.scheme;
    data.csr = array.csr;
    auto fixed = analysis.arrays.all().find(variable->getCanonicalDecl());
    data.fixed = fixed == analysis.arrays.all().end() ? 0 : fixed->second;
    data.elements = elementsOf(analysis.context, elementOf(array, variable));
    if (!array.element.empty()) {
        data.element = array.element.front().text;
        data.file =
            variable->getType()->isPointerType() ? "XMPI_GEN_STREAM" : "XMPI_GEN_DESCRIPTOR";
        analysis.files.insert(variable->getCanonicalDecl());
    }
    data.where = analysis.source.offset(array.variable.where);
    for (const Operand &extent : array.shape)
        data.shape.push_back(extent.text);
    for (const Operand &rows : array.halo)
        data.halo = rows.text;
    data.outOfCore = array.outOfCore;
    if (data.outOfCore && data.fixed > 0)
        return analysis.diagnostics.report(array.variable.where, Problem::OutOfCore,
                                           {variable->getName()});
    analysis.data[variable->getCanonicalDecl()] = data.name;
    analysis.site(Site::Kind::AtPragma, pragma.line.begin).data.push_back(data);
    return true;
}

static void addAlias(Analysis &analysis, size_t step, const std::string &data,
                     const VarDecl *variable)
{
    analysis.data[variable->getCanonicalDecl()] = data;
    if (!variable->getType()->isPointerType())
        analysis.files.insert(variable->getCanonicalDecl());
    for (const Data &known : analysis.program.loop.before.data)
        if (known.name == data && !known.table.empty())
            return; /* pointers to rows, which are written anew by the loop's function */
    analysis.entry(step).aliases.push_back(
        {data, variable->getNameAsString(), analysis.source.offset(variable->getLocation())});
}

static bool isFile(const Analysis &analysis, const VarDecl *variable)
{
    return analysis.files.count(variable->getCanonicalDecl()) != 0;
}

static bool refuseArgument(Analysis &analysis, const Expr *argument, llvm::StringRef name)
{
    return analysis.diagnostics.report(argument->getExprLoc(), Problem::DataArgument, {name});
}

/* A registered parameter: the caller's variable holds the same pointer. */
static bool followUp(Analysis &analysis, const ParmVarDecl *parameter, const std::string &data)
{
    size_t step = stepOf(analysis, dyn_cast<FunctionDecl>(parameter->getDeclContext()));
    if (step == 0)
        return true;
    const Expr *argument = analysis.path[step - 1].call->getArg(parameter->getFunctionScopeIndex());
    const VarDecl *variable = variableNamed(argument);
    if (variable == nullptr ||
        (!variable->getType()->isPointerType() && !isFile(analysis, parameter)))
        return refuseArgument(analysis, argument, parameter->getName());
    if (analysis.isData(variable))
        return true;
    addAlias(analysis, step - 1, data, variable);
    const auto *further = dyn_cast<ParmVarDecl>(variable);
    return further == nullptr || followUp(analysis, further, data);
}

static bool followParameters(Analysis &analysis)
{
    std::map<const VarDecl *, std::string> registered = analysis.data;
    for (const auto &[variable, name] : registered) {
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        if (parameter != nullptr && !followUp(analysis, parameter, name))
            return false;
    }
    return true;
}

/* Registered pointers that are passed on towards the loop. */
static bool followDown(Analysis &analysis, size_t step)
{
    const CallExpr *call = analysis.path[step - 1].call;
    const FunctionDecl *function = analysis.path[step].function;
    for (const auto &[parameter, argument] : passedBy(call, function)) {
        std::optional<Place> place = placeOf(argument);
        if (!place || !analysis.isData(place->base) || analysis.isData(parameter) ||
            (!parameter->getType()->isPointerType() && !isFile(analysis, place->base)))
            continue;
        if (variableNamed(argument) == nullptr)
            return refuseArgument(analysis, argument, place->base->getName());
        addAlias(analysis, step, analysis.data.at(place->base->getCanonicalDecl()), parameter);
    }
    return true;
}

static bool follow(Analysis &analysis)
{
    if (!followParameters(analysis))
        return false;
    for (size_t step = 1; step < analysis.path.size(); step++)
        if (!followDown(analysis, step))
            return false;
    return true;
}

bool findData(Analysis &analysis, const Inference &inference)
{
    for (const auto &pragma : analysis.pragmas.list)
        for (const ArrayOperand &array : pragma->arrays)
            if (!addArray(analysis, *pragma, array))
                return false;
    if (!follow(analysis))
        return false;
    addHandedOn(analysis, analysis.files);
    if (!analysis.startsOver)
        findShared(analysis);
    const bool good = inferData(analysis, inference) && follow(analysis);
    addHandedOn(analysis, analysis.files);
    return good;
}

} // namespace xmpi
