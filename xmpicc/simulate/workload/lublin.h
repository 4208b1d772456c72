/* SPDX-License-Identifier: BSD-3-Clause
 * Rigid jobs as they are submitted to a cluster: the model of U. Lublin and D. G. Feitelson (The
 * workload on parallel supercomputers: modeling the characteristics of rigid jobs, JPDC 63, 2003),
 * with its published parameters for jobs of one type. */
#ifndef XMPI_SIMULATE_WORKLOAD_LUBLIN_H
#define XMPI_SIMULATE_WORKLOAD_LUBLIN_H

#include "simulate/workload/jobs.h"

/* Adds COUNT jobs for a machine of PES processing elements, from midnight on. XMPI_ERR_MEMORY. */
xmpi_status_t sim_lublin(sim_jobs_t *jobs, int count, int pes, uint64_t seed);

#endif
