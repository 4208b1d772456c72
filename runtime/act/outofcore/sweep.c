/* SPDX-License-Identifier: BSD-3-Clause */
#include "act/outofcore/sweep.h"

#include <stdlib.h>

enum { LEAST_ROOM = 4, MOST_ROOM = 12, AHEAD = 4 };

xmpi_status_t xmpi_sweep_open(xmpi_sweep_t *sweep, int64_t chunks)
{
    *sweep = (xmpi_sweep_t){.chunks = chunks, .room = LEAST_ROOM};
    sweep->state = calloc((size_t)chunks + 1, sizeof *sweep->state);
    sweep->queue = calloc((size_t)chunks + 1, sizeof *sweep->queue);
    return sweep->state != NULL && sweep->queue != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
}

void xmpi_sweep_free(xmpi_sweep_t *sweep)
{
    free(sweep->state);
    free(sweep->queue);
    sweep->state = NULL;
    sweep->queue = NULL;
}

void xmpi_sweep_room(xmpi_sweep_t *sweep, int64_t chunks)
{
    int64_t room = chunks / 2 < MOST_ROOM ? chunks / 2 : MOST_ROOM;
    room = room > LEAST_ROOM ? room : LEAST_ROOM;
    sweep->held = chunks > room ? chunks - room : 0;
    sweep->leaving = room / 3 < room - LEAST_ROOM ? room / 3 : room - LEAST_ROOM;
    sweep->room = room - sweep->leaving;
    if (sweep->held > sweep->chunks)
        sweep->held = sweep->chunks;
}

bool xmpi_sweep_holds(const xmpi_sweep_t *sweep, int64_t chunk)
{
    return chunk * sweep->held / sweep->chunks < (chunk + 1) * sweep->held / sweep->chunks;
}

static void enter(xmpi_sweep_t *sweep, int64_t chunk, xmpi_chunk_t state)
{
    if (sweep->state[chunk] == XMPI_CHUNK_OUT) {
        sweep->queue[(sweep->first + sweep->n) % sweep->chunks] = chunk;
        sweep->n++;
    }
    sweep->state[chunk] = (unsigned char)state;
}

/* The next one that is not held, CHUNKS or -1 behind the last one; there may be none. */
static int64_t beside(const xmpi_sweep_t *sweep, int64_t chunk, int step)
{
    do
        chunk += step;
    while (chunk >= 0 && chunk < sweep->chunks && xmpi_sweep_holds(sweep, chunk));
    return chunk;
}

static bool was_used(const xmpi_sweep_t *sweep, int64_t chunk)
{
    return chunk >= 0 && chunk < sweep->chunks && sweep->state[chunk] == XMPI_CHUNK_USED;
}

/* Behind the end of a pass the next one begins. */
static int64_t next_of(const xmpi_sweep_t *sweep, int64_t chunk, int step)
{
    int64_t next = beside(sweep, chunk, step);
    if (next >= 0 && next < sweep->chunks)
        return next;
    return beside(sweep, step > 0 ? -1 : sweep->chunks, step);
}

static void ask(xmpi_sweep_t *sweep, int64_t chunk, int step)
{
    int64_t most = sweep->room / 2 < AHEAD ? sweep->room / 2 : AHEAD;
    for (int64_t i = 0; i < most; i++) {
        chunk = next_of(sweep, chunk, step);
        if (sweep->state[chunk] == XMPI_CHUNK_OUT)
            enter(sweep, chunk, XMPI_CHUNK_ASKED);
    }
}

void xmpi_sweep_use(xmpi_sweep_t *sweep, int64_t chunk)
{
    int64_t before = beside(sweep, chunk, -1);
    bool below = before < 0 || was_used(sweep, before);
    bool above = was_used(sweep, beside(sweep, chunk, 1));
    enter(sweep, chunk, XMPI_CHUNK_USED);
    sweep->used++;
    if (below != above)
        sweep->backward = above;
    if (below || above)
        ask(sweep, chunk, sweep->backward ? -1 : 1);
}

int64_t xmpi_sweep_read(xmpi_sweep_t *sweep)
{
    for (int64_t i = 0; i < sweep->n; i++) {
        int64_t chunk = sweep->queue[(sweep->first + i) % sweep->chunks];
        if (sweep->state[chunk] != XMPI_CHUNK_ASKED)
            continue;
        sweep->state[chunk] = XMPI_CHUNK_READ;
        return chunk;
    }
    return -1;
}

int64_t xmpi_sweep_let_go(xmpi_sweep_t *sweep)
{
    while (sweep->n > sweep->room) {
        int64_t chunk = sweep->queue[sweep->first];
        sweep->first = (sweep->first + 1) % sweep->chunks;
        sweep->n--;
        sweep->state[chunk] = XMPI_CHUNK_OUT;
        if (!xmpi_sweep_holds(sweep, chunk))
            return chunk;
    }
    return -1;
}
