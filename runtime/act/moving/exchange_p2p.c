/* SPDX-License-Identifier: BSD-3-Clause
 * Point-to-point: a message for each pair and array; small ones of a pair become one, as a message
 * costs more than its bytes then. */
#include "act/moving/exchange.h"

static const int64_t small_bytes = 32 << 10;

static bool is_small(const xmpi_message_t *message)
{
    return xmpi_extent_bytes(&message->extent) <= small_bytes;
}

static bool is_alike(const xmpi_message_t *a, const xmpi_message_t *b)
{
    return a->peer == b->peer && a->sending == b->sending && is_small(a) && is_small(b);
}

/* How many small ones there are of a pair, if message I is the first of them, else 0. Both sides
 * count the same. */
static int count_small(const xmpi_exchange_t *exchange, int i)
{
    int n = 0;
    for (int k = 0; k < exchange->messages; k++) {
        if (!is_alike(&exchange->message[k], &exchange->message[i]))
            continue;
        if (k < i)
            return 0;
        n++;
    }
    return n;
}

static void post_joined(xmpi_exchange_t *exchange, const xmpi_message_t *first)
{
    MPI_Datatype type = xmpi_exchange_join(exchange, first->peer, first->sending, is_small);
    MPI_Request *request = &exchange->request[exchange->requests++];
    int tag = exchange->tags + XMPI_TAG_JOINED;
    if (first->sending)
        PMPI_Isend(MPI_BOTTOM, 1, type, first->peer, tag, exchange->comm, request);
    else
        PMPI_Irecv(MPI_BOTTOM, 1, type, first->peer, tag, exchange->comm, request);
}

void xmpi_exchange_post(xmpi_exchange_t *exchange, bool (*take)(const xmpi_message_t *))
{
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        int small = is_small(message) ? count_small(exchange, i) : 1;
        if (!take(message) || small == 0)
            continue;
        if (small > 1)
            post_joined(exchange, message);
        else
            xmpi_exchange_post_one(exchange, message);
    }
}

static bool is_any(const xmpi_message_t *message)
{
    (void)message;
    return true;
}

static void begin(xmpi_exchange_t *exchange)
{
    xmpi_exchange_post(exchange, is_any);
}

const xmpi_strategy_t xmpi_strategy_p2p = {.name = "p2p", .background = true, .begin = begin};
