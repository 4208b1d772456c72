/* SPDX-License-Identifier: BSD-3-Clause
 * An iteration: each member computes its rows, under the loads, then they send their messages, and
 * all wait for the last. */
#ifndef XMPI_SIMULATE_PROGRAM_ITERATE_H
#define XMPI_SIMULATE_PROGRAM_ITERATE_H

#include "simulate/program/state.h"

/* Makes the next iteration. XMPI_ERR_MEMORY. */
xmpi_status_t sim_iterate(sim_run_t *run, xmpi_error_t *error);

/* Seconds of an iteration with the present members, where nobody else wants the processing
 * elements; and the next COUNT of such iterations (at least one) at once. XMPI_ERR_MEMORY. */
xmpi_status_t sim_iteration_seconds(sim_run_t *run, double *seconds, xmpi_error_t *error);
xmpi_status_t sim_iterate_alike(sim_run_t *run, int64_t count, xmpi_error_t *error);

/* The most messages that a member sends in an iteration. */
int sim_messages_most(const sim_run_t *run);

#endif
