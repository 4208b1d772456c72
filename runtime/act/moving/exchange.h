/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange: carries the messages of a redistribution between processes. One interface, and behind
 * it the strategies of the literature (point-to-point and Alltoallv as in FLEX-MPI, one-sided as in
 * MaM), and direct copies between processes of one node.
 *
 * Between begin and the end other work can be done, as to copy what stays. Everything that can
 * fail for lack of memory is in room. */
#ifndef XMPI_ACT_MOVING_EXCHANGE_H
#define XMPI_ACT_MOVING_EXCHANGE_H

#include "act/moving/strategy.h"

/* Whether an exchange can go on while the program calls MPI. */
bool xmpi_exchange_has_background(xmpi_move_strategy_t strategy);

/* PROCESSES is the size of the communicators that the exchange will be used with. */
void xmpi_exchange_open(xmpi_move_strategy_t strategy, int processes, xmpi_exchange_t *exchange);

/* The processes of COMM are about to agree and exchange, maybe not for the last time: see
 * xmpi_node_open. Collective. */
void xmpi_exchange_meet_again(MPI_Comm comm);

/* The exchange may go by the memory of COMM's node, where there is one and the strategy is that
 * which chooses. */
void xmpi_exchange_share(xmpi_exchange_t *exchange, MPI_Comm comm);

/* Whether it may; then where the pieces of these N messages lie is told to the others, who know it
 * when all have met next. Local. */
bool xmpi_exchange_tell_ahead(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n);

/* Behind that: all have told, and it goes by the node, once. Or somebody cannot read, as all have
 * heard: it does not, nor do later ones. */
void xmpi_exchange_by_node(xmpi_exchange_t *exchange);
void xmpi_exchange_share_not(xmpi_exchange_t *exchange);

/* Room for N messages or parts of them. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_exchange_room(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n);

/* Begins to carry N messages, for which there is room and which stay until the end. The processes
 * of COMM list the same messages in the same order (see xmpi_local_messages). */
void xmpi_exchange_begin(xmpi_exchange_t *exchange, const xmpi_message_t *message, int n,
                         MPI_Comm comm);

/* Takes what this process can take by itself. Behind it end waits until all that it sends and
 * receives has arrived. */
void xmpi_exchange_take(xmpi_exchange_t *exchange);

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

#endif
