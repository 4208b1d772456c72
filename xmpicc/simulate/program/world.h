/* SPDX-License-Identifier: BSD-3-Clause
 * The world of a simulated run: its platform, the processes on it, and what the leader knows. */
#ifndef XMPI_SIMULATE_PROGRAM_WORLD_H
#define XMPI_SIMULATE_PROGRAM_WORLD_H

#include "simulate/program/state.h"

/* Makes all of RUN whose values, technique and seed are set, up to the first iteration.
 * XMPI_ERR_INPUT, XMPI_ERR_MEMORY; to be freed all the same. */
xmpi_status_t sim_world_make(sim_run_t *run, xmpi_error_t *error);
void sim_world_free(sim_run_t *run);

#endif
