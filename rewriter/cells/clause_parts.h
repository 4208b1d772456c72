/* SPDX-License-Identifier: BSD-3-Clause
 * A clause `state(...)` as it comes together, for a note. */
#ifndef XMPI_REWRITER_CLAUSE_PARTS_H
#define XMPI_REWRITER_CLAUSE_PARTS_H

#include "arrays/shapes.h"
#include <map>
#include <string>
#include <vector>

namespace xmpi
{

/* NAME is a part of one of ALL; of a buffer of an iteration. */
bool isIn(const std::string &name, const std::vector<std::string> &all);
bool isInScratch(const std::string &name, const Shapes &shapes);
/* Adds to NAMES the arrays that change places with them: what iterations leave of these, as their
 * edges, is in the others' place when the next one begins. */
void addExchanged(std::vector<std::string> &names, const Shapes &shapes);

struct ClauseParts {
    std::vector<std::string> unknown, same, root, scratch;
    std::vector<std::string> unseen;   /* functions of other files that were not looked into */
    std::vector<std::string> drawing;  /* functions of the library that draw random numbers */
    bool complete = true;              /* all extents are known */
    std::vector<std::string> apart;    /* what may be another value on each process */
    std::vector<std::string> deciding; /* those of them by which iterations set something else */
    std::vector<std::string> columns;  /* arrays whose columns are divided */
    std::vector<std::string> each;     /* arrays of which each process has one of its own */
    std::vector<std::string> parts;    /* pointers to several arrays, which are not known */
    std::vector<std::string> early;    /* buffers that may be read before they are filled */
    std::map<std::string, std::vector<std::string>> rows; /* by where the own ones are */
    std::map<std::string, std::vector<std::string>> own;  /* by what puts them together */

    /* What is seen of an array. */
    struct Seen {
        bool divergent; /* it may be something else on each process */
        bool fixed;     /* its type has its length */
        bool sum;       /* each only adds to it, and all that is read is the sum of all */
        bool readFirst; /* iterations may read of it before they set any of it */
    };

    /* The array NAME, OPERAND as a clause says it, by what SHAPES knows of it; with what is
     * SEEN of it. */
    void add(const std::string &name, const std::string &operand, const Seen &seen,
             const Shapes &shapes);

    /* The same of one whose values are added up behind the loop; FIXED: its type has its length. */
    void addSum(const std::string &name, const std::string &operand, bool fixed,
                const Shapes &shapes);

    /* There is nothing to be said. */
    bool isEmpty() const;

    /* All is known that the clause has to name. */
    bool isWhole() const;

    /* What stands between the parentheses; empty: nothing is known. */
    std::string text() const;

    /* The pragma, and what is to be said of it, a line for each note: HIDDEN is what only other
     * functions can name, INVISIBLE what the clause names and the loop does not see. */
    std::string advice(const std::string &hidden, const std::string &invisible) const;

  private:
    std::string howToUse() const;
    std::string ofApart() const;
    std::string ofEarly() const;
    std::string ofColumns() const;
    std::string ofParts() const;
    std::string ofEach() const;
    std::string ofUnseen() const;
    std::string ofDrawing() const;
    std::string ofDrawingAlone() const;
};

} // namespace xmpi
#endif
