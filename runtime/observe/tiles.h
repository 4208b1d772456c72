/* SPDX-License-Identifier: BSD-3-Clause
 * Tiles: pipelines among the members (decide/model/sample.h), as their messages show them. How many
 * tiles an iteration has is often known at run time only, and may change. */
#ifndef XMPI_OBSERVE_TILES_H
#define XMPI_OBSERVE_TILES_H

#include <mpi.h>

#include "decide/model/sample.h"

enum { XMPI_TILES_UP, XMPI_TILES_DOWN, XMPI_TILES_NOT };

typedef struct {
    xmpi_tiles_t tiles[2];
    double computed; /* seconds, when the last call began */
    double stretch;  /* between the last two calls */
    int next, came;  /* the way of what the last call received, and the one before */
} xmpi_tiling_t;

/* Nothing is known. */
void xmpi_tiles_start(xmpi_tiling_t *tiling);

/* A call of MPI begins, after the member has computed for COMPUTED seconds. */
void xmpi_tiles_enter(xmpi_tiling_t *tiling, double computed);

/* That call has received from rank SOURCE of COMM, or sent to rank DEST of it. */
void xmpi_tiles_received(xmpi_tiling_t *tiling, int source, MPI_Comm comm);
void xmpi_tiles_sent(xmpi_tiling_t *tiling, int dest, MPI_Comm comm);

#endif
