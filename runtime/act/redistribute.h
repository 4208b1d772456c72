/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution of the registered arrays from an old to a new layout (thesis §4.5.3, Alg. 4).
 *
 * Two phases, so that nothing is lost: receive everything into new storage, and only then switch
 * the pointers and free the old. In between, the caller asks all members whether they succeeded. */
#ifndef XMPI_ACT_REDISTRIBUTE_H
#define XMPI_ACT_REDISTRIBUTE_H

#include <mpi.h>
#include <stdint.h>

#include "act/change.h"
#include "act/registry.h"
#include "decide/transfer.h"

/* What one array becomes. */
typedef struct {
    void *fresh; /* new storage, malloc; NULL: the old stays */
    xmpi_transfer_t transfer;
} xmpi_move_t;

typedef struct {
    int moves;
    xmpi_move_t *move;    /* one for each registered array */
    MPI_Request *request; /* room for every message */
    int requests;
    int64_t bytes;        /* received from others by this process */
    int64_t messages;
} xmpi_redistribution_t;

/* Allocates all that the move needs: it cannot fail half-way then. Local; to be cancelled when it
 * fails here or anywhere else. */
xmpi_status_t xmpi_redistribute_prepare(const xmpi_registry_t *registry,
                                        const xmpi_change_t *change, int me,
                                        xmpi_redistribution_t *redistribution);

/* Moves the data into it. Collective over TRANSIT, in which ME is the caller's rank. */
void xmpi_redistribute_move(const xmpi_registry_t *registry, const xmpi_change_t *change,
                            MPI_Comm transit, int me, xmpi_redistribution_t *redistribution);

/* Switches to the new storage and frees the old; those that leave free everything. Local. */
void xmpi_redistribute_commit(const xmpi_registry_t *registry, const xmpi_change_t *change, int me,
                              xmpi_redistribution_t *redistribution);

/* Frees the new storage; the old is as it was. Local. */
void xmpi_redistribute_cancel(xmpi_redistribution_t *redistribution);

#endif
