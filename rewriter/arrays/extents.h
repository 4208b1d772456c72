/* SPDX-License-Identifier: BSD-3-Clause
 * What the numbers of rows and columns that are registered are computed from. */
#ifndef XMPI_REWRITER_EXTENTS_H
#define XMPI_REWRITER_EXTENTS_H

#include "program.h"

namespace xmpi
{

/* LVALUE, as it is written in the loop's function, stands in the extent of the domain, or in that
 * of an array or its halo, in PROGRAM: joining processes need its value when they register these.
 */
bool standsInExtent(const Program &program, const std::string &lvalue);

} // namespace xmpi
#endif
