/* SPDX-License-Identifier: BSD-3-Clause
 * Which calls communicate and which do input and output. */
#include "compat.h"
#include "safety.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

/* MPI functions that concern the calling process only; sorted. */
static const char *const localCalls[] = {"MPI_Abort",
                                         "MPI_Address",
                                         "MPI_Aint_add",
                                         "MPI_Aint_diff",
                                         "MPI_Alloc_mem",
                                         "MPI_Attr_get",
                                         "MPI_Comm_get_attr",
                                         "MPI_Comm_rank",
                                         "MPI_Comm_set_errhandler",
                                         "MPI_Comm_set_name",
                                         "MPI_Comm_size",
                                         "MPI_Dims_create",
                                         "MPI_Errhandler_create",
                                         "MPI_Errhandler_set",
                                         "MPI_Error_class",
                                         "MPI_Error_string",
                                         "MPI_Finalize",
                                         "MPI_Finalized",
                                         "MPI_Free_mem",
                                         "MPI_Get_address",
                                         "MPI_Get_library_version",
                                         "MPI_Get_processor_name",
                                         "MPI_Get_version",
                                         "MPI_Init",
                                         "MPI_Init_thread",
                                         "MPI_Initialized",
                                         "MPI_Is_thread_main",
                                         "MPI_Op_create",
                                         "MPI_Pack_size",
                                         "MPI_Pcontrol",
                                         "MPI_Query_thread",
                                         "MPI_Wtick",
                                         "MPI_Wtime"};

static bool isLocalMpi(llvm::StringRef name)
{
    return startsWith(name, "MPI_Type_") || startsWith(name, "MPI_Info_") ||
           std::binary_search(std::begin(localCalls), std::end(localCalls), name);
}

/* Functions of the C library and of POSIX that read, write or print; sorted. */
static const char *const streamCalls[] = {
    "close",  "fclose", "fdopen",  "fflush",   "fgetc",   "fgets",   "fopen", "fprintf", "fputc",
    "fputs",  "fread",  "freopen", "fscanf",   "fseek",   "fwrite",  "getc",  "getchar", "getline",
    "mkdir",  "open",   "perror",  "printf",   "putc",    "putchar", "puts",  "read",    "remove",
    "rename", "scanf",  "unlink",  "vfprintf", "vprintf", "write"};

static bool isStream(llvm::StringRef name)
{
    return std::binary_search(std::begin(streamCalls), std::end(streamCalls), name);
}

bool isMpiCall(const CallExpr *call)
{
    return startsWith(calleeName(call), "MPI_") || startsWith(calleeName(call), "PMPI_");
}

/* A function of another file that is given a communicator will use it. */
static bool takesCommunicator(const FunctionDecl *function)
{
    for (const ParmVarDecl *parameter : function->parameters()) {
        const auto *name = parameter->getType()->getAs<TypedefType>();
        if (name != nullptr && name->getDecl()->getName() == "MPI_Comm")
            return true;
    }
    return false;
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
    return searchCall(analysis, call,
                      [](const CallExpr *inner) { return isStream(calleeName(inner)); });
}

} // namespace xmpi
