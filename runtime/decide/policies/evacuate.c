/* SPDX-License-Identifier: BSD-3-Clause
 * Evacuation: members leave PEs that are withdrawn, whatever the policy is. */
#include "decide/policies/evacuate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/divide.h"
#include "decide/scheduler/availability.h"

static bool any_withdrawn(const xmpi_resources_t *resources)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].withdrawn && resources->pe[i].process >= 0)
            return true;
    return false;
}

/* The idle PE that takes the place of the PE of a member: of the same class, if there is one. -1:
 * there is none. */
static int select_place(xmpi_selection_t *s, int rank)
{
    int pe = -1;
    if (xmpi_select_joiners(s, s->resources->pe[s->pe_of[rank]].class_index, 1, &pe) == 0)
        xmpi_select_joiners(s, XMPI_ANY_CLASS, 1, &pe);
    return pe;
}

/* Members on withdrawn PEs leave: TO says to which idle PE, -1 where there is none for them. How
 * many find one; else nobody is selected. */
static int replace(xmpi_selection_t *s, int *to)
{
    int found = 0;
    for (int rank = 0; rank < s->layout->members; rank++) {
        int pe = s->pe_of[rank];
        to[rank] = -1;
        if (pe < 0 || !s->resources->pe[pe].withdrawn ||
            s->layout->member[rank].process == s->resources->anchor)
            continue;
        xmpi_select_rank(s, rank);
        to[rank] = s->resources->pe[pe].given_back ? -1 : select_place(s, rank);
        found += to[rank] >= 0;
    }
    if (found == 0)
        xmpi_selection_clear(s);
    return found;
}

/* The plan by which processes on the PEs TO take over from those that leave; those for whom there
 * is none leave their rows to the others. */
static xmpi_status_t plan_replaced(const xmpi_view_t *view, const xmpi_selection_t *s,
                                   const int *to, xmpi_plan_t *plan)
{
    int next = 0, members = view->layout->members;
    xmpi_status_t status = xmpi_plan_alloc(plan, members - s->leaving + s->joining);
    for (int i = 0; i < members && status == XMPI_OK; i++)
        if (!s->leaves[i] || to[i] >= 0)
            plan->place[next++] =
                (xmpi_place_t){.origin = s->leaves[i] ? XMPI_TAKES_OVER : XMPI_STAYS,
                               .from = i,
                               .pe = to[i],
                               .block = view->layout->member[i].block};
    if (status == XMPI_OK && next < members)
        status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK)
        xmpi_plan_free(plan);
    return status;
}

static int count_stuck(const xmpi_selection_t *s)
{
    int stuck = 0;
    for (int i = 0; i < s->layout->members; i++)
        stuck += s->pe_of[i] >= 0 && s->resources->pe[s->pe_of[i]].withdrawn && !s->leaves[i];
    return stuck;
}

static xmpi_status_t evacuate(const xmpi_view_t *view, xmpi_selection_t *s, int *to,
                              xmpi_plan_t *plan)
{
    xmpi_status_t status = XMPI_OK;
    if (replace(s, to) > 0) {
        status = plan_replaced(view, s, to, plan);
    } else {
        xmpi_availability_leavers(s);
        if (s->leaving + s->joining > 0)
            status = xmpi_policy_plan(view, s, plan);
    }
    if (status == XMPI_OK && plan->places > 0)
        snprintf(plan->reason, sizeof plan->reason,
                 "%d member%s withdrawn processing elements, %d cannot yet", s->leaving,
                 s->leaving == 1 ? " leaves" : "s leave", count_stuck(s));
    return status;
}

xmpi_status_t xmpi_evacuate(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_selection_t s;
    memset(plan, 0, sizeof *plan);
    if (!any_withdrawn(view->resources))
        return XMPI_OK;
    int *to = malloc(((size_t)view->layout->members + 1) * sizeof *to);
    xmpi_status_t status = xmpi_selection_make(&s, view->resources, view->layout, view->placement);
    if (status == XMPI_OK)
        status = to != NULL ? evacuate(view, &s, to, plan) : XMPI_ERR_MEMORY;
    xmpi_selection_free(&s);
    free(to);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to leave withdrawn processing elements");
    return status;
}
