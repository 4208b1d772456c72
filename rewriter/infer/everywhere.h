/* SPDX-License-Identifier: BSD-3-Clause
 * Setup that joining processes run, too. */
#ifndef XMPI_REWRITER_EVERYWHERE_H
#define XMPI_REWRITER_EVERYWHERE_H

#include "analysis.h"

namespace xmpi
{

/* Notes which setup statements need no guard: a joining process computes something as well, with
 * the rank and size that it will have, and again when it has joined. */
void findEverywhere(Analysis &analysis);

} // namespace xmpi
#endif
