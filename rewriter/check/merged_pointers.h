/* SPDX-License-Identifier: BSD-3-Clause
 * Pointers to arrays that iterations let change places. */
#ifndef XMPI_REWRITER_MERGED_POINTERS_H
#define XMPI_REWRITER_MERGED_POINTERS_H

#include "facts/uses.h"

namespace xmpi
{

/* Refuses loops behind whose statements two pointers to arrays that move lead to one of them, as
 * `if (done) old = new;` has it: behind a reconfiguration each has memory of its own. What merely
 * exchanges them is no obstacle. */
bool checkMergedPointers(Analysis &analysis, const LoopUses &uses);

/* Where statements of one block let two pointers that MOVES accepts lead to the same, and how these
 * are called. */
struct Merged {
    clang::SourceLocation where;
    std::string one, other;
};

/* The first of them that EFFECTS, of one body, have; nothing where there is none. PARENT: what a
 * statement is in. */
std::optional<Merged> mergedBy(const Effects &effects,
                               llvm::function_ref<const clang::Stmt *(const clang::Stmt *)> parent,
                               llvm::function_ref<bool(const Place &)> moves);

} // namespace xmpi
#endif
