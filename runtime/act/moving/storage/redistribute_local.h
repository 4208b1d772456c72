/* SPDX-License-Identifier: BSD-3-Clause
 * The part of one process in a redistribution: what it keeps, allocates, sends and receives. No
 * MPI: redistribute.c carries the messages, a test can carry them between members that are
 * simulated.
 *
 * The order of calls, where a change is called off as long as nothing was settled:
 *
 *     open                     the layouts, storage of all that has a known size
 *     messages(LENGTHS), ...   of sparse matrices the lengths of the rows that move
 *     lengths_done             row pointers, storage of the elements
 *     shift                    of global row pointers
 *     settle                   storage that only changes at its end gets its new size
 *     messages(DATA), keep     everything else, in as many rounds as are wanted
 *     commit                   switches the pointers, frees the old
 */
#ifndef XMPI_ACT_MOVING_REDISTRIBUTE_LOCAL_H
#define XMPI_ACT_MOVING_REDISTRIBUTE_LOCAL_H

#include "act/moving/storage/redistribution.h"

/* To be cancelled when it fails here or anywhere before settle. REGISTRY and CHANGE must stay. */
xmpi_status_t xmpi_local_open(const xmpi_registry_t *registry, const xmpi_change_t *change, int me,
                              xmpi_arrays_t arrays, xmpi_local_t *local);

/* Lists the messages of a stage in LOCAL->message, receives of an array before its sends, and gives
 * their number. Of PART of PARTS; both sides list the same pieces in the same order. */
int xmpi_local_messages(xmpi_local_t *local, xmpi_stage_t stage, int part, int parts);

/* Copies what stays here to new storage: all of it, or (in the background, where the old place must
 * stay as it is) what has to be copied, and at the end what only its pages move of. */
typedef enum { XMPI_KEEP_ALL, XMPI_KEEP_COPIES, XMPI_KEEP_PAGES } xmpi_keep_t;

void xmpi_local_keep(const xmpi_local_t *local, xmpi_stage_t stage, int part, int parts,
                     xmpi_keep_t what);

xmpi_status_t xmpi_local_lengths_done(xmpi_local_t *local);

/* Whether the pointers of ARRAY depend on the blocks in front: then everybody's number of elements
 * in its own block is needed, and xmpi_local_shift with those of all in the transit order. */
bool xmpi_local_needs_shift(const xmpi_local_t *local, int array);
int64_t xmpi_local_own_entries(const xmpi_local_t *local, int array);
void xmpi_local_shift(xmpi_local_t *local, int array, const int64_t *entries);

/* Whether a sparse matrix takes part. */
bool xmpi_local_has_sparse(const xmpi_local_t *local);

/* Whether old storage grows when the move settles, which may be elsewhere then. */
bool xmpi_local_grows(const xmpi_local_t *local);
void xmpi_local_settle(xmpi_local_t *local);

/* Whether nothing but the pieces that it sends is needed from the old storage of ARRAY, which is
 * freed in the end; and whether pieces come into new storage that holds nothing else yet. */
bool xmpi_local_is_spent(const xmpi_local_t *local, int array);
bool xmpi_local_is_filled(const xmpi_local_t *local, int array);

void xmpi_local_commit(xmpi_local_t *local);
void xmpi_local_cancel(xmpi_local_t *local);

#endif
