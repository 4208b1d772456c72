/* SPDX-License-Identifier: BSD-3-Clause
 * A source of a program that is linked, as xmpicc tells of it. */
#ifndef XMPI_REWRITER_PART_H
#define XMPI_REWRITER_PART_H

#include <string>
#include <vector>

namespace xmpi
{

struct Part {
    std::string name;               /* as it was typed, when it was compiled */
    std::string path;               /* how it is found from here */
    long long made = 0;             /* when it was compiled, in ns since 1970; 0: just now */
    bool loop = false;              /* it has pragmas: it stands at the end of what is joined */
    std::string apart;              /* why it cannot be joined, as xmpicc knows; empty: it may be */
    std::vector<std::string> flags; /* of its own command, for the parser */
    std::string text;
};

/* Reads the list in the file PATH: of each part its name, path, time, "loop" or "", why it is
 * apart, the number of its flags and these, each with a 0 behind it. False: it is no such list, or
 * a part that is not apart cannot be read. */
bool readParts(const std::string &path, std::vector<Part> &parts);

} // namespace xmpi
#endif
