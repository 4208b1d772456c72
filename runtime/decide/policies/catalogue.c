/* SPDX-License-Identifier: BSD-3-Clause
 * The catalogue of policies. */
#include "decide/policies/catalogue.h"

#include <stddef.h>
#include <string.h>

#define POLICY_ADDRESS(name) &xmpi_policy_##name,
static const xmpi_policy_t *const policies[] = {XMPI_POLICIES(POLICY_ADDRESS)};

enum { POLICIES = sizeof policies / sizeof *policies };

const xmpi_policy_t *xmpi_policy_at(int i)
{
    return i < POLICIES ? policies[i] : NULL;
}

const xmpi_policy_t *xmpi_policy_find(const char *name)
{
    for (int i = 0; i < POLICIES; i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}

#define POLICY_NAME(name) ", " #name
const char *xmpi_policy_names(void)
{
    return "off" XMPI_POLICIES(POLICY_NAME);
}

bool xmpi_policy_uses(const xmpi_policy_t *policy, unsigned what)
{
    return policy != NULL && ((policy->needs | policy->uses) & what) != 0;
}
