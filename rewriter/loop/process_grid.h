/* SPDX-License-Identifier: BSD-3-Clause
 * Whether the processes form a grid of several dimensions, of which each has a part of the domain
 * that is no block of rows. */
#ifndef XMPI_REWRITER_PROCESS_GRID_H
#define XMPI_REWRITER_PROCESS_GRID_H

#include <clang/AST/ASTContext.h>
#include <optional>
#include <string>

namespace xmpi
{

struct ProcessGrid {
    clang::SourceLocation where; /* that shows it */
    std::string dimensions;      /* "2", or "several" where it does not show how many */
};

/* By what functions of the file make of the rank: a communicator with such a topology; its quotient
 * and its remainder by one number, which are the place in the grid; or a remainder, where it has
 * neighbours that are a number of ranks away beside those that are next to it. */
std::optional<ProcessGrid> processGridIn(const clang::ASTContext &context);

/* What becomes of a loop with such a grid, for people. */
extern const char partsOfGrid[];

} // namespace xmpi
#endif
