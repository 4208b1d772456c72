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

#include "act/members/change.h"
#include "act/data/piece_map.h"
#include "act/data/registry.h"
#include "act/data/row_file.h"
#include "decide/layout/transfer.h"

/* Which arrays a redistribution moves. In the background those that are constant move while the
 * program reads them: what they have is not touched before commit. */
typedef enum { XMPI_ARRAYS_ALL, XMPI_ARRAYS_CONSTANT, XMPI_ARRAYS_OTHER } xmpi_arrays_t;

typedef enum {
    XMPI_STORAGE_STAYS,   /* as it is */
    XMPI_STORAGE_RESIZED, /* only its end changes */
    XMPI_STORAGE_SLID,    /* its rows lie at places of their own (slides.h): its ends change */
    XMPI_STORAGE_FRESH,   /* other rows: new storage */
} xmpi_keeping_t;

/* What one array becomes. */
typedef struct {
    bool left_out;         /* it is none of the arrays that move */
    bool on_disk;          /* its storage is, before or after */
    bool in_file;          /* in a file of the program's ... */
    xmpi_file_move_t file; /* ... which is this one */
    bool spare;            /* its new storage is one that was kept, with pages */
    xmpi_keeping_t keeping;
    xmpi_transfer_t transfer;
    xmpi_storage_t before, after; /* from where rows are sent, and where they are received */
    int64_t after_bytes;          /* of the storage */
    void *old;                    /* the storage that the program has; NULL: none */
    void *fresh;                  /* new storage, or the reserve of one that grows; malloc */
    void *lengths;                /* of OFFSETS: elements of each row before; malloc */
} xmpi_move_t;

typedef enum { XMPI_STAGE_LENGTHS, XMPI_STAGE_DATA } xmpi_stage_t;

/* A piece that goes to or comes from PEER, at BASE. */
typedef struct {
    bool sending;
    int peer;
    int array; /* index in the registry */
    char *base;
    xmpi_extent_t extent;
} xmpi_message_t;

typedef struct {
    const xmpi_registry_t *registry;
    const xmpi_change_t *change;
    int me;
    xmpi_arrays_t arrays;
    int moves;
    xmpi_move_t *move;       /* one for each array; malloc, like the other */
    xmpi_message_t *message; /* room for those of one stage */
    xmpi_error_t error;      /* why it failed */
} xmpi_local_t;

static inline const xmpi_array_t *xmpi_local_array(const xmpi_local_t *local, int i)
{
    return &local->registry->array[i];
}

/* Whether the process is a member before the change, and after it. */
static inline bool xmpi_local_is_old(const xmpi_local_t *local)
{
    return local->me < local->change->olds;
}

static inline bool xmpi_local_is_new(const xmpi_local_t *local)
{
    return local->change->new_rank[local->me] >= 0;
}

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
