/* SPDX-License-Identifier: BSD-3-Clause
 * One run of the program: with a limit of time, and nothing of it left when it is over. */
#ifndef XMPIRUN_CHECK_JOB_H
#define XMPIRUN_CHECK_JOB_H

#include <stdbool.h>

#include "run/job/family.h"

enum { JOB_SETTINGS_MAX = 16 };

typedef struct {
    char *const *command;                     /* NULL-terminated */
    const char *setting[JOB_SETTINGS_MAX][2]; /* of the environment; without a value: not set */
    int settings;
    const char *in, *out, *err; /* files */
    double limit;               /* seconds; 0: none */
    double held;        /* seconds that it stands still, a part of them each time; 0: none */
    double held_within; /* seconds that it takes else, over which that is spread */
    family_part_t who;  /* stands still: all, or one of the ranks */
} job_run_t;

typedef struct {
    int status; /* exit status, 128 + n when signal n ended it */
    bool late;  /* it was killed at its limit */
    double seconds;
} job_end_t;

/* Has orphans of our jobs come to us, and signals that end us kept (job_signal). */
void job_prepare(void);

/* The signal that was sent to us; 0: none. */
int job_signal(void);

/* Runs it; a signal to us ends it. */
job_end_t job_run(const job_run_t *run);

#endif
