/* SPDX-License-Identifier: BSD-3-Clause
 * Streams of the C library. */
#ifndef XMPI_REWRITER_STREAMS_H
#define XMPI_REWRITER_STREAMS_H

#include "analysis.h"

namespace xmpi
{

bool isStream(clang::QualType type);

/* STREAM is stdout, stderr or null, also in a variable or parameter that is nothing else. */
bool isStandardStream(const Analysis &analysis, const clang::Expr *stream);

/* CALL, in the loop, does nothing but to write to STREAM, and no other rank than 0 does so: it is
 * made there only, or the stream is open there only. */
bool writesForRoot(Analysis &analysis, const clang::CallExpr *call, const clang::Expr *stream);

/* CALL, in the loop, opens a file that is written, on rank 0 only. */
bool opensForRoot(Analysis &analysis, const clang::CallExpr *call);

} // namespace xmpi
#endif
