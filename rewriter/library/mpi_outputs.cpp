/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of calls and their output arguments. */
#include "library/mpi_outputs.h"
#include "library/constants.h"
#include "compat.h"
#include "library/library.h"

namespace xmpi
{

using namespace clang;

namespace
{

struct Output {
    const char *name;
    unsigned argument;
    bool equal; /* all members of the communicator get the same */
    int count;  /* the argument with the number of elements, or of bytes; -1: it is of a part */
};

const Output outputs[] = {
    {"MPI_Allgather", 3, true, -1},
    {"MPI_Allgatherv", 3, true, -1},
    {"MPI_Allreduce", 1, true, 2},
    {"MPI_Alltoall", 3, false, -1},
    {"MPI_Alltoallv", 4, false, -1},
    {"MPI_Alltoallw", 4, false, -1},
    {"MPI_Bcast", 0, true, 1},
    {"MPI_Exscan", 1, false, 2},
    {"MPI_Gather", 3, false, -1},
    {"MPI_Gatherv", 3, false, -1},
    {"MPI_Iallgather", 3, true, -1},
    {"MPI_Iallgatherv", 3, true, -1},
    {"MPI_Iallreduce", 1, true, 2},
    {"MPI_Ibcast", 0, true, 1},
    {"MPI_Irecv", 0, false, 1},
    {"MPI_Recv", 0, false, 1},
    {"MPI_Reduce", 1, false, 2},
    {"MPI_Reduce_scatter", 1, false, -1},
    {"MPI_Reduce_scatter_block", 1, false, -1},
    {"MPI_Scan", 1, false, 2},
    {"MPI_Scatter", 3, false, -1},
    {"MPI_Scatterv", 4, false, -1},
    {"MPI_Sendrecv", 5, false, 6},
    {"memcpy", 0, false, 2},
    {"memmove", 0, false, 2},
    {"memset", 0, false, 2},
};

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
    if (const Expr *target = addressedBy(bare))
        bare = target->IgnoreParens();
    while (const auto *subscript = dyn_cast<ArraySubscriptExpr>(bare)) {
        Expr::EvalResult index;
        if (!subscript->getIdx()->EvaluateAsInt(index, context) || index.Val.getInt() != 0)
            return nullptr;
        bare = subscript->getBase()->IgnoreParenImpCasts();
    }
    return isa<DeclRefExpr, MemberExpr>(bare) ? bare : nullptr;
}

bool fillsPart(const ASTContext &context, const CallExpr *call)
{
    const Output *entry = entryOf(call);
    const Expr *buffer = entry ? bufferOf(context, call->getArg(entry->argument)) : nullptr;
    Expr::EvalResult count;
    if (buffer == nullptr || entry->count < 0 ||
        !call->getArg(static_cast<unsigned>(entry->count))->EvaluateAsInt(count, context))
        return false;
    QualType type = buffer->getType();
    bool bytes = !startsWith(entry->name, "MPI_");
    if (type->isPointerType() || (!bytes && !type->isArrayType()) || type->isVariablyModifiedType())
        return false;
    int64_t all = context.getTypeSizeInChars(type).getQuantity();
    int64_t one =
        bytes ? 1 : context.getTypeSizeInChars(context.getBaseElementType(type)).getQuantity();
    return count.Val.getInt().getExtValue() * one < all;
}

std::optional<FilledCount> filledBy(const ASTContext &context, const CallExpr *call)
{
    const Output *entry = entryOf(call);
    const Expr *buffer = entry ? bufferOf(context, call->getArg(entry->argument)) : nullptr;
    if (buffer == nullptr || entry->count < 0)
        return std::nullopt;
    const auto count = static_cast<unsigned>(entry->count);
    if (!startsWith(entry->name, "MPI_"))
        return FilledCount{call->getArg(count), true};
    /* a type of the program's own may be of any size */
    const std::string type = constantOfMpi(call->getArg(count + 1), context);
    if (type.empty())
        return std::nullopt;
    return FilledCount{call->getArg(count), type == "MPI_BYTE"};
}

bool fillsPair(const Analysis &analysis, const CallExpr *call)
{
    static const char *const pairs[] = {"MPI_2INT",     "MPI_DOUBLE_INT", "MPI_FLOAT_INT",
                                        "MPI_LONG_INT", "MPI_SHORT_INT",  "MPI_LONG_DOUBLE_INT"};
    const Output *entry = entryOf(call);
    if (entry == nullptr || entry->count < 0 || !startsWith(entry->name, "MPI_"))
        return false;
    const auto count = static_cast<unsigned>(entry->count);
    const std::string type = constantOfMpi(call->getArg(count + 1), analysis.context);
    Expr::EvalResult many;
    return call->getArg(count)->EvaluateAsInt(many, analysis.context) && many.Val.getInt() == 1 &&
           std::any_of(std::begin(pairs), std::end(pairs),
                       [&](const char *pair) { return type == pair; });
}

bool worksInPlace(const CallExpr *call, const ASTContext &context)
{
    return startsWith(calleeName(call), "MPI_") &&
           llvm::any_of(call->arguments(),
                        [&](const Expr *one) { return isInPlace(one, context); });
}

bool reducesInPlace(const Analysis &analysis, const CallExpr *call)
{
    const llvm::StringRef name = plainName(call);
    return call->getNumArgs() > 4 &&
           (name.contains_insensitive("reduce") || name.contains_insensitive("scan")) &&
           isInPlace(call->getArg(0), analysis.context);
}

const Expr *broadcastOf(const CallExpr *call)
{
    return isBroadcast(call) && call->getNumArgs() > 0 ? call->getArg(0) : nullptr;
}

bool spansWorld(Analysis &analysis, const Expr *communicator)
{
    if (isWorld(analysis, communicator))
        return true;
    const VarDecl *variable = variableAt(communicator->IgnoreParenCasts());
    return variable != nullptr && isDuplicate(analysis, variable);
}

bool leavesEqual(const CallExpr *call)
{
    const Output *entry = entryOf(call);
    return entry != nullptr && entry->equal;
}

bool leavesEqual(Analysis &analysis, const CallExpr *call)
{
    if (!leavesEqual(call))
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

const FileCall *fileCallOf(const CallExpr *call)
{
    static const FileCall known[] = {
        {"pread", 0, 1, 2, 3, false},           {"pread64", 0, 1, 2, 3, false},
        {"pwrite", 0, 1, 2, 3, true},           {"pwrite64", 0, 1, 2, 3, true},
        {"read", 0, 1, 2, -1, false},           {"write", 0, 1, 2, -1, true},
        {"fread", 3, 0, 1, -1, false},          {"fwrite", 3, 0, 1, -1, true},
        {"fread_unlocked", 3, 0, 1, -1, false}, {"fwrite_unlocked", 3, 0, 1, -1, true}};
    for (const FileCall &one : known)
        if (calleeName(call) == one.name &&
            call->getNumArgs() == (one.place >= 0 || one.file > 0 ? 4u : 3u))
            return &one;
    return nullptr;
}

} // namespace xmpi
