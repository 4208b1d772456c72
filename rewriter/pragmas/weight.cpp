/* SPDX-License-Identifier: BSD-3-Clause
 * The weights of rows, the clause weight(w) of the loop. */
#include "pragmas/weight.h"
#include "analysis.h"

namespace xmpi
{

using namespace clang;

const char *weightType(const ASTContext &context, QualType element)
{
    QualType type = element.getCanonicalType().getUnqualifiedType();
    if (type == context.DoubleTy)
        return "XMPI_GEN_DOUBLE";
    if (type == context.FloatTy)
        return "XMPI_GEN_FLOAT";
    if (!type->isSignedIntegerType() || type->isEnumeralType())
        return nullptr;
    uint64_t bits = context.getTypeSize(type);
    return bits == 32 ? "XMPI_GEN_INT32" : bits == 64 ? "XMPI_GEN_INT64" : nullptr;
}

/* The array NAME as it is registered, null where it is not. */
static const Data *registered(const Program &program, const std::string &name)
{
    std::vector<const Registrations *> all = {&program.loop.before, &program.loop.inside};
    for (const Site &site : program.sites)
        all.push_back(&site.what);
    for (const Guarded &guarded : program.guarded)
        all.push_back(&guarded.after);
    for (const Registrations *what : all)
        for (const Data &data : what->data)
            if (data.name == name)
                return &data;
    return nullptr;
}

bool describeWeight(Analysis &analysis)
{
    if (analysis.loopPragma->weights.empty())
        return true;
    const Operand &weight = analysis.loopPragma->weights.front();
    const auto *variable = cast<VarDecl>(cast<DeclRefExpr>(weight.expression)->getDecl());
    QualType type = variable->getType();
    auto known = analysis.data.find(variable->getCanonicalDecl());
    const Data *data =
        known != analysis.data.end() ? registered(analysis.program, known->second) : nullptr;
    if (data == nullptr && !analysis.isSetup({variable, nullptr, false, false, type}))
        return analysis.diagnostics.report(weight.where, Problem::WeightArray, {weight.text});
    Loop &loop = analysis.program.loop;
    bool whole = data != nullptr && data->scheme != Scheme::Distributed;
    loop.weight = "xmpi_gen_weight((void *)&" + weight.text + ", " +
                  weightType(analysis.context, type->getPointeeType()) + ", " +
                  (whole ? "XMPI_GEN_REPLICATED" : "XMPI_GEN_DISTRIBUTED") + ");";
    loop.weights = weight.text;
    loop.weighted = analysis.source.offset(weight.where);
    return true;
}

} // namespace xmpi
