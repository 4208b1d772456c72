/* SPDX-License-Identifier: BSD-3-Clause
 * What loops around the adaptive one change, and find again, where no reconfiguration moves or
 * sends it. */
#ifndef XMPI_REWRITER_KEPT_AROUND_H
#define XMPI_REWRITER_KEPT_AROUND_H

#include "analysis.h"

namespace xmpi
{

/* Refuses pointers, handles and memory that a loop around changes and that are read again before
 * they are set: joining processes have them as the start has left them. What is registered, what
 * travels and what setup makes has been found. */
bool checkKeptAround(Analysis &analysis);

} // namespace xmpi
#endif
