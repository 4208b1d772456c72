/* SPDX-License-Identifier: BSD-3-Clause
 * Which pragmas of a file its conditions leave in. */
#ifndef XMPI_REWRITER_ACTIVE_H
#define XMPI_REWRITER_ACTIVE_H

#include <clang/Basic/FileManager.h>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace xmpi
{

/* The offsets of their '#', in the source that COMMAND (parser.h) names and FILES hold; nothing
 * where the preprocessor finds an error, as then it may have missed some. */
std::optional<std::set<unsigned>> activePragmas(const std::vector<std::string> &command,
                                                clang::FileManager *files);

} // namespace xmpi
#endif
