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

} // namespace xmpi
#endif
