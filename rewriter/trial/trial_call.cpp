/* SPDX-License-Identifier: BSD-3-Clause
 * Calls in a trial: of MPI and the C library as far as they matter, and of functions of the file.
 */
#include "trial/trial.h"
#include <cmath>

namespace xmpi
{

using namespace clang;

Value Trial::allocation(const CallExpr *call)
{
    bool zeroed = calleeName(call) == "calloc";
    Value bytes = evaluate(call->getArg(0));
    if (zeroed)
        bytes = compute(BO_Mul, bytes, evaluate(call->getArg(1)));
    int before = made[call]++;
    const void *block =
        before == 0 ? static_cast<const void *>(call) : &analysis.allocations[{call, before}];
    if (bytes.kind == Value::Kind::Integer)
        blocks[block] = bytes.integer;
    return Value::to(Cell{block});
}

Value Trial::evaluateCall(const CallExpr *call)
{
    llvm::StringRef name = calleeName(call);
    if ((name == "malloc" && call->getNumArgs() == 1) ||
        (name == "calloc" && call->getNumArgs() == 2))
        return allocation(call);
    if ((name == "MPI_Comm_rank" || name == "MPI_Comm_size") && call->getNumArgs() == 2 &&
        isWorld(analysis, call->getArg(0))) {
        Value target = evaluate(call->getArg(1));
        if (target.kind == Value::Kind::Pointer)
            memory[target.target] = Value::of(name == "MPI_Comm_rank" ? rank : size);
        return Value::of(0LL);
    }
    if ((name == "ceil" || name == "floor") && call->getNumArgs() == 1) {
        Value value = evaluate(call->getArg(0));
        if (!value.isNumber())
            return Value();
        return Value::of(name == "ceil" ? std::ceil(value.asReal()) : std::floor(value.asReal()));
    }
    const FunctionDecl *callee = call->getDirectCallee();
    const FunctionDecl *own = callee != nullptr ? callee->getDefinition() : nullptr;
    if (own != nullptr && depth < MaxDepth)
        return evaluateOwn(call, own);
    for (const Write &write : analysis.finder.of(call).writes) {
        if (write.call != call)
            continue;
        if (write.place.behind || write.place.field != nullptr || !write.place.type->isScalarType())
            forgetBase(write.place.base->getCanonicalDecl());
        else
            forget(Cell{write.place.base->getCanonicalDecl()});
    }
    return Value();
}

Value Trial::evaluateOwn(const CallExpr *call, const FunctionDecl *function)
{
    std::vector<Value> arguments;
    for (const Expr *argument : call->arguments())
        arguments.push_back(evaluate(argument));
    for (unsigned i = 0; i < arguments.size() && i < function->getNumParams(); i++) {
        const ParmVarDecl *parameter = function->getParamDecl(i);
        store(Cell{parameter->getCanonicalDecl()}, arguments[i], parameter->getType());
    }
    std::optional<Value> outer = returned;
    returned = Value();
    depth++;
    runStatement(function->getBody());
    depth--;
    Value value = *returned;
    returned = outer;
    stopped = false;
    return value;
}

} // namespace xmpi
