/* SPDX-License-Identifier: BSD-3-Clause
 * Appointments: layouts of a schedule, each for an iteration of a loop. What one run did can be
 * done again by them, as a whole or in part. */
#ifndef XMPI_DECIDE_PLANNING_APPOINTMENTS_H
#define XMPI_DECIDE_PLANNING_APPOINTMENTS_H

#include "decide/policy/policy.h"

/* INTERVAL, or fewer iterations from ITERATION of LOOP on, when a layout is due before its end. */
int64_t xmpi_appointment_until(const xmpi_schedule_t *schedule, int64_t loop, int64_t iteration,
                               int64_t interval);

/* The plan to the layout that is due, the last one where there are several; no places: none is, or
 * it is there. Members on the PEs that it names stay, in their order. XMPI_ERR_INPUT, with the line
 * of the schedule, when it cannot follow the present layout. */
xmpi_status_t xmpi_appointment_keep(const xmpi_view_t *view, xmpi_plan_t *plan,
                                    xmpi_error_t *error);

#endif
