/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at a file with a `state(...)` that was written by hand, as far as it is C that is
 * understood. */
#ifndef XMPI_REWRITER_CHECKED_H
#define XMPI_REWRITER_CHECKED_H

#include "loop/entries.h"
#include "state/omitted.h"
#include "state/reliance.h"
#include <clang/Basic/FileManager.h>
#include <string>
#include <vector>

namespace xmpi
{

struct Checked {
    std::string wrong;            /* "12: what"; empty: nothing is */
    bool repeats = false;         /* iterations can be made once more, for a check (again.h) */
    std::vector<Omission> unseen; /* clauses that are believed */
    std::vector<std::vector<Reliance>> reliance; /* of each loop, in their order */
    bool open = false; /* it may not be wrong with the other files of the program */
};

/* The clauses of the file that FILES hold, the source with its points, for the parser that COMMAND
 * calls. Of a file that is not understood nothing is said: the compiler does. */
Checked checkState(const std::vector<std::string> &command, clang::FileManager *files);

/* Of a file with points whose loop names nothing of its state: what is to be written
 * (omitted.h). */
std::optional<std::string> clauseFor(const std::vector<std::string> &command,
                                     clang::FileManager *files, const Shapes *shapes);

/* How the program comes to its loops, which are at the offsets LOOPS of the source. */
Entries entriesIn(const std::vector<std::string> &command, clang::FileManager *files,
                  const std::vector<unsigned> &loops);

} // namespace xmpi
#endif
