/* SPDX-License-Identifier: BSD-3-Clause
 * How a clause calls the rows and arrays of a loop whose state is not found, by what is known of
 * their memory. */
#ifndef XMPI_REWRITER_SHAPES_H
#define XMPI_REWRITER_SHAPES_H

#include <map>
#include <string>
#include <vector>

namespace xmpi
{

struct Analysis;
struct Inference;
struct RangeText;

/* What a clause may say of an array. */
struct Shape {
    /* COLUMNS: rows whose elements lie apart, which no clause has; PARTS: several arrays, which are
     * not known; ROOT: memory of rank 0 alone; NAMED: with another */
    enum class Kind { Rows, Columns, Parts, Same, Root, Scratch, Named } kind = Kind::Same;
    std::string text;                        /* "u[n][m]" */
    std::string where;                       /* of rows: "from first, count at 1" */
    bool complete = true;                    /* else the number of elements has no name */
    std::vector<std::string> exchanged = {}; /* of rows: what changes places with them */
    /* As much of it on each process, however many there are, in the same places: where these have
     * different values, all there is follows the number of processes. */
    bool each = false;
};

/* By what the arrays are called at the loop. */
using Shapes = std::map<std::string, Shape>;

/* Of the pointers that the loop names: what their memory is for each number of processes tells
 * whether it has as many rows as a process, perhaps with others beside them, or is the same for
 * all. RANGE says which rows are the own ones (empty: nobody knows). Nothing is told of what may be
 * several things. */
Shapes shapesAt(Analysis &analysis, const Inference &inference, const RangeText &range);

} // namespace xmpi
#endif
