/* SPDX-License-Identifier: BSD-3-Clause
 * A collective operation, and who takes its messages. */
#ifndef XMPI_DECIDE_MESSAGES_OPERATION_H
#define XMPI_DECIDE_MESSAGES_OPERATION_H

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

#endif
