/* SPDX-License-Identifier: BSD-3-Clause
 * The record of a function of another file that a loop relies on. */
#ifndef XMPI_REWRITER_RECORD_H
#define XMPI_REWRITER_RECORD_H

#include "source/source.h"
#include "state/reliance.h"

namespace xmpi
{

/* What follows the name of the array, as xmpi_gen.h says: "[512] ... = ...". */
inline std::string recordOf(const Reliance &one)
{
    return "[512] __attribute__((section(\"xmpi_relies\"))) = \"?\" " + quoted(one.where) +
           " \"\\0\" " + quoted(one.name) +
           (one.marked.empty() ? "" : " \"\\0\" " + quoted(one.marked));
}

} // namespace xmpi
#endif
