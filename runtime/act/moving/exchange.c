/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange: its room, and its phases by the strategy. */
#include "act/moving/exchange.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

#include "act/moving/direct.h"
#include "act/moving/post.h"

/* --- opening, room ---------------------------------------------------------------------------- */

static const xmpi_strategy_t *const strategies[] = {&xmpi_strategy_auto, &xmpi_strategy_p2p,
                                                    &xmpi_strategy_alltoallv, &xmpi_strategy_rma};

bool xmpi_exchange_has_background(xmpi_move_strategy_t strategy)
{
    return strategies[strategy]->background;
}

/* MPI guarantees 32767 (MPI 4.0, 9.1.2), so that there is always room for ours. */
static int first_tag(void)
{
    void *greatest = NULL;
    int found = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &greatest, &found);
    return found ? *(const int *)greatest - XMPI_TAGS : 0;
}

void xmpi_exchange_open(xmpi_move_strategy_t strategy, int processes, xmpi_exchange_t *exchange)
{
    *exchange = (xmpi_exchange_t){
        .strategy = strategies[strategy], .processes = processes, .tags = first_tag()};
}

void xmpi_exchange_meet_again(MPI_Comm comm)
{
    xmpi_node_open(comm, first_tag() + XMPI_TAG_RING);
}

void xmpi_exchange_share(xmpi_exchange_t *exchange, MPI_Comm comm)
{
    xmpi_node_t *node = xmpi_node_of(comm);
    if (node == NULL || !xmpi_node_reads(node) || exchange->strategy != &xmpi_strategy_auto)
        return;
    exchange->node = node;
    PMPI_Comm_rank(comm, &exchange->rank);
}

void xmpi_exchange_share_not(xmpi_exchange_t *exchange)
{
    if (exchange->node == NULL)
        return;
    xmpi_node_reads_not(exchange->node);
    exchange->node = NULL;
}

void xmpi_exchange_by_node(xmpi_exchange_t *exchange)
{
    exchange->strategy = &xmpi_strategy_node;
}

static void free_room(xmpi_exchange_t *exchange)
{
    free(exchange->memory);
    xmpi_exchange_t empty = {.strategy = exchange->strategy,
                             .processes = exchange->processes,
                             .tags = exchange->tags,
                             .host = exchange->host,
                             .node = exchange->node,
                             .rank = exchange->rank,
                             .received_bytes = exchange->received_bytes,
                             .received_messages = exchange->received_messages};
    *exchange = empty;
}

/* The place of N elements of SIZE bytes in MEMORY, behind the USED bytes, which grow. */
static void *place(char *memory, size_t *used, size_t n, size_t size)
{
    enum { ALIGNED = _Alignof(max_align_t) };
    size_t at = *used;
    *used += (n * size + ALIGNED - 1) / ALIGNED * ALIGNED;
    return memory != NULL ? memory + at : NULL;
}

/* Divides MEMORY into the arrays; without it they are NULL. How many bytes they take. */
static size_t divide(xmpi_exchange_t *exchange, char *memory, size_t room, size_t messages)
{
    size_t processes = (size_t)exchange->processes, used = 0;
    exchange->request = place(memory, &used, room, sizeof *exchange->request);
    exchange->datatype = place(memory, &used, room, sizeof *exchange->datatype);
    exchange->offer = place(memory, &used, messages, sizeof *exchange->offer);
    exchange->offer_request = place(memory, &used, messages, sizeof *exchange->offer_request);
    exchange->answer = place(memory, &used, messages, sizeof *exchange->answer);
    exchange->selected = place(memory, &used, messages, sizeof *exchange->selected);
    exchange->ones = place(memory, &used, messages, sizeof *exchange->ones);
    exchange->address = place(memory, &used, messages, sizeof *exchange->address);
    exchange->part = place(memory, &used, messages, sizeof *exchange->part);
    exchange->counts = place(memory, &used, 3 * processes, sizeof *exchange->counts);
    exchange->type = place(memory, &used, 2 * processes, sizeof *exchange->type);
    return used;
}

/* At once, as a small move takes as long to get and to free each of them as to plan. */
static bool allocate_room(xmpi_exchange_t *exchange, size_t room, size_t messages)
{
    exchange->memory = calloc(1, divide(exchange, NULL, room, messages));
    if (exchange->memory != NULL)
        divide(exchange, exchange->memory, room, messages);
    return exchange->memory != NULL;
}

/* An offer and its answer may go with each message, and one message more to each peer. */
xmpi_status_t xmpi_exchange_room(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n)
{
    int64_t room = 1 + 3 * (int64_t)n + 2 * (int64_t)exchange->processes;
    for (int i = 0; i < n; i++)
        room += xmpi_exchange_chunks(&message[i].extent);
    if (room <= exchange->room && n < exchange->message_room)
        return XMPI_OK;
    free_room(exchange);
    if (room > INT_MAX || !allocate_room(exchange, (size_t)room, (size_t)n + 1))
        return XMPI_ERR_MEMORY;
    exchange->room = room;
    exchange->message_room = n + 1;
    return XMPI_OK;
}

void xmpi_exchange_close(xmpi_exchange_t *exchange)
{
    free_room(exchange);
}

/* --- the interface ------------------------------------------------------------------------------
 */

void xmpi_exchange_begin(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n,
                         MPI_Comm comm)
{
    exchange->message = message;
    exchange->messages = n;
    exchange->comm = comm;
    exchange->strategy->begin(exchange);
}

/* Nothing is under way any more. */
static void finish(xmpi_exchange_t *exchange)
{
    for (int i = 0; i < exchange->datatypes; i++)
        PMPI_Type_free(&exchange->datatype[i]);
    exchange->requests = 0;
    exchange->datatypes = 0;
    exchange->messages = 0;
}

void xmpi_exchange_ready(xmpi_exchange_t *exchange)
{
    if (exchange->strategy->ready != NULL)
        exchange->strategy->ready(exchange);
}

void xmpi_exchange_copy(xmpi_exchange_t *exchange)
{
    if (exchange->strategy->copy != NULL)
        exchange->strategy->copy(exchange);
}

void xmpi_exchange_reply(xmpi_exchange_t *exchange)
{
    if (exchange->strategy->reply != NULL)
        exchange->strategy->reply(exchange);
}

void xmpi_exchange_drive(xmpi_exchange_t *exchange)
{
    int ignored;
    PMPI_Testall(exchange->requests, exchange->request, &ignored, MPI_STATUSES_IGNORE);
}

bool xmpi_exchange_test(xmpi_exchange_t *exchange)
{
    int done = 0;
    bool posted = exchange->strategy->go_on == NULL || exchange->strategy->go_on(exchange, false);
    PMPI_Testall(exchange->requests, exchange->request, &done, MPI_STATUSES_IGNORE);
    if (!posted || !done)
        return false;
    finish(exchange);
    return true;
}

void xmpi_exchange_end(xmpi_exchange_t *exchange)
{
    if (exchange->strategy->go_on != NULL)
        exchange->strategy->go_on(exchange, true);
    PMPI_Waitall(exchange->requests, exchange->request, MPI_STATUSES_IGNORE);
    finish(exchange);
}

void xmpi_exchange_take(xmpi_exchange_t *exchange)
{
    xmpi_exchange_ready(exchange);
    xmpi_exchange_copy(exchange);
    xmpi_exchange_reply(exchange);
}
