/* SPDX-License-Identifier: BSD-3-Clause
 * Evacuation: members leave PEs that are withdrawn, whatever the policy is. */
#ifndef XMPI_DECIDE_POLICIES_EVACUATE_H
#define XMPI_DECIDE_POLICIES_EVACUATE_H

#include "decide/policy/policy.h"

/* Makes the PLAN by which members leave withdrawn PEs (no places: nobody has to, or can). Where all
 * would leave and nobody can take over, new ones join first, and the last old one leaves in the
 * next interval. */
xmpi_status_t xmpi_evacuate(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error);

#endif
