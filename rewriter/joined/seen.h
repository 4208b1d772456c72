/* SPDX-License-Identifier: BSD-3-Clause
 * What the parser sees of a text that is made of one or several sources: enough to tell whether
 * several sources in one text are what each is alone. */
#ifndef XMPI_REWRITER_SEEN_H
#define XMPI_REWRITER_SEEN_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace xmpi
{

/* A text, and where in it the parts begin. */
struct Layout {
    std::string text;
    std::vector<unsigned> begins;
};

struct Seen {
    /* A header of the user's that an #include has read something of. */
    struct Inclusion {
        size_t part;
        std::string file;
        uint64_t tokens;
    };
    /* An #include that stands in a part itself. */
    struct Written {
        size_t part;
        unsigned nameBegin, nameEnd; /* with its quotes, as offsets in the text */
        bool quoted;
        std::string file; /* what it reads; empty: it is not found */
        bool system;
    };

    std::string error;    /* the first one; empty: it is C */
    size_t errorPart = 0; /* where that is, and what it is said to contradict */
    size_t otherPart = 0;
    std::string errorFile; /* a header of the user's; empty: in the part itself */

    std::vector<std::vector<std::string>> tokens; /* of each part, macros expanded */
    std::vector<bool> keeps;   /* of one part, whose tokens they are: see keptPlaces */
    std::set<unsigned> keptAt; /* the same names in the text itself, by their offsets */
    std::vector<Inclusion> inclusions;
    std::vector<Written> written;

    std::map<std::string, std::string> features; /* macros before all includes, for the library */
    std::vector<std::string> macros;             /* of the parts themselves, at the end */
    std::set<std::string> expanded;              /* those that stand for something in a part */
    std::set<std::string> userMacros;            /* these, and those of headers of the user's */

    std::set<std::string> names;   /* all at file scope */
    std::set<std::string> own;     /* of them, those of the part alone: static, tags, types */
    std::set<std::string> defined; /* functions and variables that other files may use */
    std::set<std::string> needed;  /* the same that are used, and are defined elsewhere */
    std::map<std::string, std::string> library; /* what is used of the library, with its type */
    std::map<std::string, std::string> kept;    /* static variables of headers, with their header */
    std::set<std::string> telling;              /* functions that use their own name as a text */
    unsigned constructors = 0;
    std::string odd;             /* what goes beyond its part, for people; empty: nothing */
    std::set<std::string> files; /* all headers of the user's */
};

/* LAYOUT in place of the file SOURCE, whose command has FLAGS. */
Seen look(const Layout &layout, const std::string &source, const std::vector<std::string> &flags);

} // namespace xmpi
#endif
