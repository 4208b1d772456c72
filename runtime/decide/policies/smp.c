/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "smp", the strict malleability policy (thesis §5.4.1, Alg. 6): use what is idle, up to the
 * most members that are allowed; or, where there is a schedule file, grow and shrink as it says,
 * and balance in between. A file of whole layouts is followed to the letter. PEs that are wanted
 * back are left before any policy is asked (evacuate.h). */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "decide/planning/appointments.h"
#include "decide/policies/balance.h"
#include "decide/planning/divide.h"
#include "decide/policy/policy.h"

/* As many as there are: the file was checked against the resources when the run began. */
static void select_for(const xmpi_action_t *action, xmpi_selection_t *s)
{
    if (action->kind == XMPI_ACTION_SPAWN)
        xmpi_select_joiners(s, action->class_index, action->processes, NULL);
    else
        xmpi_select_leavers(s, action->class_index, action->processes, NULL);
}

static bool is_due(const xmpi_view_t *view, const xmpi_action_t *action)
{
    return action->iteration > view->from_iteration && action->iteration <= view->iteration;
}

static void follow_schedule(const xmpi_view_t *view, xmpi_selection_t *s)
{
    for (int i = 0; i < view->schedule->actions; i++)
        if (is_due(view, &view->schedule->action[i]))
            select_for(&view->schedule->action[i], s);
}

/* Alg. 6, lines 5-7. A member without rows is of no use. */
static void take_idle(const xmpi_view_t *view, xmpi_selection_t *s)
{
    int64_t room = view->layout->domain - view->layout->members;
    if (view->may_grow && room > 0)
        xmpi_select_joiners(s, XMPI_ANY_CLASS, room < INT_MAX ? (int)room : INT_MAX, NULL);
}

static xmpi_status_t change(const xmpi_view_t *view, const xmpi_selection_t *s, xmpi_plan_t *plan)
{
    xmpi_status_t status = xmpi_policy_plan(view, s, plan);
    if (status != XMPI_OK)
        return status;
    if (view->schedule->actions > 0)
        snprintf(plan->reason, sizeof plan->reason, "schedule: %d join, %d leave", s->joining,
                 s->leaving);
    else
        snprintf(plan->reason, sizeof plan->reason, "%d processing elements are idle", s->joining);
    return XMPI_OK;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    xmpi_selection_t s;
    memset(plan, 0, sizeof *plan);
    if (view->schedule->appointments > 0)
        return xmpi_appointment_keep(view, plan, error);
    xmpi_status_t status = xmpi_selection_make(&s, view->resources, view->layout, view->placement);
    if (status == XMPI_OK) {
        if (view->schedule->actions > 0)
            follow_schedule(view, &s);
        else
            take_idle(view, &s);
        status = s.leaving + s.joining > 0
                     ? change(view, &s, plan)
                     : xmpi_policy_balance.decide(view, plan, decision, error);
    }
    xmpi_selection_free(&s);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to plan a change of members");
    return status;
}

const xmpi_policy_t xmpi_policy_smp = {
    .name = "smp",
    .help = "use all idle processing elements up to XMPI_MAX, or follow XMPI_SCHEDULE",
    .uses = XMPI_OF_SCHEDULE | XMPI_OF_BOUND | XMPI_OF_PREDICTIONS | XMPI_OF_PROCESSES |
            XMPI_OF_FORECASTS | XMPI_OF_IDLE | XMPI_OF_BLOCKS,
    .settings = "forecast history imbalance window",
    .decide = decide,
};

const xmpi_policy_t xmpi_policy_schedule = {
    .name = "schedule",
    .help = "smp with a file: grow and shrink as XMPI_SCHEDULE says, rebalance in between",
    .needs = XMPI_OF_SCHEDULE,
    .uses = XMPI_OF_BOUND | XMPI_OF_PREDICTIONS | XMPI_OF_PROCESSES,
    .settings = "forecast history imbalance window",
    .decide = decide,
};
