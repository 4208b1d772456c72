/* SPDX-License-Identifier: BSD-3-Clause
 * A sampling interval: what its end shows the leader, what that decides, and the change. */
#ifndef XMPI_SIMULATE_PROGRAM_DECIDE_H
#define XMPI_SIMULATE_PROGRAM_DECIDE_H

#include "simulate/program/state.h"

void sim_begin_interval(sim_run_t *run);

/* After an iteration: the first one after a change is not measured, where the interval has others,
 * as in programs that run. */
void sim_settle(sim_run_t *run);

/* The samples go to the leader; what it decides is carried out. XMPI_ERR_MEMORY,
 * XMPI_ERR_INTERNAL. */
xmpi_status_t sim_end_interval(sim_run_t *run, xmpi_error_t *error);

/* The same, but nothing changes: what the numbers of members up to MOST are worth
 * (decide/planning/worth.h); none where nothing can be foretold yet. */
xmpi_status_t sim_ask_worth(sim_run_t *run, int most, xmpi_worth_t *worth, int *worths,
                            xmpi_error_t *error);

/* What the present members cost. */
double sim_cost_per_second(const sim_run_t *run);

#endif
