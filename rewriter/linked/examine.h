/* SPDX-License-Identifier: BSD-3-Clause
 * What loops rely on in other files, looked for in the linked program. */
#ifndef XMPI_REWRITER_EXAMINE_H
#define XMPI_REWRITER_EXAMINE_H

#include "linked/machine_code.h"
#include <set>

namespace xmpi
{

/* Functions in place of which the linker, or the start, has put others that keep nothing, as the
 * user has said. */
using Replaced = std::set<std::string>;

/* Why the function NAME of CODE may do more than follow from its arguments, "uses 'n', which
 * outlives the call": it uses what can change, asks who the process is or what time it is, draws
 * random numbers, or does what nobody knows. Empty where it is shown that it does not, with all
 * that it calls. Variables that the functions MARKED, with blanks between, use as well are left
 * out: of those the user has said that they are right after a change. With
 * stateMark in front of MARKED these are variables that a state(...) names, and only what the
 * function may change of others counts, as the rest is made again by a start, and what cannot be
 * followed. With
 * talkingMark among MARKED the function may talk to others (isToTalk, library/library.h). Of those
 * REPLACED their own code is looked into, whatever runs in its place. */
std::string beyondArguments(const MachineCode &code, llvm::StringRef name, llvm::StringRef marked,
                            const Replaced &replaced);

/* Looks into all functions that the records of the linked program PATH name (xmpi_gen_relies in
 * xmpi_gen.h), and writes into the records what was found. What is not shown is warned of on
 * standard error. REPLACED is as above. The exit status: 0, or 1 after a message where the file
 * cannot be changed. */
int examineProgram(const std::string &path, const Replaced &replaced);

} // namespace xmpi
#endif
