/* SPDX-License-Identifier: BSD-3-Clause
 * Plans of loops that are resizable by starting over. */
#include "decide/policy/sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char own_blocks[] = "blocks are the program's own: only the number of members changes";

const xmpi_policy_t *xmpi_sizes_policy(const xmpi_policy_t *policy)
{
    return policy != NULL && (policy->needs & XMPI_OF_BLOCKS) != 0 ? NULL : policy;
}

bool xmpi_sizes_are_refused(const xmpi_policy_state_t *state, int members)
{
    for (int i = 0; state != NULL && i < state->sizes_refused; i++)
        if (state->size_refused[i] == members)
            return true;
    return false;
}

/* (Where there are too many the first is tried again.) */
void xmpi_sizes_refuse(xmpi_policy_state_t *state, int members)
{
    if (xmpi_sizes_are_refused(state, members))
        return;
    if (state->sizes_refused == XMPI_SIZES_REFUSED_MAX) {
        for (int i = 1; i < XMPI_SIZES_REFUSED_MAX; i++)
            state->size_refused[i - 1] = state->size_refused[i];
        state->sizes_refused--;
    }
    state->size_refused[state->sizes_refused++] = members;
}

static xmpi_status_t give_up(xmpi_plan_t *plan, const char *reason)
{
    xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason, "%s", reason);
    return XMPI_OK;
}

static bool any_is_held(const xmpi_view_t *view)
{
    for (int i = 0; i < view->layout->members; i++)
        if (view->samples[i].held != XMPI_HELD_NOT)
            return true;
    return false;
}

/* Those that join come last, and fewer may: down to a number with which the program runs. */
static void leave_out(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    while (plan->places > view->layout->members &&
           plan->place[plan->places - 1].origin == XMPI_NEW &&
           xmpi_sizes_are_refused(view->state, plan->places))
        plan->places--;
}

/* New ones take over from those that leave, and the others keep their ranks. PLACE: scratch. */
static void take_over(xmpi_plan_t *plan, xmpi_place_t *place)
{
    int rank = 0;
    for (int i = 0; i < plan->places; i++)
        place[i] = (xmpi_place_t){.origin = XMPI_NEW};
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin != XMPI_NEW)
            place[plan->place[i].from] = plan->place[i];
    for (int i = 0; i < plan->places; i++) {
        if (plan->place[i].origin != XMPI_NEW)
            continue;
        while (place[rank].origin != XMPI_NEW)
            rank++;
        place[rank] =
            (xmpi_place_t){.origin = XMPI_TAKES_OVER, .from = rank, .pe = plan->place[i].pe};
    }
    memcpy(plan->place, place, (size_t)plan->places * sizeof *place);
}

static bool any_is_new(const xmpi_plan_t *plan)
{
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin == XMPI_NEW)
            return true;
    return false;
}

/* With as many members as before nobody need start over: programs go elsewhere as they are. */
static xmpi_status_t move(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    xmpi_place_t *place = calloc((size_t)plan->places, sizeof *place);
    if (place == NULL)
        return XMPI_ERR_MEMORY;
    if (any_is_new(plan))
        take_over(plan, place);
    free(place);
    plan->moves = true;
    for (int i = 0; i < plan->places; i++)
        plan->place[i].block = view->layout->member[i].block;
    return XMPI_OK;
}

/* With another number: their blocks are only guessed. */
static xmpi_status_t resize(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    double *speeds = calloc((size_t)plan->places, sizeof *speeds);
    if (speeds == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < plan->places; i++)
        speeds[i] = 1;
    plan->sizes = true;
    xmpi_status_t status = xmpi_plan_divide(plan, view->layout->domain, NULL, speeds);
    free(speeds);
    return status;
}

xmpi_status_t xmpi_sizes_fit(const xmpi_policy_t *policy, const xmpi_view_t *view,
                             xmpi_plan_t *plan, xmpi_error_t *error)
{
    if (plan->places == 0 && policy != NULL && xmpi_sizes_policy(policy) == NULL)
        return give_up(plan, own_blocks);
    if (plan->places == 0)
        return XMPI_OK;
    if (any_is_held(view))
        return give_up(plan, "a member cannot start over");
    leave_out(view, plan);
    bool same = plan->places == view->layout->members;
    if (same && !xmpi_plan_changes_processes(plan))
        return give_up(plan, own_blocks);
    if (!same && xmpi_sizes_are_refused(view->state, plan->places))
        return give_up(plan, "the program does not run with that number of members");
    xmpi_status_t status = same ? move(view, plan) : resize(view, plan);
    return status == XMPI_OK ? status : xmpi_error_set(error, status, "no memory to plan a size");
}
