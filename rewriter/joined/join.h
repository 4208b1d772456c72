/* SPDX-License-Identifier: BSD-3-Clause
 * Makes one text of the sources of a program, so that what the functions of other files do is seen
 * where a loop calls them. */
#ifndef XMPI_REWRITER_JOIN_H
#define XMPI_REWRITER_JOIN_H

#include "joined/part.h"

namespace xmpi
{

struct Joined {
    std::string text;             /* empty: nothing can be joined, or there is nothing to join */
    size_t main = 0;              /* the part whose file it stands for, and whose flags it has */
    std::vector<size_t> together; /* which parts it is made of */
    std::vector<std::pair<size_t, std::string>> apart; /* those that are not in it, and why */
};

/* Joins the parts with loops and those that define what these call, and so on. What is joined is,
 * token for token, what it is alone. */
Joined join(const std::vector<Part> &parts);

} // namespace xmpi
#endif
