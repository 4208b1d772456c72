/* SPDX-License-Identifier: BSD-3-Clause
 * Places of a text that may be several files (join.h), as people call them. */
#ifndef XMPI_REWRITER_PLACES_H
#define XMPI_REWRITER_PLACES_H

#include <clang/Basic/SourceManager.h>
#include <string>

namespace xmpi
{

/* The file that PLACE is in, as the user calls it, where AT is in another one of the same text;
 * else empty, and for headers. */
std::string otherFile(const clang::SourceManager &manager, clang::SourceLocation place,
                      clang::SourceLocation at);

/* The line of PLACE in its own file: "62", or "62 of op.c" where AT, which the reader has before
 * him, is in another one. */
std::string lineOf(const clang::SourceManager &manager, clang::SourceLocation place,
                   clang::SourceLocation at);

} // namespace xmpi
#endif
