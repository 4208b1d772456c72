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

} // namespace xmpi
#endif
