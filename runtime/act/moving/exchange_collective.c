/* SPDX-License-Identifier: BSD-3-Clause
 * Alltoallv: one collective call of all processes, as in FLEX-MPI (thesis §4.5.3). It is the
 * variant with datatypes, so that all arrays go in one call, without a buffer and without counts
 * that an int cannot hold. */
#include "act/moving/post.h"

static void describe_peer(xmpi_exchange_t *exchange, int peer, bool sending)
{
    int at = (sending ? 0 : exchange->processes) + peer;
    MPI_Datatype type = xmpi_exchange_join(exchange, peer, sending, xmpi_exchange_any);
    exchange->counts[at] = type != MPI_DATATYPE_NULL;
    exchange->type[at] = type != MPI_DATATYPE_NULL ? type : MPI_BYTE;
}

static void begin(xmpi_exchange_t *exchange)
{
    int n = exchange->processes;
    for (int peer = 0; peer < n; peer++) {
        describe_peer(exchange, peer, true);
        describe_peer(exchange, peer, false);
    }
    const int *displs = exchange->counts + 2 * n; /* all 0: addresses are absolute */
    PMPI_Ialltoallw(MPI_BOTTOM, exchange->counts, displs, exchange->type, MPI_BOTTOM,
                    exchange->counts + n, displs, exchange->type + n, exchange->comm,
                    &exchange->request[exchange->requests++]);
}

const xmpi_strategy_t xmpi_strategy_alltoallv = {
    .name = "alltoallv", .background = true, .begin = begin};
