/* SPDX-License-Identifier: BSD-3-Clause
 * A workload: many jobs on one machine, from the first submission to the last end. */
#ifndef XMPI_SIMULATE_WORKLOAD_WORKLOAD_H
#define XMPI_SIMULATE_WORKLOAD_WORKLOAD_H

#include <stdio.h>

#include "simulate/scenario/result.h"
#include "simulate/scenario/technique.h"
#include "simulate/scenario/values.h"

/* Simulates the jobs that VALUES have (sim_values_have_jobs); once in a process. SCHEDULE: where
 * they are written as they ran, in the Standard Workload Format; NULL: nowhere. XMPI_ERR_INPUT,
 * XMPI_ERR_MEMORY, XMPI_ERR_INTERNAL. */
xmpi_status_t sim_workload_run(const sim_values_t *values, const sim_technique_t *technique,
                               uint64_t seed, FILE *schedule, sim_result_t *result,
                               xmpi_error_t *error);

#endif
