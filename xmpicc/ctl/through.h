/* SPDX-License-Identifier: BSD-3-Clause
 * The line to a job for other programs, and for jobs of other users. */
#ifndef XMPICTL_THROUGH_H
#define XMPICTL_THROUGH_H

#include "tool/job.h"

/* Root becomes USER, by name or number, for good. 0, or the exit status after a message. */
int through_as(const char *user);

/* What comes from standard input goes to JOB, and what it answers to standard output, until one of
 * them ends. 0, or the exit status after a message. */
int through_pass(job_t *job);

#endif
