/* SPDX-License-Identifier: BSD-3-Clause
 * The policy "balance", which others follow in between: between two changes of members. */
#ifndef XMPI_DECIDE_POLICIES_BALANCE_H
#define XMPI_DECIDE_POLICIES_BALANCE_H

#include "decide/policy/policy.h"

extern const xmpi_policy_t xmpi_policy_balance;

#endif
