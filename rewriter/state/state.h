/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a loop that starts over, found: `#pragma xmpi loop` becomes what its state(...)
 * would say. */
#ifndef XMPI_REWRITER_STATE_H
#define XMPI_REWRITER_STATE_H

#include "analysis.h"

namespace xmpi
{

struct FoundState {
    std::string clause; /* what stands between the parentheses of state(...); empty: not known */
    std::string doubt;  /* why a change may change results; empty: it does not */
};

/* For the loop of PRAGMAS, the only one of the file and without clauses: all of its state. */
FoundState findState(clang::ASTContext &context, const FixedArrays &arrays,
                      const StructMembers &members, const Source &source, Pragmas &pragmas);

} // namespace xmpi
#endif
