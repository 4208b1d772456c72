/* SPDX-License-Identifier: BSD-3-Clause
 * Posting: what strategies share, from a message to calls of MPI. */
#ifndef XMPI_ACT_MOVING_POST_H
#define XMPI_ACT_MOVING_POST_H

#include "act/moving/strategy.h"

/* Calls of MPI that a message becomes: large ones go in chunks. */
int64_t xmpi_exchange_chunks(const xmpi_extent_t *extent);

/* Messages by MPI of those that TAKE accepts: large ones in chunks, small ones of all arrays
 * together as one for each peer. */
void xmpi_exchange_post(xmpi_exchange_t *exchange, bool (*take)(const xmpi_message_t *));
void xmpi_exchange_post_one(xmpi_exchange_t *exchange, const xmpi_message_t *message);

/* Tells the receiver of message I where it lies; who receives it finds that in exchange->offer when
 * exchange->offer_request of this message is complete. */
void xmpi_exchange_offer(xmpi_exchange_t *exchange, int i);

/* Takes all. */
bool xmpi_exchange_any(const xmpi_message_t *message);

/* A datatype with absolute addresses of those messages with PEER that TAKE accepts, in one
 * direction; MPI_DATATYPE_NULL when there is none. It is freed with the exchange's others. */
MPI_Datatype xmpi_exchange_join(xmpi_exchange_t *exchange, int peer, bool sending,
                                bool (*take)(const xmpi_message_t *));

/* An extent as a datatype that begins where it begins, not committed. */
MPI_Datatype xmpi_exchange_describe(const xmpi_extent_t *extent);

/* Counts a message that has been received. */
void xmpi_exchange_count(xmpi_exchange_t *exchange, const xmpi_message_t *message);

#endif
