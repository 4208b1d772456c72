/* SPDX-License-Identifier: BSD-3-Clause
 * Placing whole programs: which rank of a movable loop computes on which node, by the load that was
 * measured of each. There may be more ranks than processing elements (over-decomposition, as AMPI
 * has it): ranks of a node share its elements. */
#ifndef XMPI_DECIDE_PLANNING_PLACE_H
#define XMPI_DECIDE_PLANNING_PLACE_H

#include "decide/policy/policy.h"

/* Takes ranks, heaviest first, from the node that would be done last, or lets them change places
 * with lighter ones, as long as each move gains more in the iterations to come than it costs; to
 * any node that can be used, or (OCCUPIED) only to those where there are ranks. What was found on
 * the way goes into the plan's reason. */
xmpi_status_t xmpi_place_ranks(const xmpi_view_t *view, bool occupied, xmpi_plan_t *plan,
                               xmpi_error_t *error);

#endif
