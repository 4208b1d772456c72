/* SPDX-License-Identifier: BSD-3-Clause
 * What functions of other files make of the own rows, as their sources show it. */
#ifndef XMPI_REWRITER_SUMS_H
#define XMPI_REWRITER_SUMS_H

#include "joined/part.h"
#include <map>
#include <string>
#include <vector>

namespace xmpi
{

/* A loop believes that what a function of another file hands back for the own rows is right when it
 * is put together over the processes. The mark of its record says by which operation, and for each
 * argument what it is: "c", as many as there are own rows (or elements in them), perhaps with a
 * number behind it that is added; "r1,0", rows, with so many in front of the own ones in memory,
 * and where the pointer leads to, seen from there; a number; "u", something that is the same on all
 * processes; or "?". */
bool isSumMark(const std::string &mark);

class SumTeller
{
  public:
    explicit SumTeller(const std::vector<Part> &parts) : parts(parts)
    {
    }

    /* Why this is not shown of the function NAME by the sources of the program; empty where it is:
     * a loop that calls it so, in the function's own file, is divisible. */
    std::string why(const std::string &name, const std::string &mark);

  private:
    const std::vector<Part> &parts;
    std::map<std::string, std::string> told; /* what was answered, by both */

    std::string lookInto(const Part &part, const std::string &around);
};

} // namespace xmpi
#endif
