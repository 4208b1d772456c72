/* SPDX-License-Identifier: BSD-3-Clause
 * What calls of MPI and of the C library leave in the buffers that they are given. */
#ifndef XMPI_REWRITER_MPI_OUTPUTS_H
#define XMPI_REWRITER_MPI_OUTPUTS_H

#include "analysis.h"

namespace xmpi
{

/* The argument that CALL fills from its beginning without having read it, or null: the receive
 * buffer of an MPI function, the target of memset and memcpy. */
const clang::Expr *outputOf(const clang::CallExpr *call);

/* The call sets less than all of the variable that it names as its output: an array of fixed size
 * with more elements than it is told to set. */
bool fillsPart(const clang::ASTContext &context, const clang::CallExpr *call);

/* How many elements of the variable, or bytes, CALL fills from its beginning. */
struct FilledCount {
    const clang::Expr *count;
    bool bytes;
};
std::optional<FilledCount> filledBy(const clang::ASTContext &context, const clang::CallExpr *call);

/* CALL fills the struct whose address its output argument is with all members, as one of the pairs
 * that MPI has types for. */
bool fillsPair(const Analysis &analysis, const clang::CallExpr *call);

/* One of CALL's arguments is MPI_IN_PLACE: it reads what it leaves something in. */
bool worksInPlace(const clang::CallExpr *call, const clang::ASTContext &context);

/* A reduction that reads what its output argument has been. */
bool reducesInPlace(const Analysis &analysis, const clang::CallExpr *call);

/* The same for MPI_Bcast: one rank reads it, all others receive it. */
const clang::Expr *broadcastOf(const clang::CallExpr *call);

/* The variable or member whose beginning ARGUMENT is: a of a, &a, &a[0] and &a[0][0]; or null. */
const clang::Expr *bufferOf(const clang::ASTContext &context, const clang::Expr *argument);

/* CALL is a collective operation of all members that leaves the same in its buffer on all; of all
 * members of its communicator. */
bool leavesEqual(Analysis &analysis, const clang::CallExpr *call);
bool leavesEqual(const clang::CallExpr *call);

/* COMMUNICATOR has the ranks of the world: the world, or a duplicate of it. */
bool spansWorld(Analysis &analysis, const clang::Expr *communicator);

/* Gives an error handler, a name, an attribute to the object of MPI that is its first argument, or
 * lets go of it. */
bool changesHandle(const clang::CallExpr *call);

/* Numbers of a generator whose state each process keeps for itself. */
bool drawsRandom(const clang::CallExpr *call);

/* Calls that move data between memory and a file: which arguments are the file, what is in memory,
 * the bytes (of a stream two factors), and the place in the file; -1: where it stands. */
struct FileCall {
    const char *name;
    unsigned file, buffer, bytes;
    int place;
    bool writes;
};

/* CALL as such a one; null: it is none. */
const FileCall *fileCallOf(const clang::CallExpr *call);

} // namespace xmpi
#endif
