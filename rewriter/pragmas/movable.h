/* SPDX-License-Identifier: BSD-3-Clause
 * `#pragma xmpi loop movable`: a point at the begin of every iteration, and nothing is analysed.
 * The same with `state(...)`, which is told at the point. */
#ifndef XMPI_REWRITER_MOVABLE_H
#define XMPI_REWRITER_MOVABLE_H

#include "loop/entries.h"
#include "state/reliance.h"
#include <llvm/ADT/StringRef.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace xmpi
{

/* A loop whose pragma is known. */
struct KnownLoop {
    std::string state; /* what stands between the parentheses of state(...); empty: it is movable
                          only */
    std::string bound; /* iterations that it makes at most, told with its state; empty: not known */
    std::string interval; /* of its pragma, like the next: as written; empty: there is none */
    std::string policy;   /* as the runtime takes it (xmpi_gen_policy) */
};

struct MovableFile {
    std::vector<unsigned> lines; /* of the loops; none: the file has no such pragma */
    std::vector<unsigned> loops; /* the same, as offsets in the source */
    bool resizable = false;      /* one of them has a state(...): it can start over */
    std::string text;            /* with the points */
    std::string error;           /* "12: what is wrong"; empty: nothing */
};

/* Which pragmas count (active.h); nothing: all, and what stands among conditions is refused. */
using Active = std::optional<std::set<unsigned>>;

/* How points are inserted. */
struct Pointing {
    bool readable;    /* for people, without #line */
    bool cxx = false; /* in C++, where a loop with `#pragma xmpi loop` is movable, and there are
                         no other pragmas; without one, the text stays what it is */
    bool divisible = false; /* a loop that is not said to be movable is wrong */
    bool bare = false;      /* without the state of any loop: all are movable only */
    bool all = false;     /* loops with `#pragma xmpi loop` are movable: of C that is not parsed */
    bool repeats = false; /* iterations of loops with a state(...) can be made once more */
    Active active = std::nullopt;
    /* The pragmas of loops, where they are known, by the offsets of their '#': these become points,
     * OTHERS are left out. Their states were found with all that an iteration does, so that it can
     * be repeated for a check. */
    std::optional<std::map<unsigned, KnownLoop>> known = std::nullopt;
    std::set<unsigned> others = {};
    Entries entries = {}; /* how the program comes to the loops */
    /* What each of those with a state(...) relies on in other files, in their order. */
    std::vector<std::vector<Reliance>> reliance = {};

    explicit Pointing(bool readable) : readable(readable)
    {
    }
};

/* Looks for the pragma in TEXT, the file that the user calls NAME. */
MovableFile insertPoints(llvm::StringRef text, llvm::StringRef name, const Pointing &as);

} // namespace xmpi
#endif
