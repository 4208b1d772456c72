/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the program's start comes to the same when it is made again: what it makes, and the loop
 * only reads, is not in the state. */
#ifndef XMPI_REWRITER_START_H
#define XMPI_REWRITER_START_H

#include "analysis.h"

namespace xmpi
{

/* Why it may come to something else, and where; empty: it comes to the same, or differs only in
 * what nobody goes by in the loop or on the way to it, as times that are printed. */
std::string whyStartDiffers(Analysis &analysis);

} // namespace xmpi
#endif
