/* SPDX-License-Identifier: BSD-3-Clause
 * Spawners: processes that do nothing but start others with MPI_Comm_spawn, on behalf of the
 * leader.
 *
 * MPI_Comm_spawn returns when the new process is in MPI_Init, which may be never: a node that does
 * not answer, a program that is not there. Nothing can call it off, and a thread that waits in it
 * may keep the others out of MPI. So it is called by a process whose loss hurts nobody: the
 * program's own, spawned alone on the node of the leader when it is first needed, told in MPI_Init
 * what it is, and connected with the leader by a line. Members go on while it works; several work
 * at the same time. */
#ifndef XMPI_ACT_SPAWNING_SPAWNER_H
#define XMPI_ACT_SPAWNING_SPAWNER_H

#include <mpi.h>

#include "act/spawning/command_line.h"
#include "act/doors/doorbell.h"
#include "act/doors/line.h"
#include "act/spawning/order.h"

/* The leader's side of a spawner. */
typedef struct {
    int line;
    bool busy;
    int requested;             /* processes, of the present request */
    xmpi_doorbell_t *doorbell; /* of the leader */
} xmpi_spawner_t;

typedef struct {
    int n;
    int expected;            /* processes that were spawned, less those that have come */
    int coming;              /* spawners that the leader before has told to follow this one */
    xmpi_spawner_t *spawner; /* malloc */
} xmpi_spawners_t;

/* How many are not busy. */
int xmpi_spawners_idle(xmpi_spawners_t *spawners);

/* Whether one is. */
bool xmpi_spawners_busy(xmpi_spawners_t *spawners);

/* The spawner at the other end of LINE, which has said who it is, has been told to follow; false,
 * and the line is the caller's, where none is expected. */
bool xmpi_spawners_take(xmpi_spawners_t *spawners, xmpi_doorbell_t *doorbell, int line);

/* Waits for those that have been told to follow this process; those that do not come are done
 * without. Before it hands over to the next one, or ends: who finds nobody behind the door takes the
 * leader for dead. */
void xmpi_spawners_await(xmpi_spawners_t *spawners, xmpi_doorbell_t *doorbell);

/* Sees to it that there are WANTED spawners that are not busy, on NODE; the job ends with a line
 * when one has not come after SECONDS. DOORBELL is the caller's; SELF a communicator of the caller
 * alone that returns errors. */
xmpi_status_t xmpi_spawners_need(xmpi_spawners_t *spawners, int wanted, const char *node,
                                 MPI_Comm self, xmpi_doorbell_t *doorbell, int64_t seconds,
                                 xmpi_error_t *error);

/* Starts N processes of COMMAND on the seats, of which those of a group are one behind another, and
 * gives each ORDER (which begins with its head). Returns at once; the spawner is busy. */
xmpi_status_t xmpi_spawner_request(xmpi_spawner_t *spawner, const xmpi_seat_t *seats, int n,
                                   const xmpi_command_line_t *command, const xmpi_pack_t *order,
                                   xmpi_error_t *error);

/* What the busy spawner I says, whose line can be read: its result, and it is free again, or that a
 * process is on another node, for which the door is opened. */
xmpi_status_t xmpi_spawner_result(xmpi_spawners_t *spawners, int i, xmpi_error_t *error);

/* Another process leads from now on: FOLLOWED spawners that are not busy serve that behind DOOR, the
 * others end. Nobody may be busy. */
void xmpi_spawners_hand_over(xmpi_spawners_t *spawners, int followed, const xmpi_door_t *door);

/* Lets all end. One that is still waiting for a process that does not come ends when the caller has
 * ended, and the job with it, as the process manager may go on waiting. */
void xmpi_spawners_close(xmpi_spawners_t *spawners);

/* The life of a spawner whose order had HEAD. Returns when it is to end. */
void xmpi_spawner_serve(const xmpi_order_head_t *head, MPI_Comm self);

#endif
