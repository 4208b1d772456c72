/* SPDX-License-Identifier: BSD-3-Clause
 * Refuses what joining processes would take over from others, but what means something in one
 * process only. */
#ifndef XMPI_REWRITER_PROCESS_HANDLES_H
#define XMPI_REWRITER_PROCESS_HANDLES_H

#include "analysis.h"

namespace xmpi
{

/* Descriptors among the values that travel, and files of MPI whose position the loop moves on. */
bool checkProcessHandles(Analysis &analysis);

} // namespace xmpi
#endif
