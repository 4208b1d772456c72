/* SPDX-License-Identifier: BSD-3-Clause
 * Writing what the rewriter makes. */
#ifndef XMPI_REWRITER_OUTPUT_H
#define XMPI_REWRITER_OUTPUT_H

#include <llvm/ADT/StringRef.h>
#include <string>

namespace xmpi
{

/* Writes beside PATH and renames, so that nobody ever sees half a file; but a device, as /dev/null,
 * or a pipe stays what it is. False: it cannot be written, which is said. */
bool writeFile(const std::string &path, llvm::StringRef text);

} // namespace xmpi
#endif
