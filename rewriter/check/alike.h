/* SPDX-License-Identifier: BSD-3-Clause
 * Whether all ranks get to a loop, and go through it as often: what a point in it needs, whatever
 * else the loop may be. */
#ifndef XMPI_REWRITER_ALIKE_H
#define XMPI_REWRITER_ALIKE_H

#include "pragmas/pragma.h"
#include "source/structure.h"

namespace xmpi
{

/* What decides: anything, or pointers by themselves alone. */
enum class Asked { All, Pointers };

/* False where the file shows that ranks differ in this for one of the loops of PRAGMAS, which is
 * reported. What other files hand over is taken to be the same everywhere. */
bool checkAlike(clang::ASTContext &context, const StructMembers &members, const Pragmas &pragmas,
                Diagnostics &diagnostics, Asked asked = Asked::All);

} // namespace xmpi
#endif
