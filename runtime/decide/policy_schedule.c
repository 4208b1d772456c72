/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "schedule": grow and shrink as a schedule file says (thesis §5.4.1, the configuration file
 * of the strict policy), and balance in between. */
#include <stdio.h>
#include <string.h>

#include "decide/policy.h"

static xmpi_status_t plan_of(const xmpi_view_t *view, const xmpi_selection_t *s, xmpi_plan_t *plan)
{
    int next = 0;
    xmpi_status_t status = xmpi_plan_alloc(plan, view->layout->members - s->leaving + s->joining);
    if (status != XMPI_OK)
        return status;
    for (int i = 0; i < view->layout->members; i++)
        if (!s->leaves[i])
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_STAYS, .from = i, .pe = -1};
    for (int i = 0; i < view->resources->pes; i++)
        if (s->taken[i])
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_NEW, .from = -1, .pe = i};
    status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK)
        xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason, "schedule: %d join, %d leave", s->joining,
             s->leaving);
    return status;
}

/* As many as there are: the file was checked against the resources when the run began. */
static void select_for(const xmpi_action_t *action, xmpi_selection_t *s)
{
    bool more = true;
    for (int i = 0; i < action->processes && more; i++)
        more = action->kind == XMPI_ACTION_SPAWN ? xmpi_select_joiner(s, action->class_index)
                                                 : xmpi_select_leaver(s, action->class_index);
}

static bool is_due(const xmpi_view_t *view, const xmpi_action_t *action)
{
    return action->iteration > view->from_iteration && action->iteration <= view->iteration;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_selection_t s;
    memset(plan, 0, sizeof *plan);
    xmpi_status_t status = xmpi_selection_make(&s, view->resources, view->layout, view->placement);
    if (status == XMPI_OK) {
        for (int i = 0; i < view->schedule->actions; i++)
            if (is_due(view, &view->schedule->action[i]))
                select_for(&view->schedule->action[i], &s);
        status = s.leaving + s.joining > 0 ? plan_of(view, &s, plan)
                                           : xmpi_policy_balance.decide(view, plan, error);
    }
    xmpi_selection_free(&s);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to plan a scheduled change");
    return status;
}

const xmpi_policy_t xmpi_policy_schedule = {
    .name = "schedule",
    .help = "grow and shrink as the file XMPI_SCHEDULE says, rebalance in between",
    .decide = decide,
};
