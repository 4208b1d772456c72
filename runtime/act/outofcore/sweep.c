/* SPDX-License-Identifier: BSD-3-Clause */
#include "act/outofcore/sweep.h"

#include <stdlib.h>

enum { LEAST_ROOM = 4, MOST_ROOM = 3 * XMPI_SWEEP_AHEAD_MAX };

xmpi_status_t xmpi_sweep_open(xmpi_sweep_t *sweep, int64_t chunks)
{
    *sweep = (xmpi_sweep_t){.chunks = chunks, .room = LEAST_ROOM, .last = {-1, -1}};
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
    sweep->room = room > LEAST_ROOM ? room : LEAST_ROOM;
    sweep->held = chunks > sweep->room ? chunks - sweep->room : 0;
    if (sweep->held > sweep->chunks)
        sweep->held = sweep->chunks;
}

static void enter(xmpi_sweep_t *sweep, int64_t chunk, xmpi_chunk_t state)
{
    if (sweep->state[chunk] == XMPI_CHUNK_OUT) {
        sweep->queue[(sweep->first + sweep->n) % sweep->chunks] = chunk;
        sweep->n++;
    }
    sweep->state[chunk] = (unsigned char)state;
}

static bool was_used(const xmpi_sweep_t *sweep, int64_t chunk)
{
    return chunk >= 0 && chunk < sweep->chunks &&
           (chunk < sweep->held || sweep->state[chunk] == XMPI_CHUNK_USED);
}

/* Behind the end of a pass the next one begins. */
static int64_t next_of(const xmpi_sweep_t *sweep, int64_t chunk, int step)
{
    int64_t next = chunk + step;
    if (next >= sweep->chunks)
        return sweep->held;
    return next < sweep->held ? sweep->chunks - 1 : next;
}

static int ask(xmpi_sweep_t *sweep, int64_t chunk, int step, int64_t *ahead)
{
    int n = 0, most = (int)(sweep->room / 2);
    if (most > XMPI_SWEEP_AHEAD_MAX)
        most = XMPI_SWEEP_AHEAD_MAX;
    for (int i = 0; i < most; i++) {
        chunk = next_of(sweep, chunk, step);
        if (sweep->state[chunk] != XMPI_CHUNK_OUT)
            continue;
        enter(sweep, chunk, XMPI_CHUNK_ASKED);
        ahead[n++] = chunk;
    }
    return n;
}

int xmpi_sweep_use(xmpi_sweep_t *sweep, int64_t chunk, int64_t ahead[XMPI_SWEEP_AHEAD_MAX],
                   int64_t *write)
{
    bool forward = chunk == 0 || was_used(sweep, chunk - 1);
    bool backward = !forward && was_used(sweep, chunk + 1);
    enter(sweep, chunk, XMPI_CHUNK_USED);
    *write = sweep->last[1];
    sweep->last[1] = sweep->last[0];
    sweep->last[0] = chunk;
    return forward || backward ? ask(sweep, chunk, forward ? 1 : -1, ahead) : 0;
}

int64_t xmpi_sweep_let_go(xmpi_sweep_t *sweep)
{
    while (sweep->n > sweep->room) {
        int64_t chunk = sweep->queue[sweep->first];
        sweep->first = (sweep->first + 1) % sweep->chunks;
        sweep->n--;
        sweep->state[chunk] = XMPI_CHUNK_OUT;
        if (chunk >= sweep->held)
            return chunk;
    }
    return -1;
}
