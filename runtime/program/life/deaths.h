/* SPDX-License-Identifier: BSD-3-Clause
 * Deaths: what is to be done when a process was killed. As a rule the process manager ends the job.
 * With mpiexec -disable-auto-cleanup Hydra only tells all the others, by SIGUSR1, and not who it
 * was. Those without whom nobody can go on are members, and processes that are joining them: MPI
 * would wait for one of these for ever. All others are missed by nobody, but for the leader, whom
 * those who are parked wait for. What was noticed once is remembered: some of what MPI does is not
 * to be relied on any more. And Hydra may give no notice of one that was alone on its proxy: who
 * waits for somebody looks by itself. */
#ifndef XMPI_PROGRAM_LIFE_DEATHS_H
#define XMPI_PROGRAM_LIFE_DEATHS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "act/members/shared.h"

/* Whom this process cannot go on without. */
typedef struct {
    pthread_mutex_t lock;
    int n;
    xmpi_door_t *door;         /* malloc */
    bool tells;                /* it says so, others only end */
    bool leaving;              /* it has nothing to do any more than to end */
    atomic_bool any;           /* somebody was killed */
    atomic_uint interval;      /* odd while this process waits for the others at its end */
    unsigned seen;             /* at the last glance */
    unsigned still;            /* glances since that was another one */
    void (*waits)(bool often); /* this process waits for somebody from now on, or not any more */
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

/* The same of NEXT alone: members that are not in it have nothing to do any more than to leave. */
void xmpi_deaths_watch_next(xmpi_deaths_t *deaths, const xmpi_shared_t *shared,
                            const xmpi_layout_t *next, int rank);

/* Only who is at DOOR matters: the leader, to a joiner; nobody, without one. */
void xmpi_deaths_watch_only(xmpi_deaths_t *deaths, const xmpi_door_t *door);

/* The same for process SELF, which parks: whoever leads SHARED's layout is to call it. */
void xmpi_deaths_watch_leader(xmpi_deaths_t *deaths, const xmpi_shared_t *shared, int self);

/* From now on this process only ends, and never returns to the program. Where somebody was killed
 * MPI may let it wait for that one: it ends without MPI a while after the leader has. */
void xmpi_deaths_leave(xmpi_deaths_t *deaths, const xmpi_shared_t *shared);

/* Ends the job with a line if somebody who matters is dead. From any thread; at a notice, and now
 * and then while this process waits. */
void xmpi_deaths_noticed(xmpi_deaths_t *deaths);
void xmpi_deaths_look(xmpi_deaths_t *deaths);

/* At the end of an interval, where all members are waited for: that begins, or is over. */
void xmpi_deaths_interval(xmpi_deaths_t *deaths, bool waits);

/* Every few seconds, from a thread: looks where that wait is the same as the last time, and in a
 * loop where no interval has ended for long. (Before that a member may be away for good reasons:
 * one has left the loop, or the program, earlier.) */
void xmpi_deaths_glance(xmpi_deaths_t *deaths, bool in_loop);

/* Whether somebody was killed in this job, as far as it is known here. */
bool xmpi_deaths_were(xmpi_deaths_t *deaths);

#endif
