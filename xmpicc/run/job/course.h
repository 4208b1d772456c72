/* SPDX-License-Identifier: BSD-3-Clause
 * The course of a job, as xmpirun has seen it. */
#ifndef XMPIRUN_COURSE_H
#define XMPIRUN_COURSE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* What is known at the end: what the job said last of each loop that it has ended. */
typedef struct {
    cJSON *loops;   /* an array */
    bool connected; /* the job's socket was there */
    bool reached;   /* a loop of the job was seen */
    bool stopped;     /* somebody has told it to end */
    double iteration; /* that was heard of last */
    double seconds; /* from the start of mpiexec to its end */
} course_t;

#endif
