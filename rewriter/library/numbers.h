/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of libraries that make numbers, in place of which a program may have its own. */
#ifndef XMPI_REWRITER_NUMBERS_H
#define XMPI_REWRITER_NUMBERS_H

namespace clang
{
class FunctionDecl;
}

namespace xmpi
{

/* Stands for such a function behind its name, where loops rely on others (Reliance): it is all
 * right but where another one is linked in its place. */
constexpr const char *libraryMark = "(library)";

/* FUNCTION is one of a library, not of MPI, that makes something of what it is given, or draws it,
 * and is not there for memory: what is linked in its place, if anything is, may make that of what
 * it keeps. */
bool makesNumbers(const clang::FunctionDecl *function);

} // namespace xmpi
#endif
