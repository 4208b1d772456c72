/* SPDX-License-Identifier: BSD-3-Clause
 * Which calls communicate and which do input and output. */
#include "compat.h"
#include "library/library.h"
#include "check/safety.h"

namespace xmpi
{

using namespace clang;

bool isMpiCall(const CallExpr *call)
{
    return startsWith(calleeName(call), "MPI_") || startsWith(calleeName(call), "PMPI_");
}

bool isCommunicator(QualType type)
{
    const auto *name = type->getAs<TypedefType>();
    return name != nullptr && name->getDecl()->getName() == "MPI_Comm";
}

bool takesCommunicator(const FunctionDecl *function)
{
    return llvm::any_of(function->parameters(), [](const ParmVarDecl *parameter) {
        return isCommunicator(parameter->getType());
    });
}

static bool communicates(const CallExpr *call)
{
    llvm::StringRef name = calleeName(call);
    if (startsWith(name, "PMPI_"))
        name = name.drop_front();
    if (startsWith(name, "MPI_"))
        return !isLocalMpi(name);
    const FunctionDecl *callee = call->getDirectCallee();
    return callee != nullptr && callee->getDefinition() == nullptr && takesCommunicator(callee);
}

/* Looks for a call that MATCHES, in CALL itself and in the functions of this file behind it. */
static std::string searchCall(const Analysis &analysis, const CallExpr *call,
                              const std::function<bool(const CallExpr *)> &matches)
{
    if (matches(call))
        return calleeName(call).str();
    if (call->getDirectCallee() == nullptr)
        return "";
    Effects start;
    start.functions.push_back(call->getDirectCallee());
    for (const FunctionDecl *function : analysis.finder.reachable(start))
        for (const CallExpr *inner : analysis.finder.of(function->getBody()).calls)
            if (matches(inner))
                return calleeName(call).str() + " calls " + calleeName(inner).str();
    return "";
}

std::string communication(const Analysis &analysis, const CallExpr *call)
{
    return searchCall(analysis, call, communicates);
}

std::string inputOutput(const Analysis &analysis, const CallExpr *call)
{
    return searchCall(analysis, call, [](const CallExpr *inner) {
        return !isMpiCall(inner) && isInputOutput(deedOf(inner));
    });
}

bool isBeyondJoiners(const Analysis &analysis, const Item &item)
{
    return item.kind == Class::Initial ||
           llvm::any_of(item.effects.calls, [&](const CallExpr *call) {
               return !communication(analysis, call).empty() ||
                      !inputOutput(analysis, call).empty();
           });
}

} // namespace xmpi
