/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange: what all strategies share. */
#include "act/moving/exchange.h"

#include <limits.h>
#include <stdlib.h>

#include "act/moving/direct.h"

/* The largest message: counts of MPI calls are ints. */
static const int64_t chunk_bytes = (int64_t)1 << 30;

/* Strips of an extent that one message takes; 0: even one is too wide. */
static int64_t strips_at_once(const xmpi_extent_t *extent)
{
    return extent->width > chunk_bytes ? 0 : chunk_bytes / extent->width;
}

/* MPI messages that a message becomes. */
static int64_t chunks_of(const xmpi_extent_t *extent)
{
    int64_t at_once = strips_at_once(extent);
    if (at_once == 0)
        return extent->strips * ((extent->width + chunk_bytes - 1) / chunk_bytes);
    return (extent->strips + at_once - 1) / at_once;
}

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
    *exchange = (xmpi_exchange_t){.strategy = strategies[strategy],
                                  .processes = processes,
                                  .tags = first_tag(),
                                  .host = xmpi_direct_host()};
}

static void free_room(xmpi_exchange_t *exchange)
{
    free(exchange->request);
    free(exchange->datatype);
    free(exchange->offer);
    free(exchange->offer_request);
    free(exchange->answer);
    free(exchange->selected);
    free(exchange->ones);
    free(exchange->address);
    free(exchange->part);
    free(exchange->counts);
    free(exchange->type);
    xmpi_exchange_t empty = {.strategy = exchange->strategy,
                             .processes = exchange->processes,
                             .tags = exchange->tags,
                             .host = exchange->host,
                             .received_bytes = exchange->received_bytes,
                             .received_messages = exchange->received_messages};
    *exchange = empty;
}

static bool allocate_room(xmpi_exchange_t *exchange, size_t room, size_t messages)
{
    size_t processes = (size_t)exchange->processes;
    exchange->request = calloc(room, sizeof *exchange->request);
    exchange->datatype = calloc(room, sizeof *exchange->datatype);
    exchange->offer = calloc(messages, sizeof *exchange->offer);
    exchange->offer_request = calloc(messages, sizeof *exchange->offer_request);
    exchange->answer = calloc(messages, sizeof *exchange->answer);
    exchange->selected = calloc(messages, sizeof *exchange->selected);
    exchange->ones = calloc(messages, sizeof *exchange->ones);
    exchange->address = calloc(messages, sizeof *exchange->address);
    exchange->part = calloc(messages, sizeof *exchange->part);
    exchange->counts = calloc(3 * processes, sizeof *exchange->counts);
    exchange->type = calloc(2 * processes, sizeof *exchange->type);
    return exchange->request != NULL && exchange->datatype != NULL && exchange->offer != NULL &&
           exchange->offer_request != NULL && exchange->answer != NULL &&
           exchange->selected != NULL && exchange->ones != NULL && exchange->address != NULL &&
           exchange->part != NULL && exchange->counts != NULL && exchange->type != NULL;
}

/* An offer and its answer may go with each message, and one message more to each peer. */
xmpi_status_t xmpi_exchange_room(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n)
{
    int64_t room = 1 + 3 * (int64_t)n + 2 * (int64_t)exchange->processes;
    for (int i = 0; i < n; i++)
        room += chunks_of(&message[i].extent);
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

/* --- posting ---------------------------------------------------------------------------------- */

static void post(xmpi_exchange_t *exchange, const xmpi_message_t *message, char *at, int count,
                 MPI_Datatype datatype, int64_t bytes)
{
    MPI_Request *request = &exchange->request[exchange->requests++];
    int tag = exchange->tags + message->array;
    if (message->sending) {
        PMPI_Isend(at, count, datatype, message->peer, tag, exchange->comm, request);
        return;
    }
    PMPI_Irecv(at, count, datatype, message->peer, tag, exchange->comm, request);
    exchange->received_bytes += bytes;
    exchange->received_messages++;
}

static void post_strip(xmpi_exchange_t *exchange, const xmpi_message_t *message, char *at,
                       int64_t width)
{
    for (int64_t done = 0; done < width; done += chunk_bytes) {
        int64_t bytes = width - done < chunk_bytes ? width - done : chunk_bytes;
        post(exchange, message, at + done, (int)bytes, MPI_BYTE, bytes);
    }
}

/* STRIPS strips as one message. */
static void post_strips(xmpi_exchange_t *exchange, const xmpi_message_t *message, char *at,
                        int64_t strips)
{
    const xmpi_extent_t *extent = &message->extent;
    MPI_Datatype *datatype = &exchange->datatype[exchange->datatypes++];
    PMPI_Type_create_hvector((int)strips, (int)extent->width, extent->stride, MPI_BYTE, datatype);
    PMPI_Type_commit(datatype);
    post(exchange, message, at, 1, *datatype, strips * extent->width);
}

/* Both sides cut an extent alike, as they see the same width and strips. */
void xmpi_exchange_post_one(xmpi_exchange_t *exchange, const xmpi_message_t *message)
{
    const xmpi_extent_t *extent = &message->extent;
    int64_t at_once = strips_at_once(extent);
    char *at = message->base + extent->offset;
    for (int64_t i = 0; i < extent->strips;) {
        int64_t left = extent->strips - i, strips = left < at_once ? left : at_once;
        if (strips > 1)
            post_strips(exchange, message, at + i * extent->stride, strips);
        else
            post_strip(exchange, message, at + i * extent->stride, extent->width);
        i += strips > 1 ? strips : 1;
    }
}

void xmpi_exchange_count(xmpi_exchange_t *exchange, const xmpi_message_t *message)
{
    exchange->received_bytes += xmpi_extent_bytes(&message->extent);
    exchange->received_messages++;
}

void xmpi_exchange_offer(xmpi_exchange_t *exchange, int i)
{
    const xmpi_message_t *message = &exchange->message[i];
    xmpi_offer_t *offer = &exchange->offer[i];
    int tag = exchange->tags + XMPI_TAG_OFFER + message->array;
    if (!message->sending) {
        PMPI_Irecv(offer, sizeof *offer, MPI_BYTE, message->peer, tag, exchange->comm,
                   &exchange->offer_request[i]);
        return;
    }
    *offer = xmpi_direct_offer(exchange, message);
    PMPI_Isend(offer, sizeof *offer, MPI_BYTE, message->peer, tag, exchange->comm,
               &exchange->request[exchange->requests++]);
}

/* --- joining messages of a pair -----------------------------------------------------------------
 */

/* N times TYPE, STRIDE apart, where N may be more than an int can count. TYPE is freed. */
static MPI_Datatype repeat(int64_t n, int64_t stride, MPI_Datatype type)
{
    const int64_t most = (int64_t)1 << 24;
    MPI_Datatype many, rest, types[2], all;
    if (n <= most) {
        PMPI_Type_create_hvector((int)n, 1, stride, type, &all);
        PMPI_Type_free(&type);
        return all;
    }
    PMPI_Type_create_hvector((int)most, 1, stride, type, &many);
    PMPI_Type_create_hvector((int)(n % most), 1, stride, type, &rest);
    PMPI_Type_create_hvector((int)(n / most), 1, most * stride, many, &types[0]);
    types[1] = rest;
    PMPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, n / most * most * stride}, types,
                            &all);
    PMPI_Type_free(&many);
    PMPI_Type_free(&types[0]);
    PMPI_Type_free(&rest);
    PMPI_Type_free(&type);
    return all;
}

MPI_Datatype xmpi_exchange_describe(const xmpi_extent_t *extent)
{
    int whole = (int)(extent->width / chunk_bytes), rest = (int)(extent->width % chunk_bytes);
    MPI_Datatype chunk, strip;
    if (whole == 0) {
        PMPI_Type_contiguous(rest, MPI_BYTE, &strip);
    } else {
        PMPI_Type_contiguous((int)chunk_bytes, MPI_BYTE, &chunk);
        PMPI_Type_create_struct(2, (int[]){whole, rest},
                                (MPI_Aint[]){0, (MPI_Aint)whole * chunk_bytes},
                                (MPI_Datatype[]){chunk, MPI_BYTE}, &strip);
        PMPI_Type_free(&chunk);
    }
    return repeat(extent->strips, extent->stride, strip);
}

static int select_messages(const xmpi_exchange_t *exchange, int peer, bool sending,
                           bool (*take)(const xmpi_message_t *))
{
    int n = 0;
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (message->peer == peer && message->sending == sending && take(message))
            exchange->selected[n++] = i;
    }
    return n;
}

MPI_Datatype xmpi_exchange_join(xmpi_exchange_t *exchange, int peer, bool sending,
                                bool (*take)(const xmpi_message_t *))
{
    int n = select_messages(exchange, peer, sending, take);
    if (n == 0)
        return MPI_DATATYPE_NULL;
    MPI_Datatype *joined = &exchange->datatype[exchange->datatypes++];
    for (int i = 0; i < n; i++) {
        const xmpi_message_t *message = &exchange->message[exchange->selected[i]];
        exchange->ones[i] = 1;
        exchange->part[i] = xmpi_exchange_describe(&message->extent);
        PMPI_Get_address(message->base + message->extent.offset, &exchange->address[i]);
        if (!sending)
            exchange->received_bytes += xmpi_extent_bytes(&message->extent);
    }
    PMPI_Type_create_struct(n, exchange->ones, exchange->address, exchange->part, joined);
    PMPI_Type_commit(joined);
    for (int i = 0; i < n; i++)
        PMPI_Type_free(&exchange->part[i]);
    exchange->received_messages += !sending;
    return *joined;
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

void xmpi_exchange_rest(xmpi_exchange_t *exchange)
{
    xmpi_exchange_ready(exchange);
    xmpi_exchange_copy(exchange);
    xmpi_exchange_reply(exchange);
    xmpi_exchange_end(exchange);
}
