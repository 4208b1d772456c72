/* SPDX-License-Identifier: BSD-3-Clause
 * The course of a job, as xmpirun has seen it. */
#ifndef XMPIRUN_COURSE_H
#define XMPIRUN_COURSE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "noise.h"

/* What the job has had so far, by what it has told: sums over its loops. */
typedef struct {
    double held, used, lost, given_back; /* node-seconds */
    double cost;
    double nodes; /* with members, the last time */
    double since; /* the present loop began; seconds since 1970, like the other */
    double until; /* when that was; 0: it has told nothing */
} spent_t;

/* What is known at the end: what the job said last of each loop that it has ended. */
typedef struct {
    cJSON *loops;     /* an array */
    cJSON *unheard;   /* of the loop that was not heard to end; NULL: none */
    bool connected;   /* the job's socket was there */
    bool reached;     /* a loop of the job was seen */
    bool stopped;     /* somebody has told it to end */
    bool lost;        /* mpiexec has told that it has lost a process ... */
    noise_loss_t loss; /* ... which */
    double iteration; /* that was heard of last */
    spent_t ended;    /* by loops that have ended */
    spent_t spent;    /* and by the present one */
    double seconds;   /* from the start of mpiexec to its end */
} course_t;

#endif
