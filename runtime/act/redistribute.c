/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution of the registered arrays from an old to a new layout. */
#include "act/redistribute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The largest message: counts of MPI calls are ints. */
static const int64_t chunk_bytes = (int64_t)1 << 30;

/* The rows that a process stores of an array, before or after. */
static xmpi_block_t stored(const xmpi_array_t *array, const xmpi_change_t *change, int me,
                           bool after)
{
    xmpi_block_t all = {.count = array->rows, .displ = 0}, none = {0, 0};
    if (array->scheme == XMPI_GEN_DISTRIBUTED)
        return after ? change->new_block[me] : change->old_block[me];
    return (after ? change->new_rank[me] >= 0 : me < change->olds) ? all : none;
}

static bool needs_storage(const xmpi_array_t *array, const xmpi_change_t *change, int me)
{
    xmpi_block_t before = stored(array, change, me, false), after = stored(array, change, me, true);
    if (change->new_rank[me] < 0)
        return false;
    return me >= change->olds || before.count != after.count || before.displ != after.displ;
}

static xmpi_status_t transfer_of(const xmpi_array_t *array, const xmpi_change_t *change, int me,
                                 xmpi_transfer_t *transfer)
{
    if (array->scheme == XMPI_GEN_DISTRIBUTED)
        return xmpi_transfer_blocks(change->transit, change->old_block, change->new_block, me,
                                    transfer);
    return xmpi_transfer_replicate(change->transit, change->olds, array->rows, me, transfer);
}

/* Messages that some pieces become. */
static int64_t messages_of(const xmpi_piece_t *piece, int pieces, int64_t row_bytes)
{
    int64_t n = 0;
    for (int i = 0; i < pieces; i++)
        n += (piece[i].rows * row_bytes + chunk_bytes - 1) / chunk_bytes;
    return n;
}

static xmpi_status_t prepare_array(const xmpi_array_t *array, const xmpi_change_t *change, int me,
                                   xmpi_move_t *move, int64_t *messages)
{
    xmpi_status_t status = transfer_of(array, change, me, &move->transfer);
    if (status != XMPI_OK)
        return status;
    *messages += messages_of(move->transfer.send, move->transfer.sends, array->row_bytes) +
                 messages_of(move->transfer.receive, move->transfer.receives, array->row_bytes);
    if (!needs_storage(array, change, me))
        return XMPI_OK;
    size_t bytes = (size_t)(stored(array, change, me, true).count * array->row_bytes);
    move->fresh = malloc(bytes > 0 ? bytes : 1);
    return move->fresh == NULL ? XMPI_ERR_MEMORY : XMPI_OK;
}

xmpi_status_t xmpi_redistribute_prepare(const xmpi_registry_t *registry,
                                        const xmpi_change_t *change, int me,
                                        xmpi_redistribution_t *redistribution)
{
    int64_t messages = 0;
    xmpi_status_t status = XMPI_OK;
    memset(redistribution, 0, sizeof *redistribution);
    redistribution->move = calloc((size_t)registry->arrays + 1, sizeof *redistribution->move);
    if (redistribution->move == NULL)
        return XMPI_ERR_MEMORY;
    redistribution->moves = registry->arrays;
    for (int i = 0; i < registry->arrays && status == XMPI_OK; i++)
        status = prepare_array(&registry->array[i], change, me, &redistribution->move[i],
                               &messages);
    redistribution->request = calloc((size_t)messages + 1, sizeof *redistribution->request);
    return redistribution->request == NULL ? XMPI_ERR_MEMORY : status;
}

/* Posts the messages of a piece; both sides cut it alike. */
static void post(xmpi_redistribution_t *r, bool sending, char *at, int64_t bytes, int peer,
                 int tag, MPI_Comm comm)
{
    for (; bytes > 0; bytes -= chunk_bytes, at += chunk_bytes) {
        int size = (int)(bytes < chunk_bytes ? bytes : chunk_bytes);
        MPI_Request *request = &r->request[r->requests++];
        if (sending) {
            PMPI_Isend(at, size, MPI_BYTE, peer, tag, comm, request);
        } else {
            PMPI_Irecv(at, size, MPI_BYTE, peer, tag, comm, request);
            r->bytes += size;
            r->messages++;
        }
    }
}

/* Receives of one array, its sends, and what stays here. */
static void move_array(xmpi_redistribution_t *r, const xmpi_array_t *array,
                       const xmpi_change_t *change, int me, int tag, MPI_Comm comm)
{
    const xmpi_transfer_t *transfer = &r->move[tag].transfer;
    char *fresh = r->move[tag].fresh, *old = me < change->olds ? xmpi_array_pointer(array) : NULL;
    int64_t row = array->row_bytes, before = stored(array, change, me, false).displ;
    int64_t after = stored(array, change, me, true).displ;
    for (int i = 0; i < transfer->receives; i++) {
        const xmpi_piece_t *piece = &transfer->receive[i];
        post(r, false, fresh + (piece->first - after) * row, piece->rows * row, piece->peer, tag,
             comm);
    }
    for (int i = 0; i < transfer->sends; i++) {
        const xmpi_piece_t *piece = &transfer->send[i];
        post(r, true, old + (piece->first - before) * row, piece->rows * row, piece->peer, tag,
             comm);
    }
    if (fresh != NULL && transfer->keep.rows > 0)
        memcpy(fresh + (transfer->keep.first - after) * row,
               old + (transfer->keep.first - before) * row, (size_t)(transfer->keep.rows * row));
}

void xmpi_redistribute_move(const xmpi_registry_t *registry, const xmpi_change_t *change,
                            MPI_Comm transit, int me, xmpi_redistribution_t *redistribution)
{
    for (int i = 0; i < registry->arrays; i++)
        move_array(redistribution, &registry->array[i], change, me, i, transit);
    PMPI_Waitall(redistribution->requests, redistribution->request, MPI_STATUSES_IGNORE);
    redistribution->requests = 0;
}

static void release(xmpi_redistribution_t *redistribution)
{
    for (int i = 0; i < redistribution->moves; i++)
        xmpi_transfer_free(&redistribution->move[i].transfer);
    free(redistribution->move);
    free(redistribution->request);
    memset(redistribution, 0, sizeof *redistribution);
}

void xmpi_redistribute_commit(const xmpi_registry_t *registry, const xmpi_change_t *change, int me,
                              xmpi_redistribution_t *redistribution)
{
    bool leaves = change->new_rank[me] < 0;
    for (int i = 0; i < redistribution->moves; i++) {
        const xmpi_array_t *array = &registry->array[i];
        void *fresh = redistribution->move[i].fresh;
        if (fresh == NULL && !leaves)
            continue;
        free(xmpi_array_pointer(array));
        xmpi_array_set_pointer(array, fresh);
    }
    release(redistribution);
}

void xmpi_redistribute_cancel(xmpi_redistribution_t *redistribution)
{
    for (int i = 0; i < redistribution->moves; i++)
        free(redistribution->move[i].fresh);
    release(redistribution);
}
