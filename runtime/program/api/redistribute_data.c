/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution by hand: XMPI_Redistribute_data of xmpi.h. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "act/moving/redistribute.h"
#include "base/collective.h"
#include "program/context.h"
#include "base/export.h"
#include "base/floating.h"
#include "base/misuse.h"
#include "xmpi.h"

static const char call[] = "XMPI_Redistribute_data";

/* What a member tells the others. Plain data. */
typedef struct {
    xmpi_block_t before, after;
    int64_t domain;  /* -1: nothing with a domain is registered */
    uint64_t shapes; /* what is registered; the same everywhere */
} wish_t;

/* --- what is wished --------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, int64_t value)
{
    return (hash ^ (uint64_t)value) * 1099511628211u;
}

/* Leading dimensions are each member's own. */
static uint64_t shapes_of(const xmpi_registry_t *registry)
{
    uint64_t hash = mix(14695981039346656037u, registry->arrays);
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        const int64_t part[] = {array->scheme,    array->shape,  array->rows,
                                array->row_bytes, array->halo,   array->lines,
                                array->origin,    array->global, array->offsets};
        for (size_t k = 0; k < sizeof part / sizeof *part; k++)
            hash = mix(hash, part[k]);
    }
    return hash;
}

static int64_t domain_of(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].scheme != XMPI_GEN_REPLICATED)
            return registry->array[i].rows;
    return -1;
}

static int read_settings(xmpi_context_t *context, xmpi_error_t *error)
{
    xmpi_settings_t own;
    const xmpi_settings_t *settings = &context->shared.settings;
    if (context->state == XMPI_STATE_PLAIN) {
        if (xmpi_settings_read(environ, &own, error) != XMPI_OK)
            return 1;
        settings = &own;
    }
    context->registry.memory_limit = settings->memory_limit << 20;
    context->registry.strategy = settings->move;
    return 0;
}

static int compare_displ(const void *a, const void *b)
{
    const xmpi_block_t *left = a, *right = b;
    return left->displ != right->displ
               ? (left->displ > right->displ ? 1 : -1)
               : (left->count > right->count) - (left->count < right->count);
}

/* Blocks in any order; BLOCKS is sorted. */
static bool covers(xmpi_block_t *blocks, int n, int64_t domain)
{
    int64_t next = 0;
    qsort(blocks, (size_t)n, sizeof *blocks, compare_displ);
    for (int i = 0; i < n; i++) {
        if (blocks[i].count < 0 || blocks[i].displ < 0)
            return false;
        if (blocks[i].count == 0)
            continue;
        if (blocks[i].displ != next || blocks[i].count > domain - next)
            return false;
        next += blocks[i].count;
    }
    return next == domain;
}

/* --- refusing --------------------------------------------------------------------------------- */

/* The first member that has failed says why, and all return its code. */
static int agree(MPI_Comm comm, int rank, int code, const char *text)
{
    struct {
        int good, rank;
    } mine = {code == MPI_SUCCESS, rank}, first;
    PMPI_Allreduce(&mine, &first, 1, MPI_2INT, MPI_MINLOC, comm);
    if (first.good)
        return MPI_SUCCESS;
    PMPI_Bcast(&code, 1, MPI_INT, first.rank, comm);
    if (first.rank == rank)
        fprintf(stderr, "xmpi: rank %d: %s: %s\n", rank, call, text);
    return code;
}

static int code_of(xmpi_status_t status)
{
    return status == XMPI_OK           ? MPI_SUCCESS
           : status == XMPI_ERR_MEMORY ? MPI_ERR_NO_MEM
                                       : MPI_ERR_BUFFER;
}

/* The same answer on all members, as they look at the same wishes. */
static int check_wishes(const wish_t *wish, int n, xmpi_block_t *blocks, xmpi_error_t *error)
{
    if (wish[0].domain < 0) {
        xmpi_error_set(error, XMPI_ERR_INPUT, "nothing with a domain is registered");
        return MPI_ERR_BUFFER;
    }
    for (int i = 1; i < n; i++)
        if (wish[i].shapes != wish[0].shapes) {
            xmpi_error_set(error, XMPI_ERR_INPUT,
                           "rank %d has registered other structures than rank 0", i);
            return MPI_ERR_BUFFER;
        }
    for (int after = 0; after < 2; after++) {
        for (int i = 0; i < n; i++)
            blocks[i] = after ? wish[i].after : wish[i].before;
        if (!covers(blocks, n, wish[0].domain)) {
            xmpi_error_set(error, XMPI_ERR_INPUT,
                           "the %s blocks of all members do not cover the %" PRId64
                           " rows, each of them once",
                           after ? "new" : "current", wish[0].domain);
            return MPI_ERR_COUNT;
        }
    }
    return MPI_SUCCESS;
}

/* --- moving ----------------------------------------------------------------------------------- */

static int move(xmpi_registry_t *registry, const xmpi_change_t *change, int rank, MPI_Comm comm)
{
    xmpi_redistribution_t r;
    int code = MPI_SUCCESS;
    xmpi_status_t prepared = xmpi_redistribute_prepare(registry, change, rank, XMPI_ARRAYS_ALL, &r);
    xmpi_status_t moved = xmpi_redistribute_move(registry, change, comm, rank, &r);
    if (moved != XMPI_OK) {
        /* One that has not failed itself has nothing to say. */
        xmpi_status_t mine = prepared != XMPI_OK ? prepared : moved;
        bool failed = r.local.error.text[0] != '\0';
        code = agree(comm, rank, failed ? code_of(mine) : MPI_SUCCESS, r.local.error.text);
        code = code != MPI_SUCCESS ? code : MPI_ERR_OTHER;
    }
    if (code == MPI_SUCCESS)
        xmpi_redistribute_commit(registry, change, rank, &r);
    else
        xmpi_redistribute_cancel(&r);
    return code;
}

/* The members stay; only their blocks change. */
static int move_to(xmpi_context_t *context, const wish_t *wish, int n, int rank, MPI_Comm comm)
{
    int *ranks = calloc((size_t)n, sizeof *ranks);
    xmpi_block_t *blocks = calloc(2 * (size_t)n, sizeof *blocks);
    xmpi_error_t error = {"no memory for a list of members"};
    int code =
        ranks == NULL || blocks == NULL ? MPI_ERR_NO_MEM : check_wishes(wish, n, blocks, &error);
    code = agree(comm, rank, code, error.text);
    if (code == MPI_SUCCESS) {
        for (int i = 0; i < n; i++) {
            ranks[i] = i;
            blocks[i] = wish[i].before;
            blocks[n + i] = wish[i].after;
        }
        xmpi_change_t change = {.olds = n,
                                .transit = n,
                                .process = ranks,
                                .new_rank = ranks,
                                .old_block = blocks,
                                .new_block = blocks + n};
        code = move(&context->registry, &change, rank, comm);
    }
    free(ranks);
    free(blocks);
    return code;
}

/* The layout follows, for XMPI_Get_wsize and for members that leave. One whose blocks are not in
 * the order of the ranks it cannot hold: then the blocks are not known any more. */
static void follow(xmpi_layout_t *layout, const wish_t *wish, int n)
{
    int64_t next = 0;
    bool in_order = true;
    if (layout->members != n)
        return;
    for (int i = 0; i < n; i++) {
        int64_t count = wish[i].after.count;
        in_order = in_order && (count == 0 || wish[i].after.displ == next);
        layout->member[i].block = (xmpi_block_t){.count = count, .displ = next};
        next += count;
    }
    for (int i = 0; i < n && !in_order; i++)
        layout->member[i].block = (xmpi_block_t){0, 0};
    layout->domain = in_order ? wish[0].domain : 0;
}

static int redistribute(xmpi_context_t *context, const wish_t *mine, int code, const char *text,
                        MPI_Comm comm)
{
    int rank, n;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &n);
    wish_t *wish = calloc((size_t)n, sizeof *wish);
    if (wish == NULL && code == MPI_SUCCESS) {
        code = MPI_ERR_NO_MEM;
        text = "no memory for a list of members";
    }
    code = agree(comm, rank, code, text);
    if (code == MPI_SUCCESS) {
        PMPI_Allgather(mine, sizeof *mine, MPI_BYTE, wish, sizeof *wish, MPI_BYTE, comm);
        code = move_to(context, wish, n, rank, comm);
    }
    if (code == MPI_SUCCESS)
        follow(&context->shared.layout, wish, n);
    free(wish);
    return code;
}

/* A communicator of its own: messages of the program may be under way in the world. */
XMPI_EXPORT int XMPI_Redistribute_data(int64_t scount, int64_t sdispl, int64_t rcount,
                                       int64_t rdispl)
{
    XMPI_OWN_FLOATING;
    xmpi_context_t *context = &xmpi_context;
    xmpi_error_t error = {""};
    MPI_Comm comm;
    wish_t mine = {.before = {.count = scount, .displ = sdispl},
                   .after = {.count = rcount, .displ = rdispl},
                   .domain = domain_of(&context->registry),
                   .shapes = shapes_of(&context->registry)};
    int code = read_settings(context, &error) ? MPI_ERR_OTHER : MPI_SUCCESS;
    if (context->loop != NULL) {
        code = MPI_ERR_OTHER;
        xmpi_error_set(&error, XMPI_ERR_INPUT,
                       "called inside the adaptive loop, which moves the data itself");
    }
    PMPI_Comm_dup(xmpi_world_of(MPI_COMM_WORLD, call), &comm);
    code = redistribute(context, &mine, code, error.text, comm);
    PMPI_Comm_free(&comm);
    return code;
}
