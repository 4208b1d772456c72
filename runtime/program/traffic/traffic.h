/* SPDX-License-Identifier: BSD-3-Clause
 * Gathering who sends how much to whom, where somebody wants to know. */
#ifndef XMPI_PROGRAM_TRAFFIC_TRAFFIC_H
#define XMPI_PROGRAM_TRAFFIC_TRAFFIC_H

#include <mpi.h>

#include "decide/mapping/traffic.h"
#include "program/context.h"

/* What the members have sent since the loop began or its last change, by their ranks, into TRAFFIC,
 * at the leader only, who frees it; the others get an empty one. XMPI_ERR_MEMORY there where it has
 * no memory; all others return XMPI_OK. Collective over the world. */
xmpi_status_t xmpi_traffic_gather(const xmpi_context_t *context, xmpi_traffic_t *traffic);

/* The same of the processes of COMM, whose ranks are those of the world, at its first one. */
xmpi_status_t xmpi_traffic_gather_over(MPI_Comm comm, xmpi_traffic_t *traffic);

#endif
