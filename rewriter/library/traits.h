/* SPDX-License-Identifier: BSD-3-Clause
 * What functions of the library have in common beside what they do: what they hand back, read, and
 * leave as it is. */
#ifndef XMPI_REWRITER_TRAITS_H
#define XMPI_REWRITER_TRAITS_H

#include <llvm/ADT/StringRef.h>
#include <vector>

namespace xmpi
{

enum class Trait {
    GivesMemory, /* hands back memory that nobody else has */
    Copies,      /* copies bytes, whatever they are, from its second argument to its first */
    HandsBack,   /* hands back its first argument, or a pointer into what that leads to */
    ReadsTarget, /* reads what it is given to be changed */
    AtTold,      /* works on a file at a place that it is told: that of the file stays */
    ForEnd,      /* is given a function that runs when the program ends */
    NotLater     /* no other call runs a function that it is given, until the program ends */
};

/* The variants of the compiler and "PMPI_" count as what they stand for. */
bool has(llvm::StringRef name, Trait trait);

std::vector<llvm::StringRef> namesWith(Trait trait);

} // namespace xmpi
#endif
