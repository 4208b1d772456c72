/* SPDX-License-Identifier: BSD-3-Clause
 * Orphan: a spawned process in MPI_Init whose job is gone. When mpiexec is killed between starting
 * a proxy and hearing of it, neither the proxy nor MPI_Init notices: both would wait for ever. */
#ifndef XMPI_PROGRAM_ORPHAN_H
#define XMPI_PROGRAM_ORPHAN_H

#include <pthread.h>
#include <stdbool.h>

/* Watches while a process is in MPI_Init. */
typedef struct {
    bool on;
    bool over;
    int launcher; /* the parent of the parent, at first */
    long seconds;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} xmpi_guard_t;

/* From now on this process, if it was spawned, ends when the process that started its proxy has
 * ended, or when SECONDS have passed. */
void xmpi_guard_start(xmpi_guard_t *guard, long seconds);
void xmpi_guard_stop(xmpi_guard_t *guard);

#endif
