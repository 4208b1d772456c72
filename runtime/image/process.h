/* SPDX-License-Identifier: BSD-3-Clause
 * Process: what belongs to the program and is kept by the process or by libraries. */
#ifndef XMPI_IMAGE_PROCESS_H
#define XMPI_IMAGE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "image/image.h"

/* Before main: its arguments and the environment become part of the image. */
void xmpi_process_begin(int argc, char ***argv, char ***envp);

void xmpi_process_pack(void);
bool xmpi_process_unpack(char *why);

/* After pack: the program stays. */
void xmpi_process_stay(void);

/* Something that cannot go elsewhere; WHY is for people. */
void xmpi_process_held(char *why);

/* --- variables (image/variables.c) ---------------------------------------------------------------
 */

/* Finds the program's variables, and those among them that are not its own. Pointers to functions
 * of libraries become the same in every process. */
void xmpi_variables_begin(void);

/* The spans of its variables; how many there are. */
size_t xmpi_variables_spans(xmpi_span_t *span, size_t most);

/* Thread-local ones of the main thread: their place in this process. */
char *xmpi_variables_of_thread(size_t *bytes);

/* Whether an address is in the code of the program. */
bool xmpi_variables_is_code(const void *address);

/* --- what was made that cannot move (image/pins.c)
 * ------------------------------------------------ */

/* The call that made it; NULL: there is nothing. */
const char *xmpi_pins_call(void);

#endif
