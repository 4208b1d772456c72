/* SPDX-License-Identifier: BSD-3-Clause
 * Corrections that mark a statement of the prologue by a pragma. */
#ifndef XMPI_REWRITER_MARKS_H
#define XMPI_REWRITER_MARKS_H

#include "analysis.h"

namespace xmpi
{

/* WHERE is in STATEMENT. */
bool isWithin(const Analysis &analysis, const clang::Stmt *statement, clang::SourceLocation where);

/* "#pragma xmpi DIRECTIVE" on a line of its own before STATEMENT; nothing where that is of a macro.
 */
Fix markBefore(const Analysis &analysis, const clang::Stmt *statement, llvm::StringRef directive);

/* The same before the statement of the prologue that WHERE is in, if it sets PLACE anew. */
Fix markAt(const Analysis &analysis, clang::SourceLocation where, const Place &place,
           llvm::StringRef directive);

} // namespace xmpi
#endif
