/* SPDX-License-Identifier: BSD-3-Clause
 * `state(...)` of `#pragma xmpi loop`: what the loop changes and reads again. It is text to be put
 * into calls; the compiler sees the types. */
#ifndef XMPI_REWRITER_STATE_CLAUSE_H
#define XMPI_REWRITER_STATE_CLAUSE_H

#include <llvm/ADT/StringRef.h>
#include <string>

namespace xmpi
{

struct StateClause {
    std::string calls; /* an expression that tells all of it, in an iteration; "0" for nothing */
    std::string error; /* empty: there is none */
};

/* CLAUSE: what stands between the parentheses of state(...). */
StateClause parseState(llvm::StringRef clause);

/* What a file has in front in which the calls stand. */
extern const char stateDeclarations[];

/* The call that says of a loop that its iterations can be repeated. */
extern const char stateRepeats[];

} // namespace xmpi
#endif
