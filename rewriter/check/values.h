/* SPDX-License-Identifier: BSD-3-Clause
 * Values that differ from rank to rank: what goes on with them from one iteration to the next, or
 * travels to joining processes, is refused where another layout would have made another one. */
#ifndef XMPI_REWRITER_VALUES_H
#define XMPI_REWRITER_VALUES_H

#include "facts/uses.h"

namespace xmpi
{

/* False, with the reason reported, where such a value is kept. USES: of the loop. */
bool checkValues(Analysis &analysis, LoopUses &uses);

} // namespace xmpi
#endif
