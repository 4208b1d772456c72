/* SPDX-License-Identifier: BSD-3-Clause
 * Evacuation: members leave PEs that are withdrawn, whatever the policy is. */
#include "decide/policies/evacuate.h"

#include <stdio.h>
#include <string.h>

#include "decide/policies/divide.h"
#include "decide/scheduler/availability.h"

static bool any_withdrawn(const xmpi_resources_t *resources)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].withdrawn && resources->pe[i].process >= 0)
            return true;
    return false;
}

xmpi_status_t xmpi_evacuate(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_selection_t s;
    memset(plan, 0, sizeof *plan);
    if (!any_withdrawn(view->resources))
        return XMPI_OK;
    xmpi_status_t status = xmpi_selection_make(&s, view->resources, view->layout, view->placement);
    if (status == XMPI_OK) {
        int stuck = xmpi_availability_leavers(&s);
        if (s.leaving + s.joining > 0)
            status = xmpi_policy_plan(view, &s, plan);
        if (status == XMPI_OK && plan->places > 0)
            snprintf(plan->reason, sizeof plan->reason,
                     "%d members leave withdrawn processing elements, %d cannot yet", s.leaving,
                     stuck);
    }
    xmpi_selection_free(&s);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to leave withdrawn processing elements");
    return status;
}
