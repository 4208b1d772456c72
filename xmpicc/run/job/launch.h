/* SPDX-License-Identifier: BSD-3-Clause
 * Starting mpiexec. */
#ifndef XMPIRUN_LAUNCH_H
#define XMPIRUN_LAUNCH_H

#include <sys/types.h>

#include "options.h"

typedef struct {
    pid_t pid;         /* of mpiexec */
    int out, err;      /* the read ends of its output; err -1: it is in out, as both are one file */
    char control[128]; /* the socket of the job; empty: none */
    char hosts[4096];  /* a file to be removed at the end; empty: none */
} launch_t;

/* Starts mpiexec; its output goes through pipes. 0, or the exit status after a message. */
int launch(const options_t *options, launch_t *launched);

/* Removes what was made for it. */
void launch_clean(const launch_t *launched);

#endif
