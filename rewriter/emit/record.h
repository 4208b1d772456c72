/* SPDX-License-Identifier: BSD-3-Clause
 * The record of a function of another file that a loop relies on. */
#ifndef XMPI_REWRITER_RECORD_H
#define XMPI_REWRITER_RECORD_H

#include "source/source.h"
#include "state/reliance.h"

namespace xmpi
{

/* Another function may be linked in place of one of a library: the symbols by which this is seen
 * (xmpi_gen_library), and the call that asks them. The file may have such a function itself, so
 * that the name in C is another one. */
inline std::string librarySymbols(const std::string &name)
{
    return "extern char xmpi_wrap_" + name + "[] __asm__(" + quoted("__wrap_" + name) +
           ") __attribute__((weak)), xmpi_replaced_" + name + "[] __attribute__((weak));";
}
constexpr const char *libraryDeclared =
    "extern void xmpi_gen_library(const char *, const char *, const void *, const void *);\n";
inline std::string libraryCall(const std::string &where, const std::string &name)
{
    return "xmpi_gen_library(" + quoted(where) + ", " + quoted(name) + ", xmpi_wrap_" + name +
           ", xmpi_replaced_" + name + ")";
}

/* What follows the name of the array, as xmpi_gen.h says: "[512] ... = ...". */
inline std::string recordOf(const Reliance &one)
{
    return "[512] __attribute__((section(\"xmpi_relies\"))) = \"?\" " + quoted(one.where) +
           " \"\\0\" " + quoted(one.name) +
           (one.marked.empty() ? "" : " \"\\0\" " + quoted(one.marked));
}

} // namespace xmpi
#endif
