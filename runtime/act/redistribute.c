/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution of the registered arrays from an old to a new layout: the messages. */
#include "act/redistribute.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "act/memory.h"
#include "misuse.h"

/* The largest message: counts of MPI calls are ints. */
static const int64_t chunk_bytes = (int64_t)1 << 30;
enum { ROUNDS_MAX = 4096 };

/* Strips of an extent that one message takes; 0: even one is too wide. */
static int64_t strips_at_once(const xmpi_extent_t *extent)
{
    return extent->width > chunk_bytes ? 0 : chunk_bytes / extent->width;
}

/* Messages that an extent becomes. */
static int64_t messages_of(const xmpi_extent_t *extent)
{
    int64_t at_once = strips_at_once(extent);
    if (at_once == 0)
        return extent->strips * ((extent->width + chunk_bytes - 1) / chunk_bytes);
    return (extent->strips + at_once - 1) / at_once;
}

/* Room for the messages of a stage, in one round or many. */
static xmpi_status_t make_room(xmpi_redistribution_t *r, xmpi_stage_t stage)
{
    int n = xmpi_local_messages(&r->local, stage, 0, 1);
    int64_t room = 1;
    for (int i = 0; i < n; i++)
        room += messages_of(&r->local.message[i].extent);
    if (room <= r->room)
        return XMPI_OK;
    free(r->request);
    free(r->strips);
    r->request = room > INT_MAX ? NULL : calloc((size_t)room, sizeof *r->request);
    r->strips = r->request == NULL ? NULL : calloc((size_t)room, sizeof *r->strips);
    r->room = r->strips == NULL ? 0 : room;
    if (r->room > 0)
        return XMPI_OK;
    return xmpi_error_set(&r->local.error, XMPI_ERR_MEMORY, "no memory for the transfer plan");
}

/* Sizes of sparse matrices are not known yet; their room follows in the move. */
static bool has_sparse(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].shape == XMPI_SHAPE_OFFSETS)
            return true;
    return false;
}

xmpi_status_t xmpi_redistribute_prepare(const xmpi_registry_t *registry,
                                        const xmpi_change_t *change, int me,
                                        xmpi_redistribution_t *redistribution)
{
    memset(redistribution, 0, sizeof *redistribution);
    xmpi_status_t status = xmpi_local_open(registry, change, me, &redistribution->local);
    if (status != XMPI_OK)
        return status;
    redistribution->entries = calloc((size_t)change->transit + 1, sizeof(int64_t));
    if (redistribution->entries == NULL)
        return xmpi_error_set(&redistribution->local.error, XMPI_ERR_MEMORY,
                              "no memory for the transfer plan");
    return make_room(redistribution, has_sparse(registry) ? XMPI_STAGE_LENGTHS : XMPI_STAGE_DATA);
}

/* --- posting ---------------------------------------------------------------------------------- */

static void post(xmpi_redistribution_t *r, const xmpi_message_t *message, char *at, int count,
                 MPI_Datatype datatype, int64_t bytes, MPI_Comm comm)
{
    MPI_Request *request = &r->request[r->requests++];
    if (message->sending) {
        PMPI_Isend(at, count, datatype, message->peer, message->array, comm, request);
        return;
    }
    PMPI_Irecv(at, count, datatype, message->peer, message->array, comm, request);
    r->bytes += bytes;
    r->messages++;
}

static void post_strip(xmpi_redistribution_t *r, const xmpi_message_t *message, char *at,
                       int64_t bytes, MPI_Comm comm)
{
    for (; bytes > 0; bytes -= chunk_bytes, at += chunk_bytes) {
        int size = (int)(bytes < chunk_bytes ? bytes : chunk_bytes);
        post(r, message, at, size, MPI_BYTE, size, comm);
    }
}

/* STRIPS strips as one message. */
static void post_strips(xmpi_redistribution_t *r, const xmpi_message_t *message, char *at,
                        int64_t strips, MPI_Comm comm)
{
    const xmpi_extent_t *extent = &message->extent;
    MPI_Datatype *datatype = &r->strips[r->datatypes++];
    PMPI_Type_create_hvector((int)strips, (int)extent->width, extent->stride, MPI_BYTE, datatype);
    PMPI_Type_commit(datatype);
    post(r, message, at, 1, *datatype, strips * extent->width, comm);
}

/* Both sides cut an extent alike, as they see the same width and strips. */
static void post_message(xmpi_redistribution_t *r, const xmpi_message_t *message, MPI_Comm comm)
{
    const xmpi_extent_t *extent = &message->extent;
    int64_t at_once = strips_at_once(extent);
    char *at = message->base + extent->offset;
    for (int64_t i = 0; i < extent->strips;) {
        int64_t left = extent->strips - i, strips = left < at_once ? left : at_once;
        if (strips > 1)
            post_strips(r, message, at + i * extent->stride, strips, comm);
        else
            post_strip(r, message, at + i * extent->stride, extent->width, comm);
        i += strips > 1 ? strips : 1;
    }
}

static void wait_all(xmpi_redistribution_t *r)
{
    PMPI_Waitall(r->requests, r->request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < r->datatypes; i++)
        PMPI_Type_free(&r->strips[i]);
    r->requests = 0;
    r->datatypes = 0;
}

static void exchange(xmpi_redistribution_t *r, xmpi_stage_t stage, int part, int parts,
                     MPI_Comm comm)
{
    int n = xmpi_local_messages(&r->local, stage, part, parts);
    for (int i = 0; i < n; i++)
        post_message(r, &r->local.message[i], comm);
    xmpi_local_keep(&r->local, stage, part, parts);
    wait_all(r);
}

/* --- the move --------------------------------------------------------------------------------- */

/* Global row pointers begin behind the elements of all blocks in front. */
static void shift_offsets(xmpi_redistribution_t *r, const xmpi_registry_t *registry, MPI_Comm comm)
{
    for (int i = 0; i < registry->arrays; i++) {
        if (!xmpi_local_needs_shift(&registry->array[i]))
            continue;
        int64_t own = xmpi_local_own_entries(&r->local, i);
        PMPI_Allgather(&own, 1, MPI_INT64_T, r->entries, 1, MPI_INT64_T, comm);
        xmpi_local_shift(&r->local, i, r->entries);
    }
}

/* Rounds that keep this process in its limit. */
static int rounds_of(const xmpi_redistribution_t *r, const xmpi_registry_t *registry)
{
    int64_t fresh = xmpi_local_fresh_bytes(&r->local);
    int64_t limit = registry->memory_limit > 0 ? registry->memory_limit
                                               : xmpi_memory_limit(r->local.change->transit);
    int64_t rounds = fresh / limit + (fresh % limit > 0);
    return rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : (int)rounds;
}

/* Everybody's rounds are those of the member that needs most; 0 when somebody failed. */
static int agree_on_rounds(const xmpi_redistribution_t *r, const xmpi_registry_t *registry,
                           xmpi_status_t status, MPI_Comm comm)
{
    int mine[2] = {status != XMPI_OK, rounds_of(r, registry)}, all[2];
    PMPI_Allreduce(mine, all, 2, MPI_INT, MPI_MAX, comm);
    return all[0] ? 0 : all[1];
}

xmpi_status_t xmpi_redistribute_move(const xmpi_registry_t *registry, const xmpi_change_t *change,
                                     MPI_Comm transit, int me,
                                     xmpi_redistribution_t *redistribution)
{
    xmpi_status_t status = XMPI_OK;
    xmpi_local_t *local = &redistribution->local;
    (void)change, (void)me;
    if (has_sparse(registry)) {
        exchange(redistribution, XMPI_STAGE_LENGTHS, 0, 1, transit);
        status = xmpi_local_lengths_done(local);
        if (status == XMPI_OK)
            status = make_room(redistribution, XMPI_STAGE_DATA);
    }
    int rounds = agree_on_rounds(redistribution, registry, status, transit);
    redistribution->failed = rounds == 0;
    if (rounds == 0)
        return status != XMPI_OK ? status : XMPI_ERR_MEMORY;
    shift_offsets(redistribution, registry, transit);
    xmpi_local_settle(local);
    for (int round = 0; round < rounds; round++) {
        exchange(redistribution, XMPI_STAGE_DATA, round, rounds, transit);
        if (rounds > 1)
            xmpi_local_release(local, round, rounds);
    }
    return XMPI_OK;
}

static void close_messages(xmpi_redistribution_t *redistribution)
{
    free(redistribution->request);
    free(redistribution->strips);
    free(redistribution->entries);
    redistribution->request = NULL;
    redistribution->strips = NULL;
    redistribution->entries = NULL;
    redistribution->room = 0;
}

void xmpi_redistribute_commit(const xmpi_registry_t *registry, const xmpi_change_t *change, int me,
                              xmpi_redistribution_t *redistribution)
{
    (void)registry, (void)change, (void)me;
    if (redistribution->failed)
        xmpi_misuse("a sparse matrix could not be moved: %s", redistribution->local.error.text);
    xmpi_local_commit(&redistribution->local);
    close_messages(redistribution);
}

void xmpi_redistribute_cancel(xmpi_redistribution_t *redistribution)
{
    xmpi_local_cancel(&redistribution->local);
    close_messages(redistribution);
}
