/* SPDX-License-Identifier: BSD-3-Clause
 * Lent memory: what shared libraries of the program's own have allocated
 * (image/libraries/lenders.h). It is of the C library's heap, and stays in this process. */
#ifndef XMPI_IMAGE_MEMORY_LENT_H
#define XMPI_IMAGE_MEMORY_LENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* PIECE (or NULL) has been allocated by the code at CALLER, which is not 0; gives PIECE. */
void *xmpi_lent_note(void *piece, uintptr_t caller);

/* Frees or resizes PIECE, which is not in the arena, whether it was noted or not. */
void xmpi_lent_free(void *piece);
void *xmpi_lent_realloc(void *piece, size_t size);

/* Whether something is still there, and who has allocated it: 0 where that could not be noted. */
bool xmpi_lent_any(uintptr_t *caller);

/* The process has got another program, which has nothing of what is noted. */
void xmpi_lent_forget(void);

#endif
