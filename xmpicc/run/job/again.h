/* SPDX-License-Identifier: BSD-3-Clause
 * Starting a job again that has lost a process: it goes on from its last checkpoint. */
#ifndef XMPIRUN_AGAIN_H
#define XMPIRUN_AGAIN_H

#include <stdbool.h>

#include "course.h"
#include "options.h"

/* How often that was done, and how far the job was the last time. All zeros: never. */
typedef struct {
    int times, in_vain;
    long long loop, iteration;
    spent_t spent; /* by what was started before */
} again_t;

/* Before the job is started: whether it can be started again if it loses a process. */
bool again_prepare(const options_t *options);

/* The job has ended with STATUS: whether it is to be started again, which is said, and prepared. It
 * is where the program has not ended itself, as long as it gets further each time. */
bool again_wanted(const options_t *options, int status, const course_t *course, again_t *again);

/* The exit status of the job, which has ended with STATUS, mpiexec's: not 0 where mpiexec has
 * killed all processes on account of one. */
int again_status(const options_t *options, int status, const course_t *course);

/* It is not: who was killed, in a line, and what would have let the job go on. */
void again_tell_loss(const course_t *course);

#endif
