/* SPDX-License-Identifier: BSD-3-Clause
 * What policies share: finding one by name, and the computing power of members. */
#include "decide/policy.h"

#include <stdlib.h>
#include <string.h>

#include "decide/evacuate.h"

static const xmpi_policy_t *const policies[] = {&xmpi_policy_balance, &xmpi_policy_smp,
                                                &xmpi_policy_schedule, &xmpi_policy_random};

const xmpi_policy_t *xmpi_policy_find(const char *name)
{
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        if (strcmp(policies[i]->name, name) == 0)
            return policies[i];
    return NULL;
}

const char *xmpi_policy_names(void)
{
    return "off, balance, smp, schedule, random";
}

/* Work per second of a member, 0 when the interval says nothing (no rows, no time). */
static double measured_speed(const xmpi_view_t *view, int rank)
{
    const xmpi_sample_t *sample = &view->samples[rank];
    return sample->work > 0 && sample->computation > 0 ? sample->work / sample->computation : 0;
}

/* Mean measured speed of the members on PEs of a class (or of all); 0 when there is none. */
static double mean_speed(const xmpi_view_t *view, int class_index)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < view->layout->members; i++) {
        int pe = xmpi_resources_pe_of(view->resources, view->layout->member[i].process);
        double speed = measured_speed(view, i);
        if (speed <= 0)
            continue;
        if (class_index == XMPI_ANY_CLASS ||
            (pe >= 0 && view->resources->pe[pe].class_index == class_index)) {
            sum += speed;
            n++;
        }
    }
    return n > 0 ? sum / n : 0;
}

static double place_speed(const xmpi_view_t *view, const xmpi_place_t *place)
{
    int pe = place->pe;
    if (place->origin == XMPI_STAYS) {
        double speed = measured_speed(view, place->from);
        if (speed > 0)
            return speed;
        pe = xmpi_resources_pe_of(view->resources, view->layout->member[place->from].process);
    }
    double speed = pe >= 0 ? mean_speed(view, view->resources->pe[pe].class_index) : 0;
    if (speed <= 0)
        speed = mean_speed(view, XMPI_ANY_CLASS);
    return speed > 0 ? speed : 1;
}

xmpi_status_t xmpi_policy_speeds(const xmpi_view_t *view, const xmpi_plan_t *plan, double *speeds)
{
    for (int i = 0; i < plan->places; i++)
        speeds[i] = place_speed(view, &plan->place[i]);
    return XMPI_OK;
}

xmpi_status_t xmpi_policy_divide(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    double *speeds = calloc((size_t)plan->places, sizeof *speeds);
    if (speeds == NULL)
        return XMPI_ERR_MEMORY;
    xmpi_status_t status = xmpi_policy_speeds(view, plan, speeds);
    if (status == XMPI_OK)
        status = xmpi_plan_divide(plan, view->layout->domain, speeds);
    free(speeds);
    return status;
}

xmpi_status_t xmpi_policy_plan(const xmpi_view_t *view, const xmpi_selection_t *selection,
                               xmpi_plan_t *plan)
{
    int next = 0, members = view->layout->members;
    xmpi_status_t status = xmpi_plan_alloc(plan, members - selection->leaving + selection->joining);
    if (status != XMPI_OK)
        return status;
    for (int i = 0; i < members; i++)
        if (!selection->leaves[i])
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_STAYS, .from = i, .pe = -1};
    for (int i = 0; i < view->resources->pes; i++)
        if (selection->taken[i])
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_NEW, .from = -1, .pe = i};
    status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK)
        xmpi_plan_free(plan);
    return status;
}

xmpi_status_t xmpi_policy_decide(const xmpi_policy_t *policy, const xmpi_view_t *view,
                                 xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_evacuate(view, plan, error);
    return status != XMPI_OK || plan->places > 0 ? status : policy->decide(view, plan, error);
}
