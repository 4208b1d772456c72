/* SPDX-License-Identifier: BSD-3-Clause
 * What came of the runs of a scenario, as comma-separated values. */
#ifndef XMPI_SIMULATE_TABLE_H
#define XMPI_SIMULATE_TABLE_H

#include <stdio.h>

#include "simulate/sweep.h"

/* Of the seconds of some runs. */
typedef struct {
    double mean;
    double half; /* of the interval that has the true mean with a probability of 95 %; 0: one run */
} sim_mean_t;

sim_mean_t sim_mean(const sim_sweep_t *sweep, int point, int technique);

/* How much shorter, in percent, than with the first technique: the mean over the seeds, each of
 * which has the same loads for all techniques. */
sim_mean_t sim_gain(const sim_sweep_t *sweep, int point, int technique);

/* A line for each point and technique. */
void sim_table_write(const sim_sweep_t *sweep, FILE *file);

/* A line for each claim: in how many of the seeds it holds. */
void sim_table_write_claims(const sim_sweep_t *sweep, FILE *file);

/* A line for each run. */
void sim_table_write_runs(const sim_sweep_t *sweep, FILE *file);

#endif
