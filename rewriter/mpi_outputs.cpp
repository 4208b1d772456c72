/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of calls and their output arguments. */
#include "mpi_outputs.h"
#include "compat.h"
#include "library.h"

namespace xmpi
{

using namespace clang;

namespace
{

struct Output {
    const char *name;
    unsigned argument;
    bool equal; /* all members of the communicator get the same */
};

const Output outputs[] = {
    {"MPI_Allgather", 3, true},
    {"MPI_Allgatherv", 3, true},
    {"MPI_Allreduce", 1, true},
    {"MPI_Alltoall", 3, false},
    {"MPI_Alltoallv", 4, false},
    {"MPI_Alltoallw", 4, false},
    {"MPI_Bcast", 0, true},
    {"MPI_Exscan", 1, false},
    {"MPI_Gather", 3, false},
    {"MPI_Gatherv", 3, false},
    {"MPI_Iallgather", 3, true},
    {"MPI_Iallgatherv", 3, true},
    {"MPI_Iallreduce", 1, true},
    {"MPI_Ibcast", 0, true},
    {"MPI_Irecv", 0, false},
    {"MPI_Recv", 0, false},
    {"MPI_Reduce", 1, false},
    {"MPI_Reduce_scatter", 1, false},
    {"MPI_Reduce_scatter_block", 1, false},
    {"MPI_Scan", 1, false},
    {"MPI_Scatter", 3, false},
    {"MPI_Scatterv", 4, false},
    {"MPI_Sendrecv", 5, false},
    {"memcpy", 0, false},
    {"memmove", 0, false},
    {"memset", 0, false},
};

llvm::StringRef plainName(const CallExpr *call)
{
    llvm::StringRef name = calleeName(call);
    return startsWith(name, "PMPI_") ? name.drop_front() : name;
}

const Output *entryOf(const CallExpr *call)
{
    llvm::StringRef name = plainName(call);
    for (const Output &output : outputs)
        if (name == output.name && output.argument < call->getNumArgs())
            return &output;
    return nullptr;
}

bool isBroadcast(const CallExpr *call)
{
    return plainName(call) == "MPI_Bcast" || plainName(call) == "MPI_Ibcast";
}

/* Variables that are only ever set by duplicating a communicator that spans the world. */
bool isDuplicate(Analysis &analysis, const VarDecl *variable)
{
    bool found = false;
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const Write &write : EffectsFinder().of(function->getBody()).writes) {
            if (write.place.base->getCanonicalDecl() != variable->getCanonicalDecl())
                continue;
            llvm::StringRef name = write.call ? calleeName(write.call) : llvm::StringRef();
            if (name == "MPI_Comm_free")
                continue;
            if (name != "MPI_Comm_dup" && name != "MPI_Cart_create")
                return false;
            if (!isWorld(analysis, write.call->getArg(0)))
                return false;
            found = true;
        }
    return found;
}

} // namespace

const Expr *outputOf(const CallExpr *call)
{
    const Output *entry = entryOf(call);
    return entry == nullptr || isBroadcast(call) ? nullptr : call->getArg(entry->argument);
}

const Expr *bufferOf(const ASTContext &context, const Expr *argument)
{
    const Expr *bare = argument->IgnoreParenCasts();
    if (const auto *unary = dyn_cast<UnaryOperator>(bare))
        if (unary->getOpcode() == UO_AddrOf)
            bare = unary->getSubExpr()->IgnoreParens();
    while (const auto *subscript = dyn_cast<ArraySubscriptExpr>(bare)) {
        Expr::EvalResult index;
        if (!subscript->getIdx()->EvaluateAsInt(index, context) || index.Val.getInt() != 0)
            return nullptr;
        bare = subscript->getBase()->IgnoreParenImpCasts();
    }
    return isa<DeclRefExpr>(bare) || isa<MemberExpr>(bare) ? bare : nullptr;
}

const Expr *broadcastOf(const CallExpr *call)
{
    return isBroadcast(call) && call->getNumArgs() > 0 ? call->getArg(0) : nullptr;
}

bool spansWorld(Analysis &analysis, const Expr *communicator)
{
    if (isWorld(analysis, communicator))
        return true;
    const auto *reference = dyn_cast<DeclRefExpr>(communicator->IgnoreParenCasts());
    const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    return variable != nullptr && isDuplicate(analysis, variable);
}

bool leavesEqual(Analysis &analysis, const CallExpr *call)
{
    const Output *entry = entryOf(call);
    if (entry == nullptr || !entry->equal)
        return false;
    unsigned last = call->getNumArgs() - (startsWith(plainName(call), "MPI_I") ? 2 : 1);
    return spansWorld(analysis, call->getArg(last));
}

bool changesHandle(const CallExpr *call)
{
    static const char *const names[] = {
        "MPI_Attr_put",      "MPI_Comm_set_attr",   "MPI_Comm_set_errhandler", "MPI_Comm_set_info",
        "MPI_Comm_set_name", "MPI_Errhandler_free", "MPI_Errhandler_set"};
    llvm::StringRef name = plainName(call);
    return call->getNumArgs() > 0 && std::any_of(std::begin(names), std::end(names),
                                                 [&](const char *other) { return name == other; });
}

bool drawsRandom(const CallExpr *call)
{
    return deedOf(call) == Deed::Random;
}

} // namespace xmpi
