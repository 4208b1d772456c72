/* SPDX-License-Identifier: BSD-3-Clause
 * A run of a program with one technique, simulated: iterations take what the loads leave and what
 * SimGrid's network says; at the end of each sampling interval xmpi_leader_step decides, as it does
 * in programs that really run.
 *
 * An iteration: each member computes its rows, then sends, and all wait for the last. */
#ifndef XMPI_SIMULATE_PROGRAM_RUN_H
#define XMPI_SIMULATE_PROGRAM_RUN_H

#include "simulate/program/state.h"

/* Runs the program to its end; once in a process. TRACE: a file for the trace, NULL: none.
 * XMPI_ERR_INPUT, XMPI_ERR_MEMORY. */
xmpi_status_t sim_run(const sim_values_t *values, const sim_technique_t *technique, uint64_t seed,
                      const char *trace, sim_result_t *result, xmpi_error_t *error);

#endif
