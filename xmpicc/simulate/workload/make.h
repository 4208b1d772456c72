/* SPDX-License-Identifier: BSD-3-Clause
 * The jobs that a scenario says. */
#ifndef XMPI_SIMULATE_WORKLOAD_MAKE_H
#define XMPI_SIMULATE_WORKLOAD_MAKE_H

#include "simulate/workload/jobs.h"

/* The jobs of a scenario: of its file, or generated from SEED; which of them are moldable or
 * malleable depends on the seed, and those of a smaller share are among those of a larger one.
 * XMPI_ERR_INPUT, XMPI_ERR_MEMORY. To be freed all the same. */
xmpi_status_t sim_jobs_make(sim_jobs_t *jobs, const sim_values_t *values, uint64_t seed,
                            xmpi_error_t *error);

#endif
