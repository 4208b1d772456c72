/* SPDX-License-Identifier: BSD-3-Clause
 * Which chunks of an array are in memory while a program goes through it, again and again: those
 * that come next are asked for ahead, those behind are let go. Loops over rows use every chunk once
 * in a pass, so that whatever is kept longest is best kept for good: HELD chunks stay, and only the
 * others are read each time. Held ones lie evenly among the others, for the disk to have as much to
 * do in every part of a pass. No I/O: paged.c does what is said here. */
#ifndef XMPI_ACT_OUTOFCORE_SWEEP_H
#define XMPI_ACT_OUTOFCORE_SWEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Not in memory; to be read ahead; it has been; the program has used it. */
typedef enum { XMPI_CHUNK_OUT, XMPI_CHUNK_ASKED, XMPI_CHUNK_READ, XMPI_CHUNK_USED } xmpi_chunk_t;

typedef struct {
    int64_t chunks;
    int64_t held;         /* so many stay */
    int64_t room;         /* how many of the others may be in memory at a time, > 0 */
    int64_t leaving;      /* and how many more of those that were let go, while they are written */
    unsigned char *state; /* of each, as above; malloc, like the next */
    int64_t *queue;       /* those that are in memory and not held, oldest first; a ring */
    int64_t first, n;
    bool backward; /* the program goes that way */
    int64_t used;  /* how often the program has come to chunks that do not stay */
} xmpi_sweep_t;

/* Nothing is in memory. XMPI_ERR_MEMORY; to be freed in any case. */
xmpi_status_t xmpi_sweep_open(xmpi_sweep_t *sweep, int64_t chunks);
void xmpi_sweep_free(xmpi_sweep_t *sweep);

/* How many chunks may be in memory from now on, at least 4; of these the most are held. */
void xmpi_sweep_room(xmpi_sweep_t *sweep, int64_t chunks);

/* Whether CHUNK is one of those that stay. */
bool xmpi_sweep_holds(const xmpi_sweep_t *sweep, int64_t chunk);

/* The program has used CHUNK, which does not stay and was not USED: those that come next are ASKED
 * then. */
void xmpi_sweep_use(xmpi_sweep_t *sweep, int64_t chunk);

/* The chunk that is to be read ahead next, which is READ then; -1: none. */
int64_t xmpi_sweep_read(xmpi_sweep_t *sweep);

/* A chunk that is to leave memory, as there is no room for so many; -1: none. It is OUT then. */
int64_t xmpi_sweep_let_go(xmpi_sweep_t *sweep);

#endif
