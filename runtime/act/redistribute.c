/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution of the registered arrays from an old to a new layout: the messages. */
#include "act/redistribute.h"

#include <stdlib.h>
#include <string.h>

#include "act/memory.h"
#include "misuse.h"

enum { ROUNDS_MAX = 4096 };

/* Room for the messages of a stage, in one round or many. */
static xmpi_status_t make_room(xmpi_redistribution_t *r, xmpi_stage_t stage)
{
    int n = xmpi_local_messages(&r->local, stage, 0, 1);
    xmpi_status_t status = xmpi_exchange_room(&r->exchange, r->local.message, n);
    return status == XMPI_OK
               ? status
               : xmpi_error_set(&r->local.error, status, "no memory for the transfer plan");
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
    xmpi_exchange_open(registry->strategy, change->transit, &redistribution->exchange);
    redistribution->entries = calloc((size_t)change->transit + 1, sizeof(int64_t));
    if (redistribution->entries == NULL)
        return xmpi_error_set(&redistribution->local.error, XMPI_ERR_MEMORY,
                              "no memory for the transfer plan");
    return make_room(redistribution, has_sparse(registry) ? XMPI_STAGE_LENGTHS : XMPI_STAGE_DATA);
}

static void exchange(xmpi_redistribution_t *r, xmpi_stage_t stage, int part, int parts,
                     MPI_Comm comm)
{
    int n = xmpi_local_messages(&r->local, stage, part, parts);
    xmpi_exchange_begin(&r->exchange, r->local.message, n, comm);
    xmpi_local_keep(&r->local, stage, part, parts);
    xmpi_exchange_end(&r->exchange);
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
    redistribution->bytes = redistribution->exchange.received_bytes;
    redistribution->messages = redistribution->exchange.received_messages;
    return XMPI_OK;
}

static void close_messages(xmpi_redistribution_t *redistribution)
{
    xmpi_exchange_close(&redistribution->exchange);
    free(redistribution->entries);
    redistribution->entries = NULL;
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
