/* SPDX-License-Identifier: BSD-3-Clause
 * A plan is carried out: what it moves goes over SimGrid's network, processes take what the cost
 * model says. */
#ifndef XMPI_SIMULATE_PROGRAM_CHANGE_H
#define XMPI_SIMULATE_PROGRAM_CHANGE_H

#include "simulate/program/state.h"

/* Carries the plan of STEP out: the layout is the new one, members begin as late as it makes them.
 * XMPI_ERR_MEMORY, XMPI_ERR_INTERNAL. */
xmpi_status_t sim_change(sim_run_t *run, const xmpi_step_t *step, xmpi_error_t *error);

/* Node of the member RANK. */
int sim_node(const sim_run_t *run, int rank);

#endif
