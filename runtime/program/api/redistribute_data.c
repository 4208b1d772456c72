/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution by hand: XMPI_Redistribute_data of xmpi.h. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "act/execute.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/digest.h"
#include "base/export.h"
#include "base/floating.h"
#include "program/context.h"
#include "program/members/members.h"
#include "xmpi.h"

static const char call[] = "XMPI_Redistribute_data";

/* What a member tells the others. Plain data. */
typedef struct {
    xmpi_block_t before, after;
    int64_t domain;  /* -1: nothing with a domain is registered */
    uint64_t shapes; /* what is registered; the same everywhere */
    int code;        /* MPI_SUCCESS, or why this member does not take part */
} wish_t;

typedef struct {
    int n;
    wish_t *wish;
    xmpi_block_t *blocks;
} lists_t;

/* --- what is wished --------------------------------------------------------------------------- */

/* Leading dimensions are each member's own. */
static uint64_t shapes_of(const xmpi_registry_t *registry)
{
    uint64_t digest = (uint64_t)registry->arrays;
    for (int i = 0; i < registry->arrays; i++) {
        const xmpi_array_t *array = &registry->array[i];
        const int64_t part[] = {array->scheme,    array->shape,  array->rows,
                                array->row_bytes, array->halo,   array->lines,
                                array->origin,    array->global, array->offsets};
        digest = xmpi_digest_bytes(part, sizeof part, digest);
    }
    return digest;
}

static int64_t domain_of(const xmpi_registry_t *registry)
{
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].scheme != XMPI_GEN_REPLICATED)
            return registry->array[i].rows;
    return -1;
}

/* --- refusing --------------------------------------------------------------------------------- */

static void say(int rank, const char *text)
{
    fprintf(stderr, "xmpi: rank %d: %s: %s\n", rank, call, text);
}

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
        say(rank, text);
    return code;
}

static int code_of(xmpi_status_t status)
{
    return status == XMPI_OK           ? MPI_SUCCESS
           : status == XMPI_ERR_MEMORY ? MPI_ERR_NO_MEM
                                       : MPI_ERR_BUFFER;
}

static void say_which(const char *which, int64_t domain, xmpi_error_t *error)
{
    xmpi_error_set(error, XMPI_ERR_INPUT,
                   "the %s blocks of all members do not cover the %" PRId64
                   " rows, each of them once",
                   which, domain);
}

/* The same answer on all members, as they look at the same wishes. */
static int check_registered(const wish_t *wish, int n, xmpi_error_t *error)
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
    return MPI_SUCCESS;
}

/* The same answer on all members that have memory. */
static int check_current(const wish_t *wish, int n, xmpi_block_t *blocks, xmpi_error_t *error)
{
    for (int i = 0; i < n; i++)
        blocks[i] = wish[i].before;
    xmpi_status_t status = xmpi_blocks_cover(wish[0].domain, n, blocks, error);
    if (status == XMPI_ERR_INPUT)
        say_which("current", wish[0].domain, error);
    return status == XMPI_OK          ? MPI_SUCCESS
           : status == XMPI_ERR_INPUT ? MPI_ERR_COUNT
                                      : MPI_ERR_NO_MEM;
}

/* --- moving ----------------------------------------------------------------------------------- */

/* Where the runtime does not adapt (XMPI_POLICY=off) there is no layout, and nobody knows who the
 * processes are: what the executor needs of all that, for one call. */
static xmpi_status_t make_plain(int n, xmpi_shared_t *shared, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_settings_read(environ, &shared->settings, error);
    shared->process = calloc((size_t)n, sizeof *shared->process);
    shared->resources = (xmpi_resources_t){.pes = n, .max_members = n, .anchor = -1};
    shared->resources.pe = calloc((size_t)n, sizeof *shared->resources.pe);
    if (status == XMPI_OK && (shared->process == NULL || shared->resources.pe == NULL ||
                              xmpi_layout_alloc(&shared->layout, 0, n) != XMPI_OK))
        status = xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a list of members");
    for (int i = 0; i < n && status == XMPI_OK; i++) {
        shared->process[i] = (xmpi_process_t){.used = true, .initial_rank = i, .pe = i};
        shared->resources.pe[i].process = i;
        shared->layout.member[i].process = i;
    }
    shared->processes = n;
    return status;
}

static void free_plain(xmpi_shared_t *shared)
{
    free(shared->process);
    free(shared->resources.pe);
    xmpi_layout_free(&shared->layout);
}

static xmpi_outcome_t change_plain(xmpi_context_t *context, xmpi_shared_t *shared,
                                   xmpi_layout_t *next, MPI_Comm comm)
{
    xmpi_copy_t no_copy = {0};
    MPI_Comm nobody = MPI_COMM_NULL;
    xmpi_world_t world = {.comm = comm, .moves = comm};
    xmpi_parts_t parts = {.shared = shared,
                          .world = &world,
                          .registry = &context->registry,
                          .outside = true,
                          .copy = &no_copy,
                          .together = &nobody};
    PMPI_Comm_rank(comm, &parts.process);
    parts.registry->strategy = shared->settings.move;
    parts.registry->memory_limit = shared->settings.memory_limit << 20;
    return xmpi_execute(&parts, next, NULL, -1, &context->execution);
}

/* What the program says of its blocks is the layout: only it knows who has which rows. */
static void tell_layout(xmpi_layout_t *layout, const wish_t *wish)
{
    layout->domain = wish[0].domain;
    for (int i = 0; i < layout->members; i++)
        layout->member[i].block = wish[i].before;
}

static int lay_out(xmpi_shared_t *shared, const wish_t *wish, xmpi_block_t *blocks,
                   xmpi_layout_t *next, xmpi_error_t *error)
{
    for (int i = 0; i < shared->layout.members; i++)
        blocks[i] = wish[i].after;
    xmpi_status_t status = xmpi_members_lay_out_blocks(shared, blocks, next, error);
    if (status == XMPI_ERR_INTERNAL)
        say_which("new", wish[0].domain, error);
    return status == XMPI_OK             ? MPI_SUCCESS
           : status == XMPI_ERR_INTERNAL ? MPI_ERR_COUNT
                                         : MPI_ERR_NO_MEM;
}

/* Why the change was called off: one that has not failed itself has nothing to say. */
static int explain(const xmpi_context_t *context, int rank, MPI_Comm comm)
{
    const xmpi_execution_t *e = &context->execution;
    int code = agree(comm, rank, code_of(e->failed), e->error.text);
    return code != MPI_SUCCESS ? code : MPI_ERR_OTHER;
}

/* All members stay; only their blocks change: the plan, and the change. Who has no plan takes part
 * in what the others agree on before anything moves, so that it need not be agreed on before. */
static int move_to(xmpi_context_t *context, xmpi_shared_t *shared, const wish_t *wish,
                   xmpi_block_t *blocks, int rank, MPI_Comm comm)
{
    xmpi_error_t error = {""};
    xmpi_layout_t next = {0};
    xmpi_outcome_t outcome = XMPI_CALLED_OFF;
    int code = check_current(wish, shared->layout.members, blocks, &error);
    if (code == MPI_SUCCESS) {
        tell_layout(&shared->layout, wish);
        code = lay_out(shared, wish, blocks, &next, &error);
    }
    if (code != MPI_SUCCESS) {
        xmpi_execute_abstain(&context->registry, comm);
        code = agree(comm, rank, code, error.text);
    } else {
        outcome = shared == &context->shared
                      ? xmpi_members_change(context, &next, &context->registry)
                      : change_plain(context, shared, &next, comm);
        code = outcome == XMPI_DONE ? MPI_SUCCESS : explain(context, rank, comm);
    }
    xmpi_layout_free(&next);
    return code;
}

/* Lists of N members, kept from call to call, so that a call in which nobody fails agrees on that
 * once only. Collective over COMM, where N is not what it was. */
static int get_lists(lists_t *lists, int n, int rank, MPI_Comm comm)
{
    if (lists->n == n)
        return MPI_SUCCESS;
    free(lists->wish);
    free(lists->blocks);
    lists->wish = calloc((size_t)n, sizeof *lists->wish);
    lists->blocks = calloc((size_t)n, sizeof *lists->blocks);
    bool good = lists->wish != NULL && lists->blocks != NULL;
    int code =
        agree(comm, rank, good ? MPI_SUCCESS : MPI_ERR_NO_MEM, "no memory for a list of members");
    lists->n = code == MPI_SUCCESS ? n : 0;
    return code;
}

/* The code of the first member that has failed; that one says why. */
static int first_failure(const wish_t *wish, int n, int rank, const xmpi_error_t *error)
{
    int first = 0;
    while (first < n && wish[first].code == MPI_SUCCESS)
        first++;
    if (first == n)
        return MPI_SUCCESS;
    if (first == rank)
        say(rank, error->text);
    return wish[first].code;
}

static int redistribute(xmpi_context_t *context, wish_t *mine, xmpi_error_t *error, MPI_Comm comm)
{
    static lists_t lists;
    int rank, n;
    xmpi_shared_t plain = {0}, *shared = &context->shared;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &n);
    int code = get_lists(&lists, n, rank, comm);
    if (code != MPI_SUCCESS)
        return code;
    if (mine->code == MPI_SUCCESS && xmpi_world.state == XMPI_STATE_PLAIN) {
        shared = &plain;
        xmpi_status_t status = make_plain(n, shared, error);
        mine->code = status == XMPI_OK           ? MPI_SUCCESS
                     : status == XMPI_ERR_MEMORY ? MPI_ERR_NO_MEM
                                                 : MPI_ERR_OTHER;
    }
    PMPI_Allgather(mine, sizeof *mine, MPI_BYTE, lists.wish, sizeof *lists.wish, MPI_BYTE, comm);
    code = first_failure(lists.wish, n, rank, error);
    if (code == MPI_SUCCESS) {
        code = check_registered(lists.wish, n, error);
        if (code != MPI_SUCCESS && rank == 0)
            say(rank, error->text);
    }
    if (code == MPI_SUCCESS)
        code = move_to(context, shared, lists.wish, lists.blocks, rank, comm);
    free_plain(&plain);
    return code;
}

/* Where nothing is adapted there is no world with a communicator of its own for moves. One is made
 * at the first call, and stays until MPI_Finalize. */
static MPI_Comm plain_moves(MPI_Comm world)
{
    static MPI_Comm made = MPI_COMM_NULL;
    if (made == MPI_COMM_NULL)
        PMPI_Comm_dup(world, &made);
    return made;
}

/* Not in the world itself: messages of the program may be under way there. */
XMPI_EXPORT int XMPI_Redistribute_data(int64_t scount, int64_t sdispl, int64_t rcount,
                                       int64_t rdispl)
{
    XMPI_OWN_FLOATING;
    xmpi_context_t *context = &xmpi_context;
    xmpi_error_t error = {""};
    MPI_Comm world = xmpi_world_of(MPI_COMM_WORLD, call);
    wish_t mine = {.before = {.count = scount, .displ = sdispl},
                   .after = {.count = rcount, .displ = rdispl},
                   .domain = domain_of(&context->registry),
                   .shapes = shapes_of(&context->registry),
                   .code = MPI_SUCCESS};
    if (context->loop != NULL) {
        mine.code = MPI_ERR_OTHER;
        xmpi_error_set(&error, XMPI_ERR_INPUT,
                       "called inside the adaptive loop, which moves the data itself");
    }
    bool plain = xmpi_world.state == XMPI_STATE_PLAIN;
    return redistribute(context, &mine, &error,
                        plain ? plain_moves(world) : xmpi_world_moves(&xmpi_world));
}
