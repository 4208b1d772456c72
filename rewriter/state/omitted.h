/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a `state(...)` that was written by hand leaves out what is seen to be of the state. */
#ifndef XMPI_REWRITER_OMITTED_H
#define XMPI_REWRITER_OMITTED_H

#include "arrays/shapes.h"
#include "state/reliance.h"
#include <clang/AST/ASTContext.h>
#include <optional>
#include <string>
#include <vector>

namespace xmpi
{

struct Omission {
    unsigned line; /* of the loop, as compilers call it */
    std::string text;
};

/* Of the loops of a file that has been given points (movable.h): */
struct Named {
    /* those whose clause does not name what iterations surely change and read again, or names it as
     * what it is not; */
    std::vector<Omission> omissions;
    std::vector<Omission> unseen; /* those that could not be looked at as a whole; */
    /* iterations of all can be made once more (again.h). */
    bool repeats = true;
    /* What each relies on in other files, in the order of the loops in the file. */
    std::vector<std::vector<Reliance>> reliance;
};

Named lookAtClauses(clang::ASTContext &context);

/* What the `state(...)` of the only loop of a file would have to name, as its clause that names
 * nothing shows: "rows(u[n] from first, count), same(t)" and what is to be said of it, with SHAPES
 * of its arrays as far as they are known; empty: nothing is found. SHAPES null: the clause names
 * what is known to be kept, and what else would be asked for is returned: "b, c"; none where that
 * is kept, too. */
std::optional<std::string> clauseToWrite(clang::ASTContext &context, const Shapes *shapes);

} // namespace xmpi
#endif
