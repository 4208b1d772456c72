/* SPDX-License-Identifier: BSD-3-Clause
 * The checks that refuse what cannot be made adaptive safely. */
#ifndef XMPI_REWRITER_SAFETY_H
#define XMPI_REWRITER_SAFETY_H

#include "analysis.h"

namespace xmpi
{

/* The MPI function that CALL leads to communication by, or ""; "g, which calls MPI_Bcast". */
std::string communication(const Analysis &analysis, const clang::CallExpr *call);

/* PLACE is behind a pointer, or one of a table, that a statement before the loop sets to registered
 * data or into it. */
bool isOfData(const Analysis &analysis, const Place &place);

/* The same for reading, writing and printing. */
std::string inputOutput(const Analysis &analysis, const clang::CallExpr *call);

/* Joining processes do not do as ITEM does: they skip it, or it communicates, reads or writes. */
bool isBeyondJoiners(const Analysis &analysis, const Item &item);

/* Whether setup statements come to the same when they are run again; reports those that do not. */
bool checkSetup(Analysis &analysis);

/* A call of one of MPI's functions. */
bool isMpiCall(const clang::CallExpr *call);

/* A function of another file that is given a communicator will use it. */
bool takesCommunicator(const clang::FunctionDecl *function);
/* TYPE is MPI_Comm. */
bool isCommunicator(clang::QualType type);

} // namespace xmpi
#endif
