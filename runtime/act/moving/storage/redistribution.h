/* SPDX-License-Identifier: BSD-3-Clause
 * What one process knows of a redistribution. */
#ifndef XMPI_ACT_MOVING_REDISTRIBUTION_H
#define XMPI_ACT_MOVING_REDISTRIBUTION_H

#include "act/data/piece_map.h"
#include "act/data/registry.h"
#include "act/data/row_file.h"
#include "act/members/change.h"
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

#endif
