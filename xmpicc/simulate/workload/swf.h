/* SPDX-License-Identifier: BSD-3-Clause
 * The Standard Workload Format (Chapin et al. 1999; version 2.2 of the Parallel Workloads Archive):
 * a line of 18 numbers for each job, -1 where one is not known; lines that begin with ; are
 * comments. */
#ifndef XMPI_SIMULATE_WORKLOAD_SWF_H
#define XMPI_SIMULATE_WORKLOAD_SWF_H

#include <stdio.h>

#include "simulate/workload/jobs.h"

/* Adds the first MOST (0: all) of the jobs of the file PATH that ran: of those that did not,
 * seconds or processors are not known, or 0. A job that took longer than was requested had so
 * long. XMPI_ERR_INPUT, with the line; XMPI_ERR_MEMORY. */
xmpi_status_t sim_swf_read(sim_jobs_t *jobs, const char *path, int64_t most, xmpi_error_t *error);

/* Writes the jobs as they were simulated; what a job held is in field 5 as its mean. */
void sim_swf_write(const sim_jobs_t *jobs, int pes, FILE *file);

#endif
