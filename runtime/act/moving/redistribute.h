/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution of the registered arrays from an old to a new layout (thesis §4.5.3, Alg. 4).
 *
 * Two phases, so that nothing is lost: all get their new storage and agree that they could, and
 * only then old storage is written or freed. The size of sparse matrices is known after the lengths
 * of their rows have moved, so that there is a second agreement, inside the move. */
#ifndef XMPI_ACT_MOVING_REDISTRIBUTE_H
#define XMPI_ACT_MOVING_REDISTRIBUTE_H

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "act/moving/exchange.h"
#include "act/moving/storage/redistribute_local.h"

enum { XMPI_AGREED = 5 };

/* How all agree before anything moves, where it is not a reduction: of each of the NUMBERS ALL
 * makes the greatest that a member of COMM has. False: the move is called off, and all say so.
 * Collective over COMM. */
typedef struct {
    bool (*all)(void *context, MPI_Comm comm, uint64_t numbers[XMPI_AGREED]);
    void *context;
} xmpi_consent_t;

typedef struct {
    xmpi_local_t local;
    xmpi_exchange_t exchange;
    xmpi_status_t prepared;
    const xmpi_consent_t *consent; /* the first one; NULL: a reduction, as all others are */
    int64_t *entries;              /* of everybody's block, for global row pointers; malloc */
    int64_t bytes;                 /* received from others by this process */
    int64_t messages;
    uint64_t digest; /* of what must be equal on all who have one (act/data/digest.h); 0: none */
    bool failed;     /* the move was called off ... */
    bool unequal;    /* ... as digests differ */

    pthread_t thread; /* that copies in the background */
    bool threaded;
    atomic_bool copied; /* by the thread, which has ended */
    bool replied, arrived;
} xmpi_redistribution_t;

/* Has MPI make what agreements need, which the first move does else: memory may be short then.
 * Local. */
void xmpi_redistribute_ready(void);

/* Allocates all that the move of ARRAYS needs and whose size is known; there is no digest. Local;
 * to be cancelled when it or the move fails, here or anywhere else. REGISTRY and CHANGE must stay
 * until then. */
xmpi_status_t xmpi_redistribute_prepare(const xmpi_registry_t *registry,
                                        const xmpi_change_t *change, int me, xmpi_arrays_t arrays,
                                        xmpi_redistribution_t *redistribution);

/* Moves the data where all could prepare. Collective over TRANSIT, in which ME is the caller's
 * rank, and for those whose preparation failed, too. When it fails it does so for all; nothing has
 * changed then, and all must cancel. */
xmpi_status_t xmpi_redistribute_move(const xmpi_registry_t *registry, const xmpi_change_t *change,
                                     MPI_Comm transit, int me,
                                     xmpi_redistribution_t *redistribution);

/* What a process makes of a move that others may make, where it has not got as far as to prepare
 * it: the move fails for all. REGISTRY is that of what was to move, CONSENT (or NULL) that of the
 * others. */
void xmpi_redistribute_abstain(const xmpi_registry_t *registry, MPI_Comm transit,
                               const xmpi_consent_t *consent);

/* The same in the background: begins to move, and the program may go on reading (not writing) the
 * arrays. Collective. When it fails it does so for all; also when the move would need rounds. */
xmpi_status_t xmpi_redistribute_start(const xmpi_registry_t *registry, MPI_Comm transit,
                                      xmpi_redistribution_t *redistribution);

/* Drives what start began; whether all that this process sends and receives has arrived. */
bool xmpi_redistribute_test(xmpi_redistribution_t *redistribution);

/* Waits until it has. All others must wait or test as well. */
void xmpi_redistribute_wait(xmpi_redistribution_t *redistribution);

/* When all have arrived at all, and the program stands still: what is left before commit. */
void xmpi_redistribute_settle(xmpi_redistribution_t *redistribution);

/* Switches to the new storage and frees the old; those that leave free everything. Local. */
void xmpi_redistribute_commit(const xmpi_registry_t *registry, const xmpi_change_t *change, int me,
                              xmpi_redistribution_t *redistribution);

/* Frees the new storage; the old is as it was. Local. */
void xmpi_redistribute_cancel(xmpi_redistribution_t *redistribution);

#endif
