/* SPDX-License-Identifier: BSD-3-Clause
 * Dividing: what policies share, from who comes and goes to the blocks of a plan and its price. */
#ifndef XMPI_DECIDE_PLANNING_DIVIDE_H
#define XMPI_DECIDE_PLANNING_DIVIDE_H

#include "decide/policy/policy.h"

/* The plan by which those come and go that SELECTION says, blocks in proportion to speeds. */
xmpi_status_t xmpi_policy_plan(const xmpi_view_t *view, const xmpi_selection_t *selection,
                               xmpi_plan_t *plan);

/* Seconds that the program loses by carrying out PLAN, as the model says; 0: nothing is known. */
double xmpi_policy_change_seconds(const xmpi_view_t *view, const xmpi_plan_t *plan);

/* Iterations that a change has to pay for itself in: those that remain, or, where the end is not
 * known, as many as have been made already, but not fewer than the thesis's sampling interval. */
int64_t xmpi_policy_horizon(const xmpi_view_t *view);

/* The fewest members whose memory, of BYTES each, holds the data of the program: those
 * that every member stores whole, and its part of the others. 1 where BYTES is not known (0) or not
 * even the former fit, so that no number of members helps. */
int xmpi_policy_least_members(const xmpi_predictor_t *predictor, double bytes);

/* Computing power of every PLACE of PLAN in units of work per second (thesis Alg. 5, computeFLOPS),
 * by the one model of speeds (decide/model/speeds.h). SPEEDS holds plan->places numbers. */
xmpi_status_t xmpi_policy_speeds(const xmpi_view_t *view, const xmpi_plan_t *plan, double *speeds);

/* Fills the blocks of PLAN in proportion to those speeds and the weights of the rows; where disks
 * are known (decide/predict/disks.h) so that who is last is done as early as can be, with its I/O,
 * and where there are pipelines (decide/predict/pipelines.h) with what is waited for in them;
 * or as the layout says that the user asks for (decide/mheta/layouts.h), as if all fitted where no
 * disks are known, and by speeds where not all rows have room in it.
 * Where weights are not there, XMPI_NEEDS_WEIGHTS, to be passed on by the policy. */
xmpi_status_t xmpi_policy_divide(const xmpi_view_t *view, xmpi_plan_t *plan);

/* Seconds of I/O, in an interval like the last, of each member as they are: SECONDS holds so many.
 * 0 where disks are not known. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_policy_io(const xmpi_view_t *view, double *seconds);

#endif
