/* SPDX-License-Identifier: BSD-3-Clause
 * Requests of the program: those that are pending, and persistent ones with the call that made
 * them. */
#ifndef XMPI_ACT_HANDLES_REQUESTS_H
#define XMPI_ACT_HANDLES_REQUESTS_H

#include "act/handles/table/table.h"
#include "base/data/pack.h"

enum { XMPI_WORDS_MAX = 12 };

/* Handles of the program, and the MPI's, which may read them until the request is freed. */
typedef struct {
    int n;
    int *ours, *real; /* malloc */
} xmpi_types_t;

typedef struct {
    bool persistent, active;
    int again;                    /* which call has made it */
    int64_t word[XMPI_WORDS_MAX]; /* its arguments, handles as the program has given them */
    xmpi_types_t types[2];        /* sent and received, where there is one for each part */
} xmpi_request_made_t;

/* Of a world to come, where there is one. */
MPI_Comm xmpi_ahead_comm(int64_t comm);

bool xmpi_request_is_persistent(const xmpi_handle_t *entry);

/* Frees what is known of all. */
void xmpi_requests_empty(void);

/* All persistent ones, with what they need. */
void xmpi_requests_put(xmpi_pack_t *pack);

/* Makes those that are for a communicator that has been made again ahead; where they are TAKEN over
 * all, and under the numbers that they have. */
void xmpi_requests_get(xmpi_pack_t *pack, bool taken, MPI_Comm world);

#endif
