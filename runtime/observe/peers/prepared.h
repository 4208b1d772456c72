/* SPDX-License-Identifier: BSD-3-Clause
 * What persistent requests send each time that they are started. */
#ifndef XMPI_OBSERVE_PEERS_PREPARED_H
#define XMPI_OBSERVE_PEERS_PREPARED_H

#include <mpi.h>

#include "decide/mapping/traffic.h"

/* So many requests are known, with so many entries together. */
enum { XMPI_PREPARED_MAX = 4096, XMPI_PREPARED_TALK_MAX = 1 << 16 };

/* REQUEST sends these N; what one of the same handle has sent is forgotten. */
void xmpi_prepared_put(MPI_Request request, int n, const xmpi_talk_t *talk);

/* What it sends, and at N how many; NULL: nothing that is known. */
const xmpi_talk_t *xmpi_prepared_get(MPI_Request request, int *n);

void xmpi_prepared_free(void);

#endif
