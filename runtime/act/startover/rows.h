/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of the state: from where they were to where the program has them now. Blocks are those of
 * the program's own formula, before and after. */
#ifndef XMPI_ACT_STARTOVER_ROWS_H
#define XMPI_ACT_STARTOVER_ROWS_H

#include <mpi.h>

#include "act/members/change.h"
#include "act/moving/exchange.h"
#include "act/startover/state.h"

/* Who has what, as all of the transit communicator know it. */
typedef struct {
    int arrays, processes;
    /* Of process p and array a: [p * arrays + a]; malloc. What it owned, owns now, and has now. */
    xmpi_block_t *before, *owned, *after;
    int64_t *rows;           /* of each array; malloc */
    int64_t bytes, messages; /* that were received here */
} xmpi_rows_map_t;

/* Makes the map; BEFORE: what this process has had (NULL: it joins), NOW: what it has now (NULL: it
 * leaves). False on all where something is wrong with it: WHY. Collective over TRANSIT. */
bool xmpi_rows_compare(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                       MPI_Comm transit, xmpi_rows_map_t *map, char *why, size_t size);

/* The same for what members tell, without a change. Collective over COMM. */
bool xmpi_rows_are_whole(const xmpi_state_told_t *state, MPI_Comm comm, char *why, size_t size);

/* Moves the rows, out of the program ASIDE; KEPT: that has them afterwards, too. Collective over
 * TRANSIT, in which ME is the caller's rank. */
void xmpi_rows_move(const xmpi_state_told_t *before, const xmpi_state_told_t *now,
                    const xmpi_aside_t *aside, bool kept, xmpi_move_strategy_t strategy,
                    MPI_Comm transit, int me, xmpi_rows_map_t *map);

/* The rows that there are HERE of each array: own ones, and those beyond them, also around the
 * domain. Collective over COMM. */
void xmpi_rows_here(const xmpi_state_told_t *state, MPI_Comm comm, xmpi_block_t *here);

/* Bytes of the rows that a copy of STATE takes here. */
int64_t xmpi_rows_bytes(const xmpi_state_told_t *state);

/* Makes COPY a copy of the rows of STATE, own ones and those around the domain, in memory of its
 * own, to be moved as those are. XMPI_ERR_MEMORY: there is none. Collective over COMM; to be
 * released with xmpi_rows_release. */
xmpi_status_t xmpi_rows_copy(const xmpi_state_told_t *state, MPI_Comm comm,
                             xmpi_state_told_t *copy);

/* Makes ROOM what has room for the own rows of STATE, one after another. */
xmpi_status_t xmpi_rows_room(const xmpi_state_told_t *state, xmpi_state_told_t *room);
void xmpi_rows_release(xmpi_state_told_t *copy);

void xmpi_rows_map_free(xmpi_rows_map_t *map);

#endif
