/* SPDX-License-Identifier: BSD-3-Clause
 * The layout that a plan leads to. */
#ifndef XMPI_ACT_MEMBERS_LAY_OUT_H
#define XMPI_ACT_MEMBERS_LAY_OUT_H

#include "act/members/shared.h"
#include "decide/plan/plan.h"

/* The layout NEXT that PLAN leads to, with processes for all of its places; every change of members
 * or blocks comes this way. At the leader. On an error (XMPI_ERR_INTERNAL when the plan cannot
 * follow the present layout, XMPI_ERR_MEMORY) no process is taken; NEXT is to be freed all the
 * same.
 */
xmpi_status_t xmpi_shared_lay_out(xmpi_shared_t *shared, const xmpi_plan_t *plan,
                                  xmpi_layout_t *next, xmpi_error_t *error);

#endif
