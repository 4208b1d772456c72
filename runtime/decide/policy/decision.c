/* SPDX-License-Identifier: BSD-3-Clause */
#include "decide/policy/decision.h"

#include <stdio.h>
#include <string.h>

xmpi_alternative_t *xmpi_decision_add(xmpi_decision_t *decision)
{
    if (decision->alternatives == XMPI_ALTERNATIVES_MAX)
        return NULL;
    xmpi_alternative_t *added = &decision->alternative[decision->alternatives++];
    memset(added, 0, sizeof *added);
    return added;
}

void xmpi_decision_take(xmpi_decision_t *decision, const xmpi_plan_t *plan, int chosen)
{
    memcpy(decision->reason, plan->reason, sizeof decision->reason);
    decision->chosen = chosen;
}

xmpi_status_t xmpi_decision_keep(xmpi_decision_t *decision, xmpi_plan_t *plan, const char *why)
{
    xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason, "%s", why);
    xmpi_decision_take(decision, plan, decision->alternatives > 0 ? 0 : -1);
    return XMPI_OK;
}
