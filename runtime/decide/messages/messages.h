/* SPDX-License-Identifier: BSD-3-Clause
 * The messages that a collective operation is made of, by the algorithm that MPICH takes for it
 * (decide/model/mpi_algorithm.h): who of the members of a communicator sends how much to whom. */
#ifndef XMPI_DECIDE_MESSAGES_MESSAGES_H
#define XMPI_DECIDE_MESSAGES_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "decide/model/sample.h"

/* One operation as the member RANK makes it. */
typedef struct {
    xmpi_kind_t kind;
    bool posted; /* the non-blocking one */
    int members, rank;
    int root;      /* of those that have one */
    int64_t bytes; /* the block of a member in a gather, scatter, allgather or reduce-scatter, and
                      what goes to each in an all-to-all; else the whole buffer */
    const int64_t *block; /* of each member, where they are of different sizes: instead of BYTES. Of
                             a gather of such only the member's own one counts, of a scatter they do
                             at the root. NULL: they are equal */
    int64_t elements;     /* that are reduced; of a reduce-scatter, in the block of a member */
    bool own;             /* the reduction is the program's, not one of MPI's */
    bool ordered;         /* it does not commute */
} xmpi_operation_t;

/* Takes MESSAGES of BYTES together that the member sends to the member PEER of the communicator. A
 * peer may come more than once, and never is the member itself. */
typedef void xmpi_sent_t(void *taker, int peer, int64_t messages, int64_t bytes);

/* Tells TAKER all that the member sends in the operation. Nothing for communicators of one member,
 * and for what is no collective operation of one communicator's members. */
void xmpi_messages(const xmpi_operation_t *operation, xmpi_sent_t *sent, void *taker);

#endif
