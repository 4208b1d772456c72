/* SPDX-License-Identifier: BSD-3-Clause
 * The catalogue of policies: those of policies.h, by number and by name. */
#ifndef XMPI_DECIDE_POLICIES_CATALOGUE_H
#define XMPI_DECIDE_POLICIES_CATALOGUE_H

#include "decide/policies/policies.h"
#include "decide/policy/policy.h"

#define XMPI_POLICY_DECLARED(name) extern const xmpi_policy_t xmpi_policy_##name;
XMPI_POLICIES(XMPI_POLICY_DECLARED)
#undef XMPI_POLICY_DECLARED

/* The policy number I, from 0 on; NULL behind the last. */
const xmpi_policy_t *xmpi_policy_at(int i);

/* Whether POLICY (NULL: none) goes by WHAT, a bit, if it is there. */
bool xmpi_policy_uses(const xmpi_policy_t *policy, unsigned what);

/* The policy with this name, NULL when there is none ("off" is none). */
const xmpi_policy_t *xmpi_policy_find(const char *name);

/* "off, balance, ..." for messages and help. */
const char *xmpi_policy_names(void);

#endif
