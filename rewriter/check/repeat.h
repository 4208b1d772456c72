/* SPDX-License-Identifier: BSD-3-Clause
 * Whether an iteration can be run a second time from the registered state: for the check of changes
 * of the layout (xmpi_gen_repeats). */
#ifndef XMPI_REWRITER_REPEAT_H
#define XMPI_REWRITER_REPEAT_H

#include "analysis.h"

namespace xmpi
{

/* Sets the verdict in the description of the loop: shown where all that an iteration changes is
 * registered, or set anew in each iteration, and all that it calls is known. What is not known is
 * never shown. Where the rows are DIVIDED, so that members come and go, what an iteration changes
 * and nobody registered is refused. */
void findRepeat(Analysis &analysis, bool divided);

} // namespace xmpi
#endif
