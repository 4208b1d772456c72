/* SPDX-License-Identifier: BSD-3-Clause
 * What xmpirun --check says. */
#ifndef XMPIRUN_CHECK_TELL_H
#define XMPIRUN_CHECK_TELL_H

#include "run/check/reduce.h"
#include "run/check/trial.h"

void tell_begin(const bench_t *bench);

/* A line of the table. */
void tell_trial(const bench_t *bench, const trial_t *trial, const outcome_t *outcome);

/* Of an outcome that cannot be told: TOOL_MISUSED. */
int tell_untold(const bench_t *bench, const outcome_t *outcome);

/* Of a program that a signal ends as it is: TOOL_MISUSED, after a line; else TOOL_OK. */
int tell_signal(const bench_t *bench);

/* What is not compared or checked, and what differs by rounding only. */
void tell_varying(const bench_t *bench);

/* What differs. */
void tell_difference(const bench_t *bench, const trial_t *trial, const outcome_t *outcome);
void tell_reduction(const bench_t *bench, const trial_t *trial, const story_t *story,
                    const reduction_t *reduction);

#endif
