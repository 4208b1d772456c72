/* SPDX-License-Identifier: BSD-3-Clause
 * Remains: what there is on this node of a job whose mpiexec or proxy is gone. */
#ifndef XMPI_PROGRAM_LIFE_REMAINS_H
#define XMPI_PROGRAM_LIFE_REMAINS_H

#include <stdbool.h>

/* Who has started this process: the nearest of its ancestors that is a proxy of Hydra's. */
typedef struct {
    int proxy;
    int launcher; /* that one's parent: mpiexec, a remote shell; or who has taken it in, where that
                     has ended; 0: nobody whom this process could see */
    bool lost;    /* it has taken it in */
} xmpi_ancestors_t;

/* False where there is no proxy. */
bool xmpi_remains_ancestors(xmpi_ancestors_t *ancestors);

/* Ends this process, and the proxies of its job on this node, with what these have started: those
 * of a dead mpiexec have nobody left to tell them to end, and spin; those of one that has lost one
 * of them have a job that cannot go on. From any thread, whatever the others are doing. */
_Noreturn void xmpi_remains_end(void);

#endif
