/* SPDX-License-Identifier: BSD-3-Clause
 * What is decided: by the policy, and before it is asked. */
#ifndef XMPI_DECIDE_POLICIES_DECIDE_H
#define XMPI_DECIDE_POLICIES_DECIDE_H

#include "decide/policy/policy.h"

/* What POLICY (NULL: none) decides; before it is asked, members leave PEs that are withdrawn, and
 * those come that the user wants. DECISION: what was considered, and the state to come. */
xmpi_status_t xmpi_policy_decide(const xmpi_policy_t *policy, const xmpi_view_t *view,
                                 xmpi_plan_t *plan, xmpi_decision_t *decision, xmpi_error_t *error);

#endif
