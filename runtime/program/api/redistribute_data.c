/* SPDX-License-Identifier: BSD-3-Clause
 * Redistribution by hand: XMPI_Redistribute_data of xmpi.h. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/execute.h"
#include "act/node/node.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/data/digest.h"
#include "base/export.h"
#include "base/floating.h"
#include "program/api/failures.h"
#include "program/api/known_moves.h"
#include "program/context.h"
#include "program/members/members.h"
#include "xmpi.h"

static const char call[] = "XMPI_Redistribute_data";

/* What a member tells the others. Plain data. */
typedef struct {
    xmpi_wanted_t wanted;
    int64_t code;                  /* MPI_SUCCESS, or why this member does not take part */
    uint64_t known;                /* digest of the move that it takes this one for; 0: none */
    uint64_t numbers[XMPI_AGREED]; /* of that move (act/moving/redistribute.h) */
} wish_t;

_Static_assert(sizeof(wish_t) <= XMPI_NODE_WORDS, "a wish can be told in memory");

/* Of all members; kept from call to call. */
typedef struct {
    int n;
    wish_t *wish;
    xmpi_block_t *blocks, *kept;
} lists_t;

/* A call. */
typedef struct {
    xmpi_context_t *context;
    xmpi_shared_t *shared; /* that of the context, or what a program that does not adapt has */
    MPI_Comm comm;
    int rank, n;
    wish_t mine;
    lists_t *lists;
    xmpi_error_t error; /* what there is to say of the code in mine */
} call_t;

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
    if (wish[0].wanted.domain < 0) {
        xmpi_error_set(error, XMPI_ERR_INPUT, "nothing with a domain is registered");
        return MPI_ERR_BUFFER;
    }
    for (int i = 1; i < n; i++)
        if (wish[i].wanted.shapes != wish[0].wanted.shapes) {
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
        blocks[i] = wish[i].wanted.before;
    xmpi_status_t status = xmpi_blocks_cover(wish[0].wanted.domain, n, blocks, error);
    if (status == XMPI_ERR_INPUT)
        say_which("current", wish[0].wanted.domain, error);
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

static xmpi_outcome_t change_plain(const call_t *c, xmpi_layout_t *next,
                                   const xmpi_consent_t *consent)
{
    xmpi_copy_t no_copy = {0};
    MPI_Comm nobody = MPI_COMM_NULL;
    xmpi_world_t world = {.comm = c->comm, .moves = c->comm};
    xmpi_parts_t parts = {.shared = c->shared,
                          .world = &world,
                          .registry = &c->context->registry,
                          .process = c->rank,
                          .outside = true,
                          .copy = &no_copy,
                          .consent = consent,
                          .together = &nobody};
    parts.registry->strategy = c->shared->settings.move;
    parts.registry->memory_limit = c->shared->settings.memory_limit << 20;
    return xmpi_execute(&parts, next, NULL, -1, &c->context->execution);
}

static xmpi_outcome_t change(const call_t *c, xmpi_layout_t *next, const xmpi_consent_t *consent)
{
    return c->shared == &c->context->shared ? xmpi_members_move(c->context, next, consent)
                                            : change_plain(c, next, consent);
}

/* What the program says of its blocks is the layout: only it knows who has which rows. */
static void tell_layout(xmpi_layout_t *layout, int64_t domain, const xmpi_block_t *blocks)
{
    layout->domain = domain;
    for (int i = 0; i < layout->members; i++)
        layout->member[i].block = blocks[i];
}

static int lay_out(call_t *c, int64_t domain, xmpi_layout_t *next, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_members_lay_out_blocks(c->shared, c->lists->blocks, next, error);
    if (status == XMPI_ERR_INTERNAL)
        say_which("new", domain, error);
    return status == XMPI_OK             ? MPI_SUCCESS
           : status == XMPI_ERR_INTERNAL ? MPI_ERR_COUNT
                                         : MPI_ERR_NO_MEM;
}

/* Why the change was called off: one that has not failed itself has nothing to say. */
static int explain(const xmpi_context_t *context, MPI_Comm comm)
{
    const xmpi_execution_t *e = &context->execution;
    int code = xmpi_first_failure(call, comm, xmpi_failure_code(e->failed), e->error.text);
    return code != MPI_SUCCESS ? code : MPI_ERR_OTHER;
}

/* All members stay; only their blocks change: the plan, and the change. Who has no plan takes part
 * in what the others agree on before anything moves, so that it need not be agreed on before. */
static int move_as_wished(call_t *c)
{
    const wish_t *wish = c->lists->wish;
    xmpi_error_t error = {""};
    xmpi_layout_t next = {0};
    xmpi_outcome_t outcome = XMPI_CALLED_OFF;
    int code = check_current(wish, c->n, c->lists->blocks, &error);
    if (code == MPI_SUCCESS) {
        tell_layout(&c->shared->layout, wish[0].wanted.domain, c->lists->blocks);
        for (int i = 0; i < c->n; i++)
            c->lists->blocks[i] = wish[i].wanted.after;
        code = lay_out(c, wish[0].wanted.domain, &next, &error);
    }
    if (code != MPI_SUCCESS) {
        xmpi_execute_abstain(&c->context->registry, c->comm, NULL);
        code = xmpi_first_failure(call, c->comm, code, error.text);
    } else {
        outcome = change(c, &next, NULL);
        code = outcome == XMPI_DONE ? MPI_SUCCESS : explain(c->context, c->comm);
    }
    if (code == MPI_SUCCESS)
        xmpi_known_move_add(c->n, &wish[0].wanted, sizeof *wish);
    xmpi_layout_free(&next);
    return code;
}

/* --- moves that are known ----------------------------------------------------------------------
 *
 * What a member wants may be what it wanted in a move before. Then it prepares that move, and what
 * all tell one another, once, is what each wants, which move each takes it for, and whether it
 * could prepare it: when all take it for the same one, and could, the data follow at once. */

static void gather_wishes(const call_t *c, MPI_Comm comm)
{
    wish_t *wish = c->lists->wish;
    xmpi_node_t *node = xmpi_node_of(comm);
    if (node == NULL) {
        PMPI_Allgather(&c->mine, sizeof c->mine, MPI_BYTE, wish, sizeof *wish, MPI_BYTE, comm);
        return;
    }
    xmpi_node_meet(node, &c->mine, sizeof c->mine);
    for (int i = 0; i < c->n; i++)
        memcpy(&wish[i], xmpi_node_told(node, i), sizeof *wish);
}

/* All tell their wishes, in the agreement on the move that is known, or instead of one. */
static bool tell_wishes(void *context, MPI_Comm comm, uint64_t numbers[XMPI_AGREED])
{
    call_t *c = context;
    wish_t *wish = c->lists->wish;
    bool same = true;
    memcpy(c->mine.numbers, numbers, sizeof c->mine.numbers);
    gather_wishes(c, comm);
    for (int i = 0; i < c->n; i++) {
        same = same && wish[i].code == MPI_SUCCESS && wish[i].known != 0 &&
               wish[i].known == wish[0].known;
        for (int k = 0; k < XMPI_AGREED; k++)
            numbers[k] = wish[i].numbers[k] > numbers[k] ? wish[i].numbers[k] : numbers[k];
    }
    return same;
}

static void keep_layout(const call_t *c, xmpi_block_t *kept)
{
    for (int i = 0; i < c->n; i++)
        kept[i] = c->shared->layout.member[i].block;
}

/* The next layout of a known move, after which the current one is what the program said of it. */
static bool lay_out_known(call_t *c, const xmpi_known_move_t *known, xmpi_layout_t *next)
{
    xmpi_error_t ignored;
    xmpi_block_t *blocks = c->lists->blocks;
    for (int i = 0; i < c->n; i++)
        blocks[i] = known->wanted[i].before;
    tell_layout(&c->shared->layout, known->wanted[0].domain, blocks);
    for (int i = 0; i < c->n; i++)
        blocks[i] = known->wanted[i].after;
    return lay_out(c, known->wanted[0].domain, next, &ignored) == MPI_SUCCESS;
}

/* Makes the move that this member takes this one for, if all do; whether it was made. If not, all
 * have the wishes of all, and nothing has changed. */
static bool move_as_known(call_t *c)
{
    const xmpi_consent_t consent = {tell_wishes, c};
    const xmpi_known_move_t *known =
        c->mine.code == MPI_SUCCESS && c->shared->layout.members == c->n
            ? xmpi_known_move(c->n, c->rank, &c->mine.wanted)
            : NULL;
    xmpi_layout_t next = {0};
    bool made = false;
    int64_t domain = c->shared->layout.domain;
    if (known != NULL)
        keep_layout(c, c->lists->kept);
    if (known != NULL && lay_out_known(c, known, &next)) {
        c->mine.known = known->digest;
        made = change(c, &next, &consent) == XMPI_DONE;
    } else {
        xmpi_execute_abstain(&c->context->registry, c->comm, &consent);
    }
    if (made)
        xmpi_known_move_used(known);
    else if (known != NULL)
        tell_layout(&c->shared->layout, domain, c->lists->kept);
    xmpi_layout_free(&next);
    return made;
}

/* --- the call --------------------------------------------------------------------------------- */

/* Lists of N members, kept from call to call, so that a call in which nobody fails agrees on that
 * once only. Collective over COMM, where N is not what it was. */
static int get_lists(lists_t *lists, int n, MPI_Comm comm)
{
    if (lists->n == n)
        return MPI_SUCCESS;
    free(lists->wish);
    free(lists->blocks);
    lists->wish = calloc((size_t)n, sizeof *lists->wish);
    lists->blocks = calloc(2 * (size_t)n, sizeof *lists->blocks);
    lists->kept = lists->blocks + n;
    bool good = lists->wish != NULL && lists->blocks != NULL;
    int code = xmpi_first_failure(call, comm, good ? MPI_SUCCESS : MPI_ERR_NO_MEM,
                                  "no memory for a list of members");
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
        xmpi_failure_say(call, rank, error->text);
    return (int)wish[first].code;
}

static int move(call_t *c)
{
    const wish_t *wish = c->lists->wish;
    if (move_as_known(c))
        return MPI_SUCCESS;
    int code = first_failure(wish, c->n, c->rank, &c->error);
    if (code == MPI_SUCCESS) {
        code = check_registered(wish, c->n, &c->error);
        if (code != MPI_SUCCESS && c->rank == 0)
            xmpi_failure_say(call, c->rank, c->error.text);
    }
    return code == MPI_SUCCESS ? move_as_wished(c) : code;
}

/* In a function of its own, as there is more to clear than a small move takes to plan. */
static int move_plain(call_t *c)
{
    xmpi_shared_t plain = {0};
    c->shared = &plain;
    xmpi_status_t status = make_plain(c->n, &plain, &c->error);
    c->mine.code = status == XMPI_OK           ? MPI_SUCCESS
                   : status == XMPI_ERR_MEMORY ? MPI_ERR_NO_MEM
                                               : MPI_ERR_OTHER;
    int code = move(c);
    free_plain(&plain);
    return code;
}

static int redistribute(call_t *c)
{
    static lists_t lists;
    PMPI_Comm_rank(c->comm, &c->rank);
    PMPI_Comm_size(c->comm, &c->n);
    c->lists = &lists;
    int code = get_lists(&lists, c->n, c->comm);
    if (code != MPI_SUCCESS)
        return code;
    bool plain = c->mine.code == MPI_SUCCESS && xmpi_world.state == XMPI_STATE_PLAIN;
    return plain ? move_plain(c) : move(c);
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
    MPI_Comm world = xmpi_world_of(MPI_COMM_WORLD, call);
    call_t c = {.context = context,
                .shared = &context->shared,
                .mine = {.wanted = {.before = {.count = scount, .displ = sdispl},
                                    .after = {.count = rcount, .displ = rdispl},
                                    .domain = domain_of(&context->registry),
                                    .shapes = shapes_of(&context->registry)},
                         .code = MPI_SUCCESS}};
    if (context->loop != NULL) {
        c.mine.code = MPI_ERR_OTHER;
        xmpi_error_set(&c.error, XMPI_ERR_INPUT,
                       "called inside the adaptive loop, which moves the data itself");
    }
    bool plain = xmpi_world.state == XMPI_STATE_PLAIN;
    c.comm = plain ? plain_moves(world) : xmpi_world_moves(&xmpi_world);
    return redistribute(&c);
}
