/* SPDX-License-Identifier: BSD-3-Clause
 * Spawn: starting processes with MPI_Comm_spawn, and giving them their orders. */
#ifndef XMPI_ACT_SPAWNING_SPAWN_H
#define XMPI_ACT_SPAWNING_SPAWN_H

#include <mpi.h>

#include "act/spawning/command_line.h"
#include "act/spawning/order.h"

/* A variable in the environment of the processes that XMPI spawns; they take it out in MPI_Init. */
#define XMPI_SPAWNED_MARK "XMPI_SPAWNED"

enum { XMPI_SPAWNER = -2 }; /* stands for the number of a process that will be a spawner */

/* Where those that are on other nodes than the leader find its door: fills the door of HEAD. */
typedef bool xmpi_reach_t(void *context, xmpi_order_head_t *head);

/* What is to be started. */
typedef struct {
    xmpi_seat_t *seat; /* those of a group one behind another; who has none is started alone, so
                          that it can end alone (thesis Alg. 1) */
    int n;
    const xmpi_command_line_t *command;
    const xmpi_pack_t *order; /* for each of them */
    xmpi_reach_t *reach;      /* asked when one has come up on another node, and its CONTEXT */
    void *context;
} xmpi_spawn_t;

void xmpi_spawn_put(xmpi_pack_t *pack, const xmpi_spawn_t *spawn);

/* Does all that was put, with REACH and its CONTEXT. SELF is a communicator of the caller alone
 * that returns errors. */
xmpi_status_t xmpi_spawn_read_and_do(xmpi_pack_t *pack, MPI_Comm self, xmpi_reach_t *reach,
                                     void *context, xmpi_error_t *error);

/* One process alone, on SEAT. */
xmpi_status_t xmpi_spawn_alone(const xmpi_spawn_t *spawn, const xmpi_seat_t *seat, MPI_Comm self,
                               xmpi_error_t *error);

/* The other side: a spawned process says where it is and receives its order over PARENT, which is
 * then disconnected. */
void xmpi_spawn_receive(MPI_Comm parent, xmpi_pack_t *order);

#endif
