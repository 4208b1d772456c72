/* SPDX-License-Identifier: BSD-3-Clause
 * The running jobs of this user: on this machine, and, by the directory in XMPI_JOBS, on others. */
#ifndef XMPICTL_JOBS_H
#define XMPICTL_JOBS_H

#include <stdbool.h>

#include "tool/job.h"

enum { CTL_REFUSED = 1, CTL_NO_JOB = 3 };

typedef struct {
    char name[320]; /* the number that it has in xmpictl's eyes: that of its first leader; behind
                       the host's name where it was found by the directory */
    cJSON *status;  /* what it tells about itself */
} found_t;

/* All of them, malloc; how many, or less than 0 after a message. Sockets of jobs that were killed
 * are removed on the way. ELSEWHERE: also those on other machines. Each is waited for PATIENCE
 * seconds, and says nothing of itself then but that. */
int jobs_find(found_t **found, bool elsewhere, double patience);
void jobs_free(found_t *found, int jobs);

/* Connects to the job NAME: its number, that in the directory, the name of its program, where no
 * other here has that, or the path of its socket; NULL: to the only one, which is
 * waited for PATIENCE seconds. 0, or the exit status after a message. */
int jobs_connect(const char *name, double patience, job_t *job);

/* That the job NAME is silent, or stands still. The exit status. */
int jobs_say_silent(const char *name, const job_t *job);

#endif
