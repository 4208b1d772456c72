/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators that are as good as the world. */
#ifndef XMPI_REWRITER_COMMUNICATORS_H
#define XMPI_REWRITER_COMMUNICATORS_H

#include "analysis.h"

namespace xmpi
{

/* CALL makes a duplicate of the world: it is made again after a reconfiguration, and until then the
 * world stands for it on joining processes. */
bool duplicatesWorld(Analysis &analysis, const clang::CallExpr *call);

/* WRITE copies the handle of such a duplicate, as in part.comm = comm: it has to be copied again
 * when that has been made again. */
bool copiesDuplicate(Analysis &analysis, const Write &write);

} // namespace xmpi
#endif
