/* SPDX-License-Identifier: BSD-3-Clause
 * Deaths: what is to be done when a process was killed. As a rule the process manager ends the job.
 * With mpiexec -disable-auto-cleanup Hydra only tells all the others, by SIGUSR1, and not who it
 * was. Those without whom nobody can go on are members, and processes that are joining them: MPI
 * would wait for one of these for ever. All others are missed by nobody. */
#ifndef XMPI_PROGRAM_LIFE_DEATHS_H
#define XMPI_PROGRAM_LIFE_DEATHS_H

#include <pthread.h>
#include <stdbool.h>

#include "act/members/shared.h"

/* Whom this process cannot go on without. */
typedef struct {
    pthread_mutex_t lock;
    int n;
    xmpi_door_t *door; /* malloc */
    bool tells;        /* it says so, others only end */
} xmpi_deaths_t;

/* From here on the notice does not end this process, unless the program deals with it. For one that
 * may be started while others are killed, as soon as it runs; taken back in one that is not ours.
 */
void xmpi_deaths_ignore(void);
void xmpi_deaths_ignore_no_more(void);

/* NOTICED is called at each notice, in a signal handler, where the program does not deal with it.
 */
void xmpi_deaths_listen(void (*noticed)(int));

/* From now on the members of LAYOUT and NEXT (may be NULL) matter: all to the leader, the leader to
 * all others. */
void xmpi_deaths_watch(xmpi_deaths_t *deaths, const xmpi_shared_t *shared,
                       const xmpi_layout_t *next, int rank);

/* Only who is at DOOR matters: the leader, to a joiner; nobody, without one. */
void xmpi_deaths_watch_only(xmpi_deaths_t *deaths, const xmpi_door_t *door);

/* Ends the job with a line if somebody who matters is dead. From any thread. */
void xmpi_deaths_look(xmpi_deaths_t *deaths);

#endif
