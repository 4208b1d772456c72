/* SPDX-License-Identifier: BSD-3-Clause
 * One-sided: who receives gets the pieces with MPI_Get from a window over the senders' arrays. */
#include "act/moving/post.h"

#include "base/collective.h"

/* All bytes of array I from which something is sent: from *FIRST on, *LENGTH of them. */
static bool region_of(const xmpi_exchange_t *exchange, int i, char **first, int64_t *length)
{
    char *last = NULL;
    *first = NULL;
    for (int k = 0; k < exchange->messages; k++) {
        const xmpi_message_t *message = &exchange->message[k];
        const xmpi_extent_t *extent = &message->extent;
        if (!message->sending || message->array != exchange->message[i].array)
            continue;
        if (k < i)
            return false; /* seen at its first message */
        char *begin = message->base + extent->offset;
        char *end = begin + (extent->strips - 1) * extent->stride + extent->width;
        *first = *first == NULL || begin < *first ? begin : *first;
        last = last == NULL || end > last ? end : last;
    }
    *length = last - *first;
    return *first != NULL;
}

static void attach(xmpi_exchange_t *exchange, bool now)
{
    for (int i = 0; i < exchange->messages; i++) {
        char *first;
        int64_t length;
        if (!exchange->message[i].sending || !region_of(exchange, i, &first, &length))
            continue;
        if (now)
            PMPI_Win_attach(exchange->window, first, (MPI_Aint)length);
        else
            PMPI_Win_detach(exchange->window, first);
    }
}

/* An address is of use only when its memory is in the window. */
static void begin(xmpi_exchange_t *exchange)
{
    PMPI_Win_create_dynamic(MPI_INFO_NULL, exchange->comm, &exchange->window);
    attach(exchange, true);
    PMPI_Win_lock_all(MPI_MODE_NOCHECK, exchange->window);
    for (int i = 0; i < exchange->messages; i++)
        xmpi_exchange_offer(exchange, i);
}

static void get(xmpi_exchange_t *exchange, int i)
{
    const xmpi_message_t *message = &exchange->message[i];
    xmpi_extent_t there = message->extent;
    MPI_Datatype *here = &exchange->datatype[exchange->datatypes], *remote = here + 1;
    exchange->datatypes += 2;
    PMPI_Wait(&exchange->offer_request[i], MPI_STATUS_IGNORE);
    there.stride = exchange->offer[i].stride;
    *here = xmpi_exchange_describe(&message->extent);
    *remote = xmpi_exchange_describe(&there);
    PMPI_Type_commit(here);
    PMPI_Type_commit(remote);
    PMPI_Get(message->base + message->extent.offset, 1, *here, message->peer,
             (MPI_Aint)exchange->offer[i].address, 1, *remote, exchange->window);
    xmpi_exchange_count(exchange, message);
}

/* A window is freed when all have got what they need. */
static bool go_on(xmpi_exchange_t *exchange, bool wait)
{
    (void)wait; /* it does */
    for (int i = 0; i < exchange->messages; i++)
        if (!exchange->message[i].sending)
            get(exchange, i);
    PMPI_Win_unlock_all(exchange->window);
    PMPI_Barrier(exchange->comm);
    attach(exchange, false);
    PMPI_Win_free(&exchange->window);
    return true;
}

const xmpi_strategy_t xmpi_strategy_rma = {.name = "rma", .begin = begin, .go_on = go_on};
