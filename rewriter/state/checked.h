/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at a file with a `state(...)` that was written by hand, as far as it is C that is
 * understood. */
#ifndef XMPI_REWRITER_CHECKED_H
#define XMPI_REWRITER_CHECKED_H

#include <clang/Basic/FileManager.h>
#include <string>
#include <vector>

namespace xmpi
{

/* What is wrong with a clause in the file that FILES hold, the source with its points, for the
 * parser that COMMAND calls: "12: what"; empty where nothing is, or the file is not understood:
 * then the compiler says so. */
std::string checkState(const std::vector<std::string> &command, clang::FileManager *files);

} // namespace xmpi
#endif
