/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution of the registered arrays from an old to a new layout: the messages. */
#define _GNU_SOURCE
#include "act/moving/redistribute.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "act/machine/memory.h"
#include "act/moving/redistribute_pages.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "base/process/nice.h"

enum { ROUNDS_MAX = 4096 };

/* MPI_User_function: of each of the XMPI_AGREED numbers the greatest. */
static void greatest(void *in, void *inout, int *n, MPI_Datatype *datatype)
{
    const uint64_t *one = in;
    uint64_t *other = inout;
    (void)datatype;
    for (int i = 0; i < XMPI_AGREED * *n; i++)
        other[i] = one[i] > other[i] ? one[i] : other[i];
}

/* In one element: MPICH passes several on in parts, even small ones, where there are no more
 * members than elements, with twice as many messages one after another. Made once, as a member that
 * has no memory takes part as well. */
static MPI_Datatype numbers_type = MPI_DATATYPE_NULL;
static MPI_Op numbers_greatest;

void xmpi_redistribute_ready(void)
{
    if (numbers_type != MPI_DATATYPE_NULL)
        return;
    PMPI_Type_contiguous(XMPI_AGREED, MPI_UINT64_T, &numbers_type);
    PMPI_Type_commit(&numbers_type);
    PMPI_Op_create(greatest, 1, &numbers_greatest);
}

static void reduce_all(uint64_t all[XMPI_AGREED], MPI_Comm comm)
{
    xmpi_node_t *node = xmpi_node_of(comm);
    int n, elements = 1;
    if (node != NULL) {
        PMPI_Comm_size(comm, &n);
        xmpi_node_meet(node, all, XMPI_AGREED * sizeof *all);
        for (int i = 0; i < n; i++)
            greatest((void *)(uintptr_t)xmpi_node_told(node, i), all, &elements, NULL);
        return;
    }
    xmpi_redistribute_ready();
    PMPI_Allreduce(MPI_IN_PLACE, all, 1, numbers_type, numbers_greatest, comm);
}

/* Room for the messages of a stage, in one round or many. */
static xmpi_status_t make_room(xmpi_redistribution_t *r, xmpi_stage_t stage)
{
    int n = xmpi_local_messages(&r->local, stage, 0, 1);
    xmpi_status_t status = xmpi_exchange_room(&r->exchange, r->local.message, n);
    return status == XMPI_OK
               ? status
               : xmpi_error_set(&r->local.error, status, "no memory for the transfer plan");
}

static xmpi_status_t prepare(const xmpi_registry_t *registry, const xmpi_change_t *change, int me,
                             xmpi_arrays_t arrays, xmpi_redistribution_t *redistribution)
{
    xmpi_status_t status = xmpi_local_open(registry, change, me, arrays, &redistribution->local);
    if (status != XMPI_OK)
        return status;
    xmpi_exchange_open(registry->strategy, change->transit, &redistribution->exchange);
    redistribution->entries = calloc((size_t)change->transit + 1, sizeof(int64_t));
    if (redistribution->entries == NULL)
        return xmpi_error_set(&redistribution->local.error, XMPI_ERR_MEMORY,
                              "no memory for the transfer plan");
    /* Sizes of sparse matrices are not known yet; their room follows in the move. */
    bool sparse = xmpi_local_has_sparse(&redistribution->local);
    return make_room(redistribution, sparse ? XMPI_STAGE_LENGTHS : XMPI_STAGE_DATA);
}

xmpi_status_t xmpi_redistribute_prepare(const xmpi_registry_t *registry,
                                        const xmpi_change_t *change, int me, xmpi_arrays_t arrays,
                                        xmpi_redistribution_t *redistribution)
{
    memset(redistribution, 0, sizeof *redistribution);
    xmpi_redistribute_ready();
    redistribution->prepared = prepare(registry, change, me, arrays, redistribution);
    return redistribution->prepared;
}

static void exchange(xmpi_redistribution_t *r, xmpi_stage_t stage, int part, int parts,
                     MPI_Comm comm)
{
    int n = xmpi_local_messages(&r->local, stage, part, parts);
    xmpi_exchange_begin(&r->exchange, r->local.message, n, comm);
    bool first = r->exchange.strategy == &xmpi_strategy_node; /* who is read waits for that alone */
    if (first)
        xmpi_exchange_take(&r->exchange);
    xmpi_local_keep(&r->local, stage, part, parts, XMPI_KEEP_ALL);
    if (!first)
        xmpi_exchange_take(&r->exchange);
    xmpi_exchange_end(&r->exchange);
}

/* --- the move --------------------------------------------------------------------------------- */

/* Global row pointers begin behind the elements of all blocks in front. */
static void shift_offsets(xmpi_redistribution_t *r, const xmpi_registry_t *registry, MPI_Comm comm)
{
    for (int i = 0; i < registry->arrays; i++) {
        if (!xmpi_local_needs_shift(&r->local, i))
            continue;
        int64_t own = xmpi_local_own_entries(&r->local, i);
        PMPI_Allgather(&own, 1, MPI_INT64_T, r->entries, 1, MPI_INT64_T, comm);
        xmpi_local_shift(&r->local, i, r->entries);
    }
}

/* What a process says of its pieces in an agreement: the greatest holds for all. */
enum { TOLD, UNTOLD, CANNOT_READ };

/* This process could not read what was told to it, and does not try again. */
static bool cannot_read;

/* Where others find what they read, at once with the agreement: where nothing will lie elsewhere
 * behind it, and there is one round. Whether that is so. */
static bool tell_ahead(xmpi_redistribution_t *r, uint64_t rounds)
{
    if (rounds != 1 || xmpi_local_grows(&r->local))
        return false;
    int n = xmpi_local_messages(&r->local, XMPI_STAGE_DATA, 0, 1);
    return xmpi_exchange_tell_ahead(&r->exchange, r->local.message, n);
}

/* Rounds that keep this process in its limit, or let it reuse its pages. */
static int rounds_of(const xmpi_redistribution_t *r, const xmpi_registry_t *registry)
{
    int64_t fresh = xmpi_local_fresh_bytes(&r->local);
    int64_t limit = xmpi_memory_limit(fresh, registry->memory_limit, r->local.change->transit);
    int64_t rounds = fresh / limit + (fresh % limit > 0);
    int64_t reusing = xmpi_transfer_rounds(xmpi_local_reusable_bytes(&r->local));
    rounds = rounds > reusing ? rounds : reusing;
    return rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : (int)rounds;
}

/* The first time as the caller wants it. */
static bool agree(xmpi_redistribution_t *r, uint64_t all[XMPI_AGREED], MPI_Comm comm)
{
    const xmpi_consent_t *consent = r->consent;
    r->consent = NULL;
    if (consent != NULL)
        return consent->all(consent->context, comm, all);
    reduce_all(all, comm);
    return true;
}

/* Everybody's rounds are those of the member that needs most; 0 when somebody failed, or digests
 * differ: the greatest is the least when all are equal. */
static int agree_on_rounds(xmpi_redistribution_t *r, const xmpi_registry_t *registry,
                           xmpi_status_t status, MPI_Comm comm)
{
    uint64_t all[XMPI_AGREED] = {status != XMPI_OK,
                                 status == XMPI_OK ? (uint64_t)rounds_of(r, registry) : 1,
                                 r->digest, r->digest != 0 ? ~r->digest : 0, 0};
    all[4] = cannot_read ? CANNOT_READ : status == XMPI_OK && tell_ahead(r, all[1]) ? TOLD : UNTOLD;
    if (!agree(r, all, comm))
        return 0;
    if (all[4] == TOLD)
        xmpi_exchange_by_node(&r->exchange);
    else if (all[4] == CANNOT_READ)
        xmpi_exchange_share_not(&r->exchange);
    bool nobody = all[2] == 0 && all[3] == 0;
    r->unequal = !nobody && all[2] != ~all[3];
    return all[0] != 0 || r->unequal ? 0 : (int)all[1];
}

static bool has_sparse(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].shape == XMPI_SHAPE_OFFSETS)
            return true;
    return false;
}

/* Moves the lengths of sparse rows, after which everything has its size; whether all could begin
 * to. What this process could not do behind that is STATUS. */
static bool get_lengths(xmpi_redistribution_t *r, MPI_Comm comm, xmpi_status_t *status)
{
    uint64_t all[XMPI_AGREED] = {r->prepared != XMPI_OK};
    *status = r->prepared;
    if (!agree(r, all, comm) || all[0] != 0)
        return false;
    if (!xmpi_local_has_sparse(&r->local))
        return true;
    exchange(r, XMPI_STAGE_LENGTHS, 0, 1, comm);
    *status = xmpi_local_lengths_done(&r->local);
    if (*status == XMPI_OK)
        *status = make_room(r, XMPI_STAGE_DATA);
    return true;
}

static void count(xmpi_redistribution_t *r)
{
    cannot_read = cannot_read || r->exchange.unread;
    r->bytes = r->exchange.received_bytes;
    r->messages = r->exchange.received_messages;
}

xmpi_status_t xmpi_redistribute_move(const xmpi_registry_t *registry, const xmpi_change_t *change,
                                     MPI_Comm transit, int me,
                                     xmpi_redistribution_t *redistribution)
{
    xmpi_local_t *local = &redistribution->local;
    (void)me;
    xmpi_status_t status = redistribution->prepared;
    if (change->joiners == 0 && change->leavers == 0) /* else TRANSIT is hardly used again */
        xmpi_exchange_meet_again(transit);
    xmpi_exchange_share(&redistribution->exchange, transit);
    bool goes_on = !has_sparse(registry) || get_lengths(redistribution, transit, &status);
    int rounds = goes_on ? agree_on_rounds(redistribution, registry, status, transit) : 0;
    redistribution->failed = rounds == 0;
    if (rounds == 0)
        return status != XMPI_OK ? status : XMPI_ERR_MEMORY;
    shift_offsets(redistribution, registry, transit);
    xmpi_local_settle(local);
    xmpi_pages_pool_t pool = {0};
    for (int round = 0; round < rounds; round++) {
        xmpi_local_reuse(local, round, rounds, &pool);
        xmpi_pages_drop(&pool);
        exchange(redistribution, XMPI_STAGE_DATA, round, rounds, transit);
        if (rounds > 1)
            xmpi_local_release(local, round, rounds, &pool);
    }
    count(redistribution);
    return XMPI_OK;
}

void xmpi_redistribute_abstain(const xmpi_registry_t *registry, MPI_Comm transit,
                               const xmpi_consent_t *consent)
{
    xmpi_redistribution_t none = {.prepared = XMPI_ERR_MEMORY, .consent = consent};
    xmpi_status_t ignored;
    xmpi_exchange_meet_again(transit);
    if (has_sparse(registry))
        get_lengths(&none, transit, &ignored);
    else
        agree_on_rounds(&none, registry, none.prepared, transit);
}

/* --- in the background ------------------------------------------------------------------------ */

static void copy(xmpi_redistribution_t *r)
{
    xmpi_local_keep(&r->local, XMPI_STAGE_DATA, 0, 1, XMPI_KEEP_COPIES);
    xmpi_exchange_copy(&r->exchange);
    atomic_store(&r->copied, true);
}

/* Iterations come first: the thread takes what they leave. */
static void *copy_in_thread(void *argument)
{
    xmpi_redistribution_t *r = argument;
    xmpi_be_nice();
    copy(r);
    return NULL;
}
/* Signals are for the program's own threads. Without a thread it is done at once. */
static void start_thread(xmpi_redistribution_t *r)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    r->threaded = pthread_create(&r->thread, NULL, copy_in_thread, r) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!r->threaded)
        copy(r);
}

xmpi_status_t xmpi_redistribute_start(const xmpi_registry_t *registry, MPI_Comm transit,
                                      xmpi_redistribution_t *redistribution)
{
    xmpi_redistribution_t *r = redistribution;
    xmpi_status_t status;
    int rounds =
        get_lengths(r, transit, &status) ? agree_on_rounds(r, registry, status, transit) : 0;
    r->failed = rounds != 1;
    if (r->failed)
        return status != XMPI_OK ? status : XMPI_ERR_MEMORY;
    shift_offsets(r, registry, transit);
    int n = xmpi_local_messages(&r->local, XMPI_STAGE_DATA, 0, 1);
    xmpi_exchange_begin(&r->exchange, r->local.message, n, transit);
    xmpi_exchange_ready(&r->exchange);
    start_thread(r);
    return XMPI_OK;
}

static void reply(xmpi_redistribution_t *r)
{
    if (r->threaded)
        pthread_join(r->thread, NULL);
    xmpi_exchange_reply(&r->exchange);
    r->replied = true;
}

bool xmpi_redistribute_test(xmpi_redistribution_t *redistribution)
{
    xmpi_redistribution_t *r = redistribution;
    if (!r->replied && atomic_load(&r->copied))
        reply(r);
    else if (!r->replied)
        xmpi_exchange_drive(&r->exchange);
    if (!r->arrived && r->replied)
        r->arrived = xmpi_exchange_test(&r->exchange);
    return r->arrived;
}

void xmpi_redistribute_wait(xmpi_redistribution_t *redistribution)
{
    xmpi_redistribution_t *r = redistribution;
    if (!r->replied)
        reply(r);
    if (!r->arrived)
        xmpi_exchange_end(&r->exchange);
    r->arrived = true;
}

void xmpi_redistribute_settle(xmpi_redistribution_t *redistribution)
{
    xmpi_local_keep(&redistribution->local, XMPI_STAGE_DATA, 0, 1, XMPI_KEEP_PAGES);
    count(redistribution);
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
