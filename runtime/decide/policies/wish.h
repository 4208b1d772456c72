/* SPDX-License-Identifier: BSD-3-Clause
 * Wishes: processes that people send to other PEs, whatever the policy is. */
#ifndef XMPI_DECIDE_POLICIES_WISH_H
#define XMPI_DECIDE_POLICIES_WISH_H

#include "decide/policy/policy.h"

/* The plan by which a process moves that the user wants to (no places: none is to, or it is only
 * asked what that would be); its reason says what becomes of an iteration, and when it is paid back.
 * XMPI_ERR_INPUT where it cannot. */
xmpi_status_t xmpi_wish_move(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error);

#endif
