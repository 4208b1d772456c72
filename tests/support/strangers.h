/* SPDX-License-Identifier: BSD-3-Clause
 * Strangers: a process that connects with all doors of a job, and is in the way. */
#ifndef XMPI_TESTS_STRANGERS_H
#define XMPI_TESTS_STRANGERS_H

#include <sys/types.h>

typedef struct {
    pid_t pid;
    int report; /* a pipe: how many connections were made */
} strangers_t;

/* Keeps SILENT connections with every door of the processes that run the program PATH, and makes
 * PER_SECOND more in all, which end at once; doors that come later as well. */
strangers_t strangers_start(const char *path, int silent, int per_second);

/* Ends them. How many connections there were. */
long strangers_stop(strangers_t *strangers);

#endif
