/* SPDX-License-Identifier: BSD-3-Clause
 * The told state as registered data, for checkpoints: its rows as arrays, its values as live ones.
 * What each member has of its own (a part of a sum) becomes one value for all together. */
#ifndef XMPI_ACT_STARTOVER_SAVED_H
#define XMPI_ACT_STARTOVER_SAVED_H

#include <mpi.h>

#include "act/data/registry.h"
#include "act/startover/state.h"

typedef struct {
    xmpi_registry_t registry;
    xmpi_block_t block; /* of the rows that are own here */
    char *base[XMPI_STATE_ROWS]; /* slots of the arrays */
    bool beside[XMPI_STATE_ROWS]; /* a copy, malloc: the rows do not lie as a registry knows them */
    xmpi_block_t here[XMPI_STATE_ROWS]; /* rows that there are, also beyond the own ones */
    int64_t halo[XMPI_STATE_ROWS];      /* the most rows on one side of somebody's own ones */
    char *sums;                   /* of all members; malloc */
} xmpi_saved_state_t;

/* Makes SAVED what STATE tells, or says WHY it cannot be: XMPI_ERR_INPUT, on all, or the job ends
 * for memory. Pointers lead into both, which must stay. Collective over COMM; to be freed. */
xmpi_status_t xmpi_saved_state(const xmpi_state_told_t *state, MPI_Comm comm,
                               xmpi_saved_state_t *saved, xmpi_error_t *why);

/* What was restored in SAVED becomes the program's: RANK 0 has the sums, others add nothing. */
void xmpi_saved_state_put(const xmpi_saved_state_t *saved, const xmpi_state_told_t *state, int rank);

void xmpi_saved_state_free(xmpi_saved_state_t *saved);

#endif
