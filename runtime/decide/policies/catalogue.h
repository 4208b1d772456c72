/* SPDX-License-Identifier: BSD-3-Clause
 * The catalogue of policies: those of policies.h, by number and by name. */
#ifndef XMPI_DECIDE_POLICIES_CATALOGUE_H
#define XMPI_DECIDE_POLICIES_CATALOGUE_H

#include "decide/policies/policy.h"

/* The policy number I, from 0 on; NULL behind the last. */
const xmpi_policy_t *xmpi_policy_at(int i);

/* Whether POLICY (NULL: none) goes by WHAT, a bit, if it is there. */
bool xmpi_policy_uses(const xmpi_policy_t *policy, unsigned what);

/* The policy with this name, NULL when there is none ("off" is none). */
const xmpi_policy_t *xmpi_policy_find(const char *name);

/* "off, balance, ..." for messages and help. */
const char *xmpi_policy_names(void);

#endif
