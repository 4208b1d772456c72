/* SPDX-License-Identifier: BSD-3-Clause
 * Whether sources in one text are what each of them is alone. */
#ifndef XMPI_REWRITER_AGREE_H
#define XMPI_REWRITER_AGREE_H

#include "joined/text.h"

namespace xmpi
{

/* A member that cannot stand with the others, and why, for people; an empty reason: all can. */
struct Fault {
    size_t member = 0;
    std::string why;
    std::string header = ""; /* that has no include guard, which is why; or empty */
};

/* What each is alone forbids it. */
Fault forbids(const std::vector<Member> &members);

/* The macros that are asked of the library before its headers are read, by some of MEMBERS, and
 * from all of them where they stand in one text. */
Fault featuresOf(const std::vector<Member> &members, std::map<std::string, std::string> &features);

/* Names of their own, also of macros, that others have too are to be renamed. */
Fault renameCollisions(std::vector<Member> &members);

/* MEMBERS in one text are TOGETHER: their tokens, those of the user's headers, and what they use of
 * the library are the same as alone. */
Fault disagree(const std::vector<Member> &members, const Seen &together);

} // namespace xmpi
#endif
