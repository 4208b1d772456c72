/* SPDX-License-Identifier: BSD-3-Clause
 * Shells: the remote shells by which mpiexec starts its proxies on other nodes. One that could not
 * get there, or has found no proxy there, has ended; mpiexec does not look at that, and waits for
 * ever. */
#ifndef XMPIRUN_SHELLS_H
#define XMPIRUN_SHELLS_H

#include <stdbool.h>
#include <sys/types.h>

enum { SHELLS_SEEN = 64, SHELLS_NODE = 64 };

typedef struct {
    pid_t mpiexec;
    bool over;        /* there is nothing to look at any more */
    double begin;     /* of mpiexec; like the others by xmpi_seconds_now() */
    double next;      /* when to look again */
    double ended;     /* since when one is known to have failed; 0: none is */
    int status;       /* with which it has */
    const char *node; /* that it was to get to; NULL: it ended too soon to be known, or there are
                         too many */
    int n;            /* that were seen alive */
    struct {
        pid_t pid;
        char node[SHELLS_NODE];
    } seen[SHELLS_SEEN];
} shells_t;

void shells_begin(shells_t *shells, pid_t mpiexec);

/* How long nothing need be looked at, milliseconds; -1: for ever. */
int shells_patience(const shells_t *shells);

/* Looks, where it is time to. Whether one has failed some time ago. BEGUN: the job has come to
 * MPI_Init, where all initial proxies are there, and shells that fail are of processes that it can
 * do without. */
bool shells_failed(shells_t *shells, bool begun);

#endif
