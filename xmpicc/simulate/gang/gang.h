/* SPDX-License-Identifier: BSD-3-Clause
 * Gang scheduling of jobs that may not fit into memory (Nakazawa 2005, ch. 3): the rows of a trace
 * matrix are time slices, its columns processors, and the processes of a job run at the same time.
 * A job that has fewer processors than its critical number reads what does not fit, again and
 * again; who allots processors may know that, or not. */
#ifndef XMPI_SIMULATE_GANG_GANG_H
#define XMPI_SIMULATE_GANG_GANG_H

#include "simulate/scenario/result.h"
#include "simulate/scenario/technique.h"
#include "simulate/scenario/values.h"

/* A job. */
typedef struct {
    double parallel; /* share of its computation that is divided among its processors */
    int critical;    /* processors from which on its data fit into their memory */
} sim_gang_job_t;

/* Processors that JOB is allotted of PROCESSORS, where it computes for SECONDS on one: as the
 * policies of section 3.3.1 say. */
int sim_gang_size(const sim_gang_job_t *job, sim_gang_size_t policy, int processors,
                  double seconds);

/* Seconds for which JOB has to run on SIZE processors: Eqs 3.1 and 3.2. */
double sim_gang_seconds(const sim_values_t *values, const sim_gang_job_t *job, int size);

/* Simulates the jobs that VALUES have (sim_values_have_gangs), all of which are there at the begin.
 * XMPI_ERR_MEMORY. */
xmpi_status_t sim_gang_run(const sim_values_t *values, const sim_technique_t *technique,
                           uint64_t seed, sim_result_t *result, xmpi_error_t *error);

#endif
