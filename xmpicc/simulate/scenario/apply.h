/* SPDX-License-Identifier: BSD-3-Clause
 * What files tell of a program, and of a platform, becomes values of a scenario. */
#ifndef XMPI_SIMULATE_SCENARIO_APPLY_H
#define XMPI_SIMULATE_SCENARIO_APPLY_H

#include "simulate/scenario/values.h"

/* The keys that a trace says, and NULL. */
extern const char *const sim_recorded_keys[];

/* Sets those of VALUES that its trace or profile tells, but for keys that are SAID (by
 * sim_values_find). Nothing where there is neither. XMPI_ERR_INPUT, XMPI_ERR_MEMORY. What was read
 * last stays until another file is: the profile of VALUES is of it. */
xmpi_status_t sim_recorded_apply(sim_values_t *values, const bool *said, xmpi_error_t *error);

/* Sets those of VALUES that its platform file says. Nothing where there is none. XMPI_ERR_INPUT,
 * XMPI_ERR_PROCESS, XMPI_ERR_MEMORY. What was read last stays until another file is. */
xmpi_status_t sim_platform_apply(sim_values_t *values, xmpi_error_t *error);

#endif
