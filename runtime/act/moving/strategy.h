/* SPDX-License-Identifier: BSD-3-Clause
 * Strategy: how an exchange carries its messages, and what it holds for that. A new one is a file
 * with one xmpi_strategy_t, and a line for it here and in exchange.c. */
#ifndef XMPI_ACT_MOVING_STRATEGY_H
#define XMPI_ACT_MOVING_STRATEGY_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "act/moving/storage/redistribute_local.h"
#include "act/node/node.h"

/* Where a piece lies that another process may read itself. Plain data. */
typedef struct {
    uint64_t host; /* what the kernel and the space of process ids are */
    int64_t process;
    uint64_t address;
    int64_t stride;
} xmpi_offer_t;

/* Messages in an exchange, what they became, and buffers. */
typedef struct xmpi_exchange {
    const struct xmpi_strategy *strategy;
    MPI_Comm comm;
    int processes; /* in comm */
    int tags;      /* the first tag of ours */
    uint64_t host; /* of this process, as in offers; 0: not asked for yet */

    xmpi_node_t *node; /* memory that all share; NULL: none */
    int rank;          /* in comm, where there is a node */
    bool unread;       /* something could not be read by this process */

    const xmpi_message_t *message;
    int messages;

    void *memory; /* malloc; all the following arrays are in it */
    int64_t room; /* for requests, and as many datatypes */
    MPI_Request *request;
    MPI_Datatype *datatype;
    int requests, datatypes;

    int message_room; /* for what follows, one for each message */
    xmpi_offer_t *offer;
    MPI_Request *offer_request;
    int *answer;
    int *selected; /* of messages that become one: their indices, and how they are described */
    int *ones;
    MPI_Aint *address;
    MPI_Datatype *part;

    int *counts; /* for collective calls, two for each process */
    MPI_Datatype *type;
    MPI_Win window;

    int64_t received_bytes, received_messages; /* of all exchanges since open */
} xmpi_exchange_t;

/* What a strategy does in the phases of an exchange; NULL: nothing of its own. */
typedef struct xmpi_strategy {
    const char *name;
    bool background; /* it can go on while the program calls MPI */
    void (*begin)(xmpi_exchange_t *exchange);
    void (*ready)(xmpi_exchange_t *exchange);            /* waits until copies are possible */
    void (*copy)(xmpi_exchange_t *exchange);             /* no MPI: a thread may do it */
    void (*reply)(xmpi_exchange_t *exchange);            /* after the copies */
    bool (*go_on)(xmpi_exchange_t *exchange, bool wait); /* whether nothing more is to be posted */
} xmpi_strategy_t;

extern const xmpi_strategy_t xmpi_strategy_auto, xmpi_strategy_p2p, xmpi_strategy_alltoallv,
    xmpi_strategy_rma, xmpi_strategy_node;

/* Tags of messages between one pair, the last that MPI has, since the communicator may be the
 * program's own; data of an array have its index. */
enum {
    XMPI_TAG_OFFER = 8192,
    XMPI_TAG_ANSWER = 16384,
    XMPI_TAG_JOINED = 32000,
    XMPI_TAG_RING = 32001,
    XMPI_TAGS = 32002
};

#endif
