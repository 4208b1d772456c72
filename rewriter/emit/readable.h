/* SPDX-License-Identifier: BSD-3-Clause
 * The rewritten text for people: without `#line`, each statement on a line of its own. */
#ifndef XMPI_REWRITER_READABLE_H
#define XMPI_REWRITER_READABLE_H

#include "program.h"
#include "source/source.h"

namespace xmpi
{

/* The whole rewritten file, which does the same as that of emitProgram. NAME: what it is made from.
 */
std::string readableProgram(const Source &source, const clang::LangOptions &language,
                            const std::vector<Program> &programs, llvm::StringRef name);

} // namespace xmpi
#endif
