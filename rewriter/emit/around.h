/* SPDX-License-Identifier: BSD-3-Clause
 * What stands around the user's text in a readable program. */
#ifndef XMPI_REWRITER_AROUND_H
#define XMPI_REWRITER_AROUND_H

#include "program.h"
#include "source/source.h"
#include <string>
#include <vector>

namespace xmpi
{

/* Before it: from which file it was made, and our declarations. Empty where nothing was put in. */
std::string headOf(const std::vector<Program> &programs, llvm::StringRef name);

/* Behind it: what an iteration consists of, and what tells the runtime of the loop. UNIT: of
 * indentation. */
std::string tailOf(const Source &source, const std::vector<Program> &programs,
                   const std::string &unit);

} // namespace xmpi
#endif
