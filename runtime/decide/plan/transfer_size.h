/* SPDX-License-Identifier: BSD-3-Clause
 * The size of a transfer plan: bytes and messages between members, for the cost model. From two
 * layouts and the shapes of the arrays, without communication and without making the plans of all
 * processes. */
#ifndef XMPI_DECIDE_PLAN_TRANSFER_SIZE_H
#define XMPI_DECIDE_PLAN_TRANSFER_SIZE_H

#include <stdbool.h>

#include "decide/plan/plan.h"
#include "decide/layout/transfer.h"

/* With which plans an array moves. Of a loop that is resizable by starting over rows do where the
 * program starts over, and its image where whole programs go elsewhere (decide/plan/plan.h). */
typedef enum { XMPI_MOVES_EVER, XMPI_MOVES_AS_IMAGE, XMPI_MOVES_AS_ROWS } xmpi_moves_when_t;

/* What counts of an array. */
typedef struct {
    int scheme; /* XMPI_SCHEME_... (decide/layout/transfer.h) */
    int64_t rows;
    double row_bytes;   /* that a row moves; of sparse matrices the mean */
    double entry_bytes; /* of sparse matrices: of an entry, of which a row has as many as it has;
                           else 0 */
    int64_t halo;       /* rows beyond its block that a member stores on both sides */
    int constant;       /* the loop only reads it: it can move while the program goes on */
    bool paged; /* where its rows do not fit in memory the runtime has them in a file, of which
                   some stay in memory (act/outofcore); only the prediction asks */
    bool ahead; /* and the next ones are read while these are computed */
    int reads, writes; /* how often an iteration goes through all rows; 0 and 0: it is not known;
                          only the prediction asks */
    double passes;     /* seen, where nothing else is known: how often an iteration goes through
                          those that do not stay in memory; 0: it was not seen */
    bool lengths;      /* row pointers, which say how much others have to move: they move first */
    xmpi_moves_when_t when; /* only the prediction asks */
} xmpi_moved_array_t;

/* What process FROM sends to process TO: transit ranks, i.e. the members of the old layout in their
 * order, then those that join in theirs. */
typedef struct {
    int from, to;
    int64_t messages;   /* one for each array of which there are rows to send */
    double bytes;       /* of all arrays */
    double later_bytes; /* of them, of constant arrays */
} xmpi_transfer_pair_t;

typedef struct {
    int transit;                /* processes that take part */
    int olds;                   /* of them, members of the old layout */
    int64_t pairs;              /* that have something to send, by receiver */
    xmpi_transfer_pair_t *pair; /* malloc */
    double bytes, later_bytes;  /* of all pairs */
    int64_t messages;
} xmpi_transfer_size_t;

/* OLD_BLOCK and NEW_BLOCK of each of TRANSIT processes (empty where it is not a member), the first
 * OLDS of which are the old members; MEMBER tells who is one of the new layout. Takes
 * O(transit log transit + arrays * pairs). XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_transfer_size(int transit, int olds, const xmpi_block_t *old_block,
                                 const xmpi_block_t *new_block, const bool *member, int arrays,
                                 const xmpi_moved_array_t *array, xmpi_transfer_size_t *size);

void xmpi_transfer_size_free(xmpi_transfer_size_t *size);

#endif
