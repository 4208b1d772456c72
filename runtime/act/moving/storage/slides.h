/* SPDX-License-Identifier: BSD-3-Clause
 * Slides: storage in address space that has a place for every row of the domain. A row lies at the
 * same place in every layout, so that a block that changes at its front need not be copied. Only
 * what a block has, and some room beside it, has memory.
 *
 * To the program a block is what malloc gives: it may be freed, and its size changed, by whoever
 * does that with other memory, where these calls come here (slide_calls.h). */
#ifndef XMPI_ACT_MOVING_SLIDES_H
#define XMPI_ACT_MOVING_SLIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A block of BYTES bytes, with address space for FRONT bytes in front of it and BEHIND bytes behind
 * it; NULL: there is none to be had. It lies as LIKE does in pages, small and large, so that pages
 * of one can become pages of the other. */
void *xmpi_slide_make(int64_t front, int64_t bytes, int64_t behind, const void *like);

/* Whether BLOCK is one that lies in a slide, of which bytes FROM to TO, counted from its begin, are
 * in the same one. */
bool xmpi_slide_reaches(const void *block, int64_t from, int64_t to);

/* Lets bytes FROM to TO of a block that reaches there be used, too; false: there is no memory. */
bool xmpi_slide_open(const void *block, int64_t from, int64_t to);

/* Makes bytes FROM to TO the block, which begins there now. Of what else could be used ROOM bytes
 * may stay, first of what the block has just given up. */
void xmpi_slide_settle(void *block, int64_t from, int64_t to, int64_t room);

/* Whether BLOCK is one, how many bytes of it may be used, and freeing it. */
bool xmpi_slide_has(const void *block);
int64_t xmpi_slide_bytes(const void *block);
void xmpi_slide_free(void *block);

#endif
