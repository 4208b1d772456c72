/* SPDX-License-Identifier: BSD-3-Clause
 * Tools: libraries that wrap MPI calls before this one. */
#ifndef XMPI_OBSERVE_TOOLS_H
#define XMPI_OBSERVE_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the program's calls of one of them reach another wrapper first, which goes on with PMPI:
 * in MPI's own world, which is not the program's after a change. TEXT (of ROOM bytes) then says
 * which and whose. */
bool xmpi_tools_before(char *text, size_t room);

/* The same of CALL alone. */
bool xmpi_tools_wrap(const char *call, char *text, size_t room);

/* Whether the program calls MPI by a name of PMPI's, which goes past this library, into MPI's own
 * world; the name is then in TEXT. (Not of those that ask for nothing of the world. Where this
 * library is part of the program it cannot be told, and is not.) */
bool xmpi_tools_are_passed(char *text, size_t room);

/* Whether the program has the function NAME of a library itself, so that its calls reach that one.
 */
bool xmpi_tools_are_of_program(const char *name);

#endif
