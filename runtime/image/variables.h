/* SPDX-License-Identifier: BSD-3-Clause
 * The program's variables. */
#ifndef XMPI_IMAGE_VARIABLES_H
#define XMPI_IMAGE_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "act/image/image.h"

/* Finds the program's variables, and those among them that are not its own. Pointers to functions
 * of libraries become the same in every process. */
void xmpi_variables_begin(void);

/* The spans of its variables; how many there are. */
size_t xmpi_variables_spans(xmpi_span_t *span, size_t most);

/* Thread-local ones of the main thread: their place in this process. */
char *xmpi_variables_of_thread(size_t *bytes);

/* Whether there is memory of the program at an address. */
bool xmpi_variables_has(const void *address);

/* Whether an address is in the code of the program. */
bool xmpi_variables_is_code(const void *address);

#endif
