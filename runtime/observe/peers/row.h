/* SPDX-License-Identifier: BSD-3-Clause
 * A row of the matrix while it grows: a hash table by peer, of bounded size. */
#ifndef XMPI_OBSERVE_PEERS_ROW_H
#define XMPI_OBSERVE_PEERS_ROW_H

#include "decide/mapping/traffic.h"

typedef struct {
    int most;           /* peers that are told apart */
    int n;              /* that there are */
    int room;           /* places of the table, a power of 2; 0: there is none yet */
    xmpi_talk_t *place; /* malloc; messages -1: nobody's */
    int64_t rest;       /* bytes of those for whom there was no place */
} xmpi_row_t;

/* More for PEER; -1: for nobody who can be named. */
void xmpi_row_add(xmpi_row_t *row, int peer, int64_t messages, int64_t bytes);

/* Its N entries in any order; malloc. NULL: no memory. */
xmpi_talk_t *xmpi_row_list(const xmpi_row_t *row);

/* Empties it. */
void xmpi_row_clear(xmpi_row_t *row);

#endif
