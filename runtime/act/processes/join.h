/* SPDX-License-Identifier: BSD-3-Clause
 * Join: the transit communicator of a change, of members and joiners. */
#ifndef XMPI_ACT_PROCESSES_JOIN_H
#define XMPI_ACT_PROCESSES_JOIN_H

#include <mpi.h>

#include "act/members/change.h"
#include "act/world/world.h"

/* Where a process can be met by others that were started elsewhere. */
typedef struct {
    char name[MPI_MAX_PORT_NAME];
} xmpi_port_t;

/* Opens a port of this process; xmpi_join closes it. XMPI_ERR_PROCESS when the MPI has no dynamic
 * processes. */
xmpi_status_t xmpi_port_open(xmpi_port_t *port, xmpi_error_t *error);

/* Whether the text of PORT, which has come from elsewhere, ends. */
bool xmpi_port_is_sound(const xmpi_port_t *port);

/* Whether this MPI can open ports: without them it cannot spawn members. Local. */
bool xmpi_port_probe(void);

/* Collective over all that take part in CHANGE. ME is the caller's transit rank. PORTS are those of
 * the joiners and, behind them, of the leader; read at the joiners and the leader, not where all
 * were started together. Somebody must join. */
MPI_Comm xmpi_join(const xmpi_change_t *change, const xmpi_shared_t *shared, xmpi_world_t *world,
                   int me, const xmpi_port_t *ports);

/* The world after the change: the transit communicator itself where it has the right ranks, else
 * another, MPI_COMM_NULL for those that leave. Everybody knows the new ranks, so that it takes one
 * round of messages, not the two of MPI_Comm_split. Collective over the transit communicator. */
MPI_Comm xmpi_join_finish(const xmpi_change_t *change, MPI_Comm transit);

#endif
