/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange: carries the messages of a redistribution between processes. One interface, and behind
 * it the strategies of the literature (point-to-point and Alltoallv as in FLEX-MPI, one-sided as in
 * MaM), and direct copies between processes of one node.
 *
 * Between begin and the rest other work can be done, as to copy what stays. Everything that can
 * fail for lack of memory is in room. */
#ifndef XMPI_ACT_MOVING_EXCHANGE_H
#define XMPI_ACT_MOVING_EXCHANGE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "act/moving/redistribute_local.h"

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
    uint64_t host; /* of this process, as in offers */
    const xmpi_message_t *message;
    int messages;

    int64_t room; /* for requests, and as many datatypes; arrays are malloc */
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

/* Whether an exchange can go on while the program calls MPI. */
bool xmpi_exchange_has_background(xmpi_move_strategy_t strategy);

/* PROCESSES is the size of the communicators that the exchange will be used with. */
void xmpi_exchange_open(xmpi_move_strategy_t strategy, int processes, xmpi_exchange_t *exchange);

/* Room for N messages or parts of them. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_exchange_room(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n);

/* Begins to carry N messages, for which there is room and which stay until the end. The processes
 * of COMM list the same messages in the same order (see xmpi_local_messages). */
void xmpi_exchange_begin(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n,
                         MPI_Comm comm);

/* Until all that this process sends and receives has arrived. */
void xmpi_exchange_rest(xmpi_exchange_t *exchange);

/* The same in steps, where the program goes on meanwhile: ready once behind begin, copy in any
 * thread, reply behind that, and then test until it says that all has arrived, or end, which waits
 * for it. Drive gives messages a chance to move on at any time. */
void xmpi_exchange_ready(xmpi_exchange_t *exchange);
void xmpi_exchange_copy(xmpi_exchange_t *exchange);
void xmpi_exchange_reply(xmpi_exchange_t *exchange);
void xmpi_exchange_drive(xmpi_exchange_t *exchange);
bool xmpi_exchange_test(xmpi_exchange_t *exchange);
void xmpi_exchange_end(xmpi_exchange_t *exchange);

void xmpi_exchange_close(xmpi_exchange_t *exchange);

/* --- for strategies --------------------------------------------------------------------------- */

extern const xmpi_strategy_t xmpi_strategy_auto, xmpi_strategy_p2p, xmpi_strategy_alltoallv,
    xmpi_strategy_rma;

/* Tags of messages between one pair, the last that MPI has, since the communicator may be the
 * program's own; data of an array have its index. */
enum { XMPI_TAG_OFFER = 8192, XMPI_TAG_ANSWER = 16384, XMPI_TAG_JOINED = 32000, XMPI_TAGS = 32001 };

/* Messages by MPI of those that TAKE accepts, as it must all small ones: large ones in chunks,
 * small ones of all arrays together as one for each peer. */
void xmpi_exchange_post(xmpi_exchange_t *exchange, bool (*take)(const xmpi_message_t *));
void xmpi_exchange_post_one(xmpi_exchange_t *exchange, const xmpi_message_t *message);

/* Tells the receiver of message I where it lies; who receives it finds that in exchange->offer when
 * exchange->offer_request of this message is complete. */
void xmpi_exchange_offer(xmpi_exchange_t *exchange, int i);

/* A datatype with absolute addresses of those messages with PEER that TAKE accepts, in one
 * direction; MPI_DATATYPE_NULL when there is none. It is freed with the exchange's others. */
MPI_Datatype xmpi_exchange_join(xmpi_exchange_t *exchange, int peer, bool sending,
                                bool (*take)(const xmpi_message_t *));

/* An extent as a datatype that begins where it begins, not committed. */
MPI_Datatype xmpi_exchange_describe(const xmpi_extent_t *extent);

/* Counts a message that has been received. */
void xmpi_exchange_count(xmpi_exchange_t *exchange, const xmpi_message_t *message);

#endif
