/* SPDX-License-Identifier: BSD-3-Clause
 * Running commands: exit statuses are handed on, a signal ends what runs and leaves nothing. */
#ifndef XMPICC_RUN_H
#define XMPICC_RUN_H

#include <signal.h> /* sigset_t: needs _GNU_SOURCE before the first include */

#include <stdbool.h>

#include "driver/base/words.h"

/* From runner_start to runner_end signals that would end the driver wait until what they must not
 * interrupt is done: removing the temporary files comes first. */
typedef struct {
    bool started;
    sigset_t watched;
    sigset_t before; /* the signal mask that children get */
    int caught;      /* the signal that is to end the driver; 0: none */
    int killed_by;   /* the signal that ended the last child; 0: it ended by itself */
} runner_t;

void runner_start(runner_t *runner);

/* Dies of the signal that came meanwhile, if one did; else all is as it was before. Nothing to do
 * when the runner was not started. */
void runner_end(runner_t *runner);

/* Where a child's streams go; -1 keeps the driver's own. */
typedef struct {
    int out;
    int err;
    const char *folder; /* where it runs; NULL: where the driver does */
} streams_t;

enum { RUN_NOT_STARTED = -1 };

/* Runs ARGV (found through PATH) to its end. Its exit status, 128 + the signal that ended it, or
 * RUN_NOT_STARTED with errno set. */
int run(runner_t *runner, const words_t *argv, streams_t streams);

/* The same in FOLDER (NULL: here); what it writes goes to *OUT (NULL: the driver's own standard
 * output) and to *MESSAGES. */
int run_listening(runner_t *runner, const words_t *argv, const char *folder, const char **out,
                  const char **messages);

/* The standard output of ARGV when it ended well; NULL otherwise. */
char *run_capture(runner_t *runner, const words_t *argv);

/* Ends the runner and becomes ARGV; returns an exit status after a message where that is not
 * possible. */
int run_instead(runner_t *runner, const words_t *argv);

#endif
