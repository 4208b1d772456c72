/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a file is all that there is to a program. */
#ifndef XMPI_REWRITER_OPEN_H
#define XMPI_REWRITER_OPEN_H

namespace clang
{
class ASTContext;
}

namespace xmpi
{

/* The file has no main, or uses functions or variables that are defined elsewhere, and not in a
 * library whose headers are the system's, or in MPI: what it does shows when the program is
 * linked. */
bool isPartOfProgram(clang::ASTContext &context);

} // namespace xmpi
#endif
