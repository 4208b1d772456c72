/* SPDX-License-Identifier: BSD-3-Clause
 * The state of a loop that starts over, found: `#pragma xmpi loop` becomes what its state(...)
 * would say. */
#ifndef XMPI_REWRITER_STATE_H
#define XMPI_REWRITER_STATE_H

#include "arrays/shapes.h"
#include "analysis.h"
#include <memory>

namespace xmpi
{

struct FoundState {
    std::string clause; /* what stands between the parentheses of state(...); empty: not known */
    std::string doubt;  /* why a change may change results; empty: it does not */
    /* What numbers rows otherwise than by blocks in the order of ranks: no clause can; empty:
     * nothing. */
    std::string numbered;
    Shapes shapes;     /* of arrays at the loop, where the clause is not known */
    std::string bound; /* iterations that it makes at most, as program.h has it */
    /* Warnings of the loop with this clause; null: none. */
    std::shared_ptr<Diagnostics> warnings;
};

using FoundStates = std::map<const Pragma *, FoundState>;

/* For each loop of PRAGMAS, where there are no other pragmas: all of its state, as it is called
 * there, wherever the loop's function is called. */
FoundStates findStates(clang::ASTContext &context, const FixedArrays &arrays,
                       const StructMembers &members, const Source &source, const Pragmas &pragmas);

} // namespace xmpi
#endif
