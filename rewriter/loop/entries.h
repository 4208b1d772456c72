/* SPDX-License-Identifier: BSD-3-Clause
 * A loop whose function is called in several places is as many loops: a program that starts over
 * has to come to it by the call by which it was there. So each of these calls leaves a mark. */
#ifndef XMPI_REWRITER_ENTRIES_H
#define XMPI_REWRITER_ENTRIES_H

#include <clang/AST/ASTContext.h>
#include <map>
#include <string>
#include <vector>

namespace xmpi
{

struct Entries {
    /* A call, by the offset of the function's name: it sets MARK, a variable of ours, to NUMBER. */
    struct Call {
        std::string mark;
        unsigned number;
    };
    std::map<unsigned, Call> calls;

    /* The loops between the offsets BEGIN and END: INDEX, an expression, is the number of the way
     * on which the program has come there, and NAMES tell it, beside the name of the loop. */
    struct Place {
        unsigned begin, end;
        std::string index;
        std::vector<std::string> names;
    };
    std::vector<Place> places;

    /* A loop's function is called in several places that cannot all be marked. */
    bool unmarked = false;
};

/* For the loops at the offsets LOOPS of the main file. */
Entries entriesOf(clang::ASTContext &context, const std::vector<unsigned> &loops);

} // namespace xmpi
#endif
