/* SPDX-License-Identifier: BSD-3-Clause
 * Whether what a clause that was written by hand says of values is so, as far as that is seen. */
#ifndef XMPI_REWRITER_CLAIMS_H
#define XMPI_REWRITER_CLAIMS_H

#include "cells/told_loops.h"
#include "facts/points_to.h"
#include <functional>
#include <string>
#include <vector>

namespace xmpi
{

/* For people. */
struct Claims {
    std::string wrong;               /* something is surely not so; empty: nothing is */
    std::vector<std::string> doubts; /* what is not likely to be */
};

/* Of the clause of LOOP. What is read as earlier iterations have left it is none of scratch(...);
 * what each process has for itself, own(...), means something when it is put together by the
 * clause's operation, and not before; what follows the rank is not the same on all processes.
 * Places that are IGNORED do not count. What the program does not show is believed. */
Claims judgeClaims(clang::ASTContext &context, const PointsTo &pointsTo, const Told &loop,
                   const std::function<bool(const clang::Expr *)> &ignored);

} // namespace xmpi
#endif
