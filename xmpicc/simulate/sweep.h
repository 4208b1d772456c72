/* SPDX-License-Identifier: BSD-3-Clause
 * All runs of a scenario: each point with each technique and each seed, several at a time. */
#ifndef XMPI_SIMULATE_SWEEP_H
#define XMPI_SIMULATE_SWEEP_H

#include "simulate/scenario/result.h"
#include "simulate/scenario/scenario.h"

typedef struct {
    const sim_scenario_t *scenario;
    int seeds;
    uint64_t first_seed;
    int jobs;             /* runs at a time */
    bool progress;        /* a bar on stderr */
    sim_result_t *result; /* malloc: of each run, by sim_sweep_result */
} sim_sweep_t;

/* Makes all runs. XMPI_ERR_INPUT, XMPI_ERR_MEMORY, XMPI_ERR_PROCESS. The result is to be freed in
 * any case. */
xmpi_status_t sim_sweep(sim_sweep_t *sweep, xmpi_error_t *error);

/* Of the SEED-th of the seeds, from 0 on. */
const sim_result_t *sim_sweep_result(const sim_sweep_t *sweep, int point, int technique, int seed);

#endif
