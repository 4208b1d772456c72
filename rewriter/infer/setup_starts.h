/* SPDX-License-Identifier: BSD-3-Clause
 * What values setup statements begin with. */
#ifndef XMPI_REWRITER_SETUP_STARTS_H
#define XMPI_REWRITER_SETUP_STARTS_H

#include "analysis.h"

namespace xmpi
{

/* The variable of WRITE, a declaration, gets its first value again before the copies. */
void beginAgain(Analysis &analysis, const Write &write);

/* Inferred setup statements may set a variable on some ranks only, or go on from what it had: the
 * indices in the prologue of the statements that give it the value before. */
std::set<size_t> findStarts(Analysis &analysis);

} // namespace xmpi
#endif
