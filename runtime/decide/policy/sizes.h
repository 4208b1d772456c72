/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes: plans of loops that are resizable by starting over. Their blocks are those of the
 * program's own formula, whatever a policy would like; there are numbers of members with which it
 * does not run. */
#ifndef XMPI_DECIDE_POLICY_SIZES_H
#define XMPI_DECIDE_POLICY_SIZES_H

#include "decide/policy/policy.h"

/* POLICY, or none where it needs to divide the rows. */
const xmpi_policy_t *xmpi_sizes_policy(const xmpi_policy_t *policy);

/* Makes of PLAN, POLICY's, one that such a loop can follow, or none. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_sizes_fit(const xmpi_policy_t *policy, const xmpi_view_t *view,
                             xmpi_plan_t *plan, xmpi_error_t *error);

/* The program does not run with so many MEMBERS. */
void xmpi_sizes_refuse(xmpi_policy_state_t *state, int members);
bool xmpi_sizes_are_refused(const xmpi_policy_state_t *state, int members);

#endif
