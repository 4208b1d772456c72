/* SPDX-License-Identifier: BSD-3-Clause
 * The grammar of `#pragma xmpi`: directives, clauses and their arguments. */
#ifndef XMPI_REWRITER_PRAGMA_GRAMMAR_H
#define XMPI_REWRITER_PRAGMA_GRAMMAR_H

#include "pragmas/pragma.h"

namespace xmpi
{

/* Reads the rest of the line into PRAGMA, whose `hash` and begin are set. False: it was reported
 * what is wrong with it, or it is not ALLOWED (which the caller reported); the line is skipped. */
bool readPragma(clang::Preprocessor &preprocessor, Pragma &pragma, bool allowed);

} // namespace xmpi
#endif
