/* SPDX-License-Identifier: BSD-3-Clause
 * Turns the description of a program into its rewritten text. */
#ifndef XMPI_REWRITER_EMIT_H
#define XMPI_REWRITER_EMIT_H

#include "program.h"
#include "source/source.h"

namespace xmpi
{

/* The whole rewritten file, from what was found for each adaptive loop, or an error text. */
bool emitProgram(const Source &source, const std::vector<Program> &programs, llvm::StringRef name,
                 std::string &text, std::string &error);

} // namespace xmpi
#endif
