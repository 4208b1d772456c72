/* SPDX-License-Identifier: BSD-3-Clause
 * Connects pragmas with the AST: their expressions, their function and the statement they are for.
 */
#ifndef XMPI_REWRITER_BIND_H
#define XMPI_REWRITER_BIND_H

#include "pragmas/pragma.h"
#include <clang/AST/ASTContext.h>

namespace xmpi
{

/* False when something is wrong with a pragma; that has been reported. */
bool bindPragmas(clang::ASTContext &context, Pragmas &pragmas, Diagnostics &diagnostics);

} // namespace xmpi
#endif
