/* SPDX-License-Identifier: BSD-3-Clause
 * Spare storage: what a move has left is kept for the next ones, as layouts often come again, and
 * new pages cost several times what is copied into them. Blocks of malloc, 64 MiB of them at most;
 * what several moves have not taken is freed. */
#ifndef XMPI_ACT_MOVING_SPARE_H
#define XMPI_ACT_MOVING_SPARE_H

#include <stddef.h>

/* A block of at least BYTES, and not much more; NULL: there is none. What is in it is rubbish. */
void *xmpi_spare_take(size_t bytes);

/* Keeps BLOCK (NULL: nothing), or frees it. */
void xmpi_spare_give(void *block);

/* The same where the caller has something better to do and no need of the memory at once: what is
 * not kept is freed by a thread. */
void xmpi_spare_give_aside(void *block);

/* A move is over. */
void xmpi_spare_age(void);

/* Frees all that is kept. */
void xmpi_spare_free(void);

#endif
