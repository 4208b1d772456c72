/* SPDX-License-Identifier: BSD-3-Clause
 * What the algorithms of collective operations are told, and tell. Only for decide/messages. */
#ifndef XMPI_DECIDE_MESSAGES_RUN_H
#define XMPI_DECIDE_MESSAGES_RUN_H

#include "decide/messages/operation.h"
#include "decide/communication/mpi_algorithm.h"

typedef struct {
    const xmpi_operation_t *operation;
    int members, rank;
    int above; /* ranks that the root is below: (rank - root) modulo members */
    xmpi_sent_t *sent;
    void *taker;
} xmpi_run_t;

/* A message to a member, by its rank modulo the number of members. */
void xmpi_run_send(const xmpi_run_t *run, int peer, int64_t bytes);

/* The bytes of N blocks from that of the member FIRST on, around the end. */
int64_t xmpi_run_blocks(const xmpi_run_t *run, int first, int n);

#endif
