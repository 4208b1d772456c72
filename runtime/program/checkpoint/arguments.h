/* SPDX-License-Identifier: BSD-3-Clause
 * The arguments of the program, as a checkpoint has them: of what is not known to be read only
 * nothing else says whether it is the same. */
#ifndef XMPI_PROGRAM_CHECKPOINT_ARGUMENTS_H
#define XMPI_PROGRAM_CHECKPOINT_ARGUMENTS_H

#include <stddef.h>

enum { XMPI_ARGUMENTS_MAX = 512 };

/* TEXT for people, of XMPI_ARGUMENTS_MAX bytes, zeros behind: those behind the name, with blanks
 * between. Of what is longer the end is a digest of all. ALL: one after another, each ended by a
 * zero byte, in so many BYTES. */
void xmpi_arguments_text(const char *all, size_t bytes, char *text);

/* The same, of this process. (Without /proc it is empty, and nothing is compared.) */
void xmpi_arguments_read(char *text);

#endif
