/* SPDX-License-Identifier: BSD-3-Clause
 * Process: what belongs to the program and is kept by the process or by libraries. */
#ifndef XMPI_IMAGE_PROCESS_H
#define XMPI_IMAGE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Before main: its arguments and the environment become part of the image. */
void xmpi_process_begin(int argc, char ***argv, char ***envp);

void xmpi_process_pack(void);
bool xmpi_process_unpack(char *why);

/* Those that it was started with (act/image/image.h). */
const char *xmpi_process_arguments(size_t *bytes);

/* After pack: the program stays. */
void xmpi_process_stay(void);

/* The process has no program any more (act/image/image.h). */
void xmpi_process_let_go(void);

/* It goes on elsewhere: the process has what it had before the program, and nothing of that open.
 */
void xmpi_process_left(void);

/* Nor has it the memory of one any more, until unpack. */
void xmpi_process_clear(void);
bool xmpi_process_is_gone(void);

/* Something that cannot go elsewhere; WHY is for people. */
void xmpi_process_held(char *why);

#endif
