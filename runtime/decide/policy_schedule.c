/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "schedule": grow and shrink as a schedule file says (thesis §5.4.1, the configuration file
 * of the strict policy), and balance in between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/policy.h"

/* What the next layout will be made of. */
typedef struct {
    char *leaves;  /* of each member: it leaves */
    char *pe_used; /* of each PE: a new member is had there */
    int leaving, joining;
} selection_t;

static bool class_is(const xmpi_view_t *view, int pe, int class_index)
{
    return class_index == XMPI_ANY_CLASS ||
           (pe >= 0 && view->resources->pe[pe].class_index == class_index);
}

static void select_joiners(const xmpi_view_t *view, const xmpi_action_t *action, selection_t *s)
{
    int left = action->processes;
    int room = view->resources->max_members - (view->layout->members - s->leaving + s->joining);
    for (int i = 0; i < view->resources->pes && left > 0 && room > 0; i++) {
        if (s->pe_used[i] || !xmpi_pe_usable(view->resources, i) ||
            !class_is(view, i, action->class_index))
            continue;
        s->pe_used[i] = 1;
        s->joining++;
        left--;
        room--;
    }
}

/* The highest ranks go first: those that joined last. */
static void select_leavers(const xmpi_view_t *view, const xmpi_action_t *action, selection_t *s)
{
    int left = action->processes;
    for (int i = view->layout->members - 1; i >= 0 && left > 0; i--) {
        int process = view->layout->member[i].process;
        int pe = xmpi_resources_pe_of(view->resources, process);
        if (s->leaves[i] || process == view->resources->anchor ||
            !class_is(view, pe, action->class_index) ||
            s->leaving + 1 >= view->layout->members)
            continue;
        s->leaves[i] = 1;
        s->leaving++;
        left--;
    }
}

static xmpi_status_t plan_of(const xmpi_view_t *view, const selection_t *s, xmpi_plan_t *plan)
{
    int next = 0;
    xmpi_status_t status =
        xmpi_plan_alloc(plan, view->layout->members - s->leaving + s->joining);
    if (status != XMPI_OK)
        return status;
    for (int i = 0; i < view->layout->members; i++)
        if (!s->leaves[i])
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_STAYS, .from = i, .pe = -1};
    for (int i = 0; i < view->resources->pes; i++)
        if (s->pe_used[i])
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_NEW, .from = -1, .pe = i};
    status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK)
        xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason, "schedule: %d join, %d leave", s->joining,
             s->leaving);
    return status;
}

/* Selects for all actions that have come due in the interval. */
static void select_due(const xmpi_view_t *view, selection_t *s)
{
    for (int i = 0; i < view->schedule->actions; i++) {
        const xmpi_action_t *action = &view->schedule->action[i];
        if (action->iteration <= view->from_iteration || action->iteration > view->iteration)
            continue;
        if (action->kind == XMPI_ACTION_SPAWN)
            select_joiners(view, action, s);
        else
            select_leavers(view, action, s);
    }
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    selection_t s = {.leaves = calloc((size_t)view->layout->members, 1),
                     .pe_used = calloc((size_t)view->resources->pes + 1, 1)};
    xmpi_status_t status = XMPI_ERR_MEMORY;
    memset(plan, 0, sizeof *plan);
    if (s.leaves != NULL && s.pe_used != NULL) {
        select_due(view, &s);
        status = s.leaving + s.joining > 0 ? plan_of(view, &s, plan)
                                           : xmpi_policy_balance.decide(view, plan, error);
    }
    free(s.leaves);
    free(s.pe_used);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to plan a scheduled change");
    return status;
}

const xmpi_policy_t xmpi_policy_schedule = {
    .name = "schedule",
    .help = "grow and shrink as the file XMPI_SCHEDULE says, rebalance in between",
    .decide = decide,
};
