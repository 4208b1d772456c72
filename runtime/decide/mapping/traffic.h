/* SPDX-License-Identifier: BSD-3-Clause
 * Traffic: who of a program's processes sends how much to whom (Cores et al. 2016, section 2.1), as
 * a sparse matrix. Collective operations are in it as the messages that they are made of. */
#ifndef XMPI_DECIDE_MAPPING_TRAFFIC_H
#define XMPI_DECIDE_MAPPING_TRAFFIC_H

#include <stdint.h>

#include "base/status.h"

/* What a process has sent to the rank PEER of the world. Plain data. */
typedef struct {
    int32_t peer;
    int64_t messages;
    int64_t bytes; /* of the program's data */
} xmpi_talk_t;

/* The rows of the matrix one after another: those of RANK are talk[first[rank]] to
 * talk[first[rank + 1] - 1], by ascending peers; each peer comes once, and none is the rank itself.
 */
typedef struct {
    int ranks;
    int64_t *first;    /* ranks + 1; malloc, like the others */
    xmpi_talk_t *talk; /* first[ranks] of them */
    int64_t *rest; /* of each rank: bytes that it has sent to peers which are not listed, as there
                      were too many, or as they are not in the world */
    int64_t iterations; /* of the loop in which that was; 0: not known */
} xmpi_traffic_t;

/* Makes the matrix of RANKS rows, ROWS[i] entries each, which stand one after another in TALK in
 * any order, and may name a peer more than once, or the rank itself. REST: for each rank, NULL: all
 * 0. XMPI_ERR_INPUT where a peer is no rank, or a number is negative; XMPI_ERR_MEMORY. Then there
 * is nothing to free. */
xmpi_status_t xmpi_traffic_make(xmpi_traffic_t *traffic, int ranks, const int32_t *rows,
                                const xmpi_talk_t *talk, const int64_t *rest, xmpi_error_t *error);
void xmpi_traffic_free(xmpi_traffic_t *traffic);

/* What FROM sends TO; all 0 where that is nothing. */
xmpi_talk_t xmpi_traffic_between(const xmpi_traffic_t *traffic, int from, int to);

/* The undirected graph that a mapping is made of: of each pair of ranks the sum of both directions,
 * in the rows of both. SUM is another matrix, with the same errors. */
xmpi_status_t xmpi_traffic_both_ways(const xmpi_traffic_t *traffic, xmpi_traffic_t *sum,
                                     xmpi_error_t *error);

/* The matrix of RANKS of its ranks, number i being RANK[i]; what they send to others is their rest.
 * Errors as before. */
xmpi_status_t xmpi_traffic_part(const xmpi_traffic_t *traffic, int ranks, const int *rank,
                                xmpi_traffic_t *part, xmpi_error_t *error);

/* Keeps the MOST entries that have most bytes, and counts the bytes of the others as the rest of
 * their ranks. XMPI_ERR_MEMORY: as it was. */
xmpi_status_t xmpi_traffic_keep(xmpi_traffic_t *traffic, int64_t most);

/* Messages and bytes of all ranks (peer 0); with GROUP, the node of each rank for example, only
 * those between different groups. */
xmpi_talk_t xmpi_traffic_total(const xmpi_traffic_t *traffic, const int *group);

#endif
