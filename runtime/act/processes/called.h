/* SPDX-License-Identifier: BSD-3-Clause
 * Being called: what a process does that others want in (act/processes/call.h). */
#ifndef XMPI_ACT_PROCESSES_CALLED_H
#define XMPI_ACT_PROCESSES_CALLED_H

#include <pthread.h>
#include <stdbool.h>

#include "act/doors/doorbell.h"
#include "act/doors/line.h"
#include "act/members/shared.h"
#include "act/processes/join.h"
#include "act/spawning/order.h"
#include "decide/layout/cores.h"

/* How a spawned process introduces itself. Plain data. */
typedef struct {
    int process;
    int number;
    xmpi_port_t port;
    xmpi_door_t door;
} xmpi_hello_t;

/* Reads an order to join, as it stands in PACK: the head, the process that the caller is in it,
 * SHARED and NEXT; PACK then stands at the live variables. The order to a group tells the processes
 * and their nodes, and the caller is one on its NODE; WORLD is private to what was started
 * together.
 */
xmpi_status_t xmpi_call_read(xmpi_pack_t *pack, const char *node, MPI_Comm world,
                             xmpi_order_head_t *head, xmpi_shared_t *shared, xmpi_layout_t *next);

/* A hello on its way: the leader may answer its door only at the end of an interval, and the
 * process runs its prologue meanwhile. */
typedef struct {
    bool going;
    pthread_t thread; /* that waits for the leader */
    int line;
    xmpi_door_t door; /* of the leader */
    xmpi_pack_t hello;
} xmpi_greeting_t;

/* A spawned process says that it is there, where it can be met and woken, and what the CORES of its
 * node are behind, where it has looked. False when it is not
 * wanted any more, as far as is known yet. */
bool xmpi_call_hello(const xmpi_order_head_t *head, const xmpi_port_t *port,
                     const xmpi_door_t *door, const xmpi_cores_t *cores, xmpi_greeting_t *greeting);

/* Waits until the leader has heard a greeting that is going. */
void xmpi_call_hello_end(xmpi_greeting_t *greeting);

/* Says that the caller is ready, when GREETING has arrived if it is going, and waits. PORTS
 * (malloc) when it goes on; else whether others of its group have BROKEN, or may have, and LINE,
 * which a greeting opens, stays open: the caller closes it, by its end if it ends. */
bool xmpi_call_ready(xmpi_greeting_t *greeting, int *line, xmpi_port_t **ports, bool *broken);

#endif
