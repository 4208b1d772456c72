/* SPDX-License-Identifier: BSD-3-Clause
 * The smallest set of changes that still shows a difference: delta debugging (Zeller & Hildebrandt
 * 2002, Simplifying and isolating failure-inducing input, algorithm ddmin). */
#ifndef XMPIRUN_CHECK_REDUCE_H
#define XMPIRUN_CHECK_REDUCE_H

#include "run/check/trial.h"

/* What is left of the changes of a run. */
typedef struct {
    int changes;
    int *change;    /* indices, ascending: malloc */
    int runs;       /* that it took */
    bool shown;     /* the difference was seen again */
    bool ran_out;   /* of time: it need not be the smallest */
    outcome_t last; /* of the run that showed it with these changes, when SHOWN */
} reduction_t;

/* Repeats TRIAL, which came to OUTCOME, with fewer and fewer changes for at most SECONDS. What
 * differs in another way is another difference, which need not come of these changes. */
reduction_t reduce(bench_t *bench, const trial_t *trial, const outcome_t *outcome, double seconds);
void reduction_free(reduction_t *reduction);

/* Writes the N changes CHANGE of STORY as a schedule; whether it could. */
bool schedule_write(const char *path, const story_t *story, const int *change, int n);

#endif
