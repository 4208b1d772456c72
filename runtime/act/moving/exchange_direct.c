/* SPDX-License-Identifier: BSD-3-Clause
 * Direct: large pieces are read by who receives them where that is possible; all else goes point to
 * point. */
#include "act/moving/direct.h"
#include "act/moving/post.h"

static bool is_other(const xmpi_message_t *message)
{
    return !xmpi_direct_pays(message);
}

static void begin(xmpi_exchange_t *exchange)
{
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (!xmpi_direct_pays(message))
            continue;
        if (exchange->host == 0)
            exchange->host = xmpi_direct_host();
        xmpi_exchange_offer(exchange, i);
        if (message->sending)
            PMPI_Irecv(&exchange->answer[i], 1, MPI_INT, message->peer,
                       exchange->tags + XMPI_TAG_ANSWER + message->array, exchange->comm,
                       &exchange->offer_request[i]);
    }
    xmpi_exchange_post(exchange, is_other);
}

static bool is_read(const xmpi_message_t *message)
{
    return !message->sending && xmpi_direct_pays(message);
}

static void ready(xmpi_exchange_t *exchange)
{
    for (int i = 0; i < exchange->messages; i++)
        if (is_read(&exchange->message[i]))
            PMPI_Wait(&exchange->offer_request[i], MPI_STATUS_IGNORE);
}

static void copy(xmpi_exchange_t *exchange)
{
    for (int i = 0; i < exchange->messages; i++)
        if (is_read(&exchange->message[i]))
            exchange->answer[i] =
                xmpi_direct_pull(exchange, &exchange->message[i], &exchange->offer[i]);
}

/* What could not be read is asked for as a message. */
static void reply(xmpi_exchange_t *exchange)
{
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        if (!is_read(message))
            continue;
        if (exchange->answer[i])
            xmpi_exchange_count(exchange, message);
        else
            xmpi_exchange_post_one(exchange, message);
        PMPI_Isend(&exchange->answer[i], 1, MPI_INT, message->peer,
                   exchange->tags + XMPI_TAG_ANSWER + message->array, exchange->comm,
                   &exchange->request[exchange->requests++]);
    }
}

/* Sends what could not be read, as answers come. A request that was complete is a null request. */
static bool go_on(xmpi_exchange_t *exchange, bool wait)
{
    bool all = true;
    for (int i = 0; i < exchange->messages; i++) {
        const xmpi_message_t *message = &exchange->message[i];
        MPI_Request *request = &exchange->offer_request[i];
        int there = 1;
        if (!message->sending || !xmpi_direct_pays(message) || *request == MPI_REQUEST_NULL)
            continue;
        if (wait)
            PMPI_Wait(request, MPI_STATUS_IGNORE);
        else
            PMPI_Test(request, &there, MPI_STATUS_IGNORE);
        if (there && !exchange->answer[i])
            xmpi_exchange_post_one(exchange, message);
        all = all && there;
    }
    return all;
}

const xmpi_strategy_t xmpi_strategy_auto = {.name = "auto",
                                            .background = true,
                                            .begin = begin,
                                            .ready = ready,
                                            .copy = copy,
                                            .reply = reply,
                                            .go_on = go_on};
