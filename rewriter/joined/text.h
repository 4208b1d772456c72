/* SPDX-License-Identifier: BSD-3-Clause
 * One text made of several sources. */
#ifndef XMPI_REWRITER_TEXT_H
#define XMPI_REWRITER_TEXT_H

#include "joined/part.h"
#include "joined/seen.h"

namespace xmpi
{

/* A part, what it is alone, and what is changed of it where it stands with others. */
struct Member {
    const Part *part;
    const Seen *alone;             /* of aloneText */
    std::set<std::string> renamed; /* names of its own that others have too */
    bool elsewhere = false;        /* in another folder: what it includes is named in full */
    std::set<std::string> read;    /* headers without include guard that others have read before */
};

/* PART under its own name. */
Layout aloneText(const Part &part);

/* What NAME, one of the renamed ones of MEMBER, is called in the joined text. */
std::string newName(const Member &member, const std::string &name);

/* All in one, each under its own name. FEATURES are defined in front. */
Layout joinedText(const std::vector<Member> &members,
                  const std::map<std::string, std::string> &features);

} // namespace xmpi
#endif
