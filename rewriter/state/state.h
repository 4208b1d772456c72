/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a loop that starts over, found: `#pragma xmpi loop` becomes what its state(...)
 * would say. */
#ifndef XMPI_REWRITER_STATE_H
#define XMPI_REWRITER_STATE_H

#include "analysis.h"

namespace xmpi
{

/* What stands between the parentheses of state(...) for the loop of PRAGMAS, the only one of the
 * file and without clauses; empty where it is not known that this is all of its state. */
std::string findState(clang::ASTContext &context, const FixedArrays &arrays,
                      const StructMembers &members, const Source &source, Pragmas &pragmas);

} // namespace xmpi
#endif
