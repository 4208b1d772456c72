/* SPDX-License-Identifier: BSD-3-Clause
 * Farewells: telling parked processes that the program has ended, or that another process leads.
 * They may still be leaving MPI's old world, for which they need the leader to be in MPI, so that
 * it cannot wait for them to answer their door; a thread that makes no MPI call does. */
#ifndef XMPI_ACT_PROCESSES_FAREWELL_H
#define XMPI_ACT_PROCESSES_FAREWELL_H

#include <pthread.h>

#include "act/doors/door.h"

/* Those under way; all zeros at first. */
typedef struct {
    int n;
    pthread_t *thread; /* malloc */
} xmpi_farewells_t;

/* Tells the process of DOOR. Returns at once; failures are told on stderr. */
void xmpi_farewell_say(xmpi_farewells_t *farewells, const xmpi_door_t *door, int process);

/* Tells it that the leader is behind LEADER from now on. It is over when it has been heard. */
void xmpi_farewell_follow(xmpi_farewells_t *farewells, const xmpi_door_t *door, int process,
                          const xmpi_door_t *leader);

/* Tells it that this process is about to end without MPI_Finalize, for which the process manager
 * kills whoever is still there. It is over when the other one has ended, or cannot be reached soon.
 */
void xmpi_farewell_leave(xmpi_farewells_t *farewells, const xmpi_door_t *door, int process);

/* Waits until all have heard it. Outside of MPI only when nobody needs this process in it any more.
 */
void xmpi_farewells_wait(xmpi_farewells_t *farewells);

#endif
