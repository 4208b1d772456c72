/* SPDX-License-Identifier: BSD-3-Clause
 * Orphan: a process whose job is gone. When mpiexec is killed, its proxies notice by a connection
 * that closes; but one that was being started then has the connections of the others open, and they
 * all go on. When a proxy is killed, nobody but its processes notices. So processes look after
 * themselves. */
#ifndef XMPI_PROGRAM_LIFE_ORPHAN_H
#define XMPI_PROGRAM_LIFE_ORPHAN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* A thread that sleeps until the job is gone. */
typedef struct {
    bool on;
    int proxy;    /* pidfd */
    int launcher; /* pidfd of the process that started the proxy */
    int stop[2];  /* pipe, as is the other */
    int notice[2];
    void (*noticed)(void);
    void (*look)(void);
    void (*glance)(void);
    bool often;   /* the thread's own */
    long seconds; /* that starting may take; 0: as long as it likes */
    atomic_bool started;
    pthread_t thread;
} xmpi_guard_t;

/* From now on this process, if a proxy of Hydra's has started it, ends when the proxy or its own
 * parent has; also when xmpi_guard_started has not been called after SECONDS and it was spawned:
 * the process that was to tell it what to do may have been killed. */
void xmpi_guard_start(xmpi_guard_t *guard, long seconds, void (*noticed)(void), void (*look)(void),
                      void (*glance)(void));
void xmpi_guard_started(xmpi_guard_t *guard);
void xmpi_guard_stop(xmpi_guard_t *guard);

/* Lets the guard's thread call NOTICED. From a signal handler, also when there is no guard. */
void xmpi_guard_notice(xmpi_guard_t *guard);

/* Lets it call LOOK, after a second and then less and less often; or GLANCE instead, every few
 * seconds. */
void xmpi_guard_look(xmpi_guard_t *guard, bool often);

#endif
