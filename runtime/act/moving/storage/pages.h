/* SPDX-License-Identifier: BSD-3-Clause
 * Whole pages of memory: moving them without a copy, and giving them back. */
#ifndef XMPI_ACT_MOVING_PAGES_H
#define XMPI_ACT_MOVING_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies SIZE bytes, whose old place is not needed any more: what it holds then is undefined. Where
 * both places are alike relative to pages the pages themselves move, else pages that were copied
 * serve what follows. They do not overlap. */
void xmpi_pages_move(char *to, char *from, size_t size);

/* Whether so many bytes are worth a change of mappings. */
bool xmpi_pages_worth(int64_t size);

/* Whether xmpi_pages_move can do without copying most of the bytes. */
bool xmpi_pages_movable(const char *to, const char *from, size_t size);

/* Makes the pages of SIZE bytes that will be written soon, all at once: cheaper than one at a time
 * when they are first touched. What they hold stays. */
void xmpi_pages_populate(char *at, size_t size);

/* Pages whose content is not needed any more, for new places: cheaper than to give them back and to
 * have the system make, and clear, others. */
enum { XMPI_PAGES_RANGES = 64 };

typedef struct {
    int ranges;
    struct {
        char *at;
        size_t size;
    } range[XMPI_PAGES_RANGES];
} xmpi_pages_pool_t;

/* All pages that lie within SIZE bytes; what they hold is lost. */
void xmpi_pages_give(xmpi_pages_pool_t *pool, char *from, size_t size);

/* Puts pages of the pool to the pages that lie within SIZE bytes, as far as there are any; what was
 * there is lost, and what is there then is undefined. */
void xmpi_pages_take(xmpi_pages_pool_t *pool, char *to, size_t size);

/* Gives what is left back to the system. */
void xmpi_pages_drop(xmpi_pages_pool_t *pool);

/* Gives the memory of all pages that lie within SIZE bytes back to the system. */
void xmpi_pages_release(char *from, size_t size);

#endif
