/* SPDX-License-Identifier: BSD-3-Clause
 * What is decided. */
#include "decide/policies/decide.h"

#include <stdio.h>
#include <string.h>

#include "decide/planning/divide.h"
#include "decide/policies/evacuate.h"
#include "decide/planning/moves.h"
#include "decide/policies/wish.h"
#include "decide/policy/sizes.h"

/* The members that the user asks for, as many as can be had. */
static xmpi_status_t follow_wish(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_selection_t s;
    if (view->wanted <= 0)
        return XMPI_OK;
    xmpi_status_t status = xmpi_selection_make(&s, view->resources, view->layout, view->placement);
    if (status == XMPI_OK)
        xmpi_select_joiners(&s, view->wanted_class, view->wanted, NULL);
    if (status == XMPI_OK && s.joining > 0)
        status = xmpi_policy_plan(view, &s, plan);
    if (status == XMPI_OK && plan->places > 0)
        snprintf(plan->reason, sizeof plan->reason, "asked for: %d join", s.joining);
    xmpi_selection_free(&s);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to plan for more members");
    return status;
}

/* Policies that go by what there is say themselves where members go. */
static bool sees_to_it(const xmpi_policy_t *policy)
{
    return policy != NULL && (policy->uses & XMPI_OF_AVAILABILITY) != 0;
}

static xmpi_status_t choose(const xmpi_policy_t *policy, const xmpi_view_t *view, xmpi_plan_t *plan,
                            xmpi_decision_t *decision, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    memset(plan, 0, sizeof *plan);
    if (!sees_to_it(policy))
        status = xmpi_evacuate(view, plan, error);
    if (status == XMPI_OK && plan->places == 0)
        status = follow_wish(view, plan, error);
    if (status == XMPI_OK && plan->places == 0)
        status = xmpi_wish_move(view, plan, error);
    if (status != XMPI_OK || plan->places > 0 || plan->reason[0] != '\0' || policy == NULL)
        return status;
    return policy->decide(view, plan, decision, error);
}

/* The same for a movable loop. */
static xmpi_status_t move(const xmpi_policy_t *policy, const xmpi_view_t *view, xmpi_plan_t *plan,
                          xmpi_decision_t *decision, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    memset(plan, 0, sizeof *plan);
    if (!sees_to_it(policy))
        status = xmpi_moves_evacuate(view, plan, error);
    if (status == XMPI_OK && plan->places == 0 && plan->reason[0] == '\0')
        status = xmpi_wish_move(view, plan, error);
    if (status != XMPI_OK || plan->places > 0 || plan->reason[0] != '\0')
        return status;
    if (policy != NULL && policy->move != NULL)
        return policy->move(view, plan, decision, error);
    snprintf(plan->reason, sizeof plan->reason, "a movable loop: members stay where they are");
    return XMPI_OK;
}

static xmpi_status_t decide(const xmpi_policy_t *policy, const xmpi_view_t *view, xmpi_plan_t *plan,
                            xmpi_decision_t *decision, xmpi_error_t *error)
{
    if (view->movable)
        return move(policy, view, plan, decision, error);
    if (!view->sizes)
        return choose(policy, view, plan, decision, error);
    xmpi_status_t status = choose(xmpi_sizes_policy(policy), view, plan, decision, error);
    return status == XMPI_OK ? xmpi_sizes_fit(policy, view, plan, error) : status;
}

xmpi_status_t xmpi_policy_decide(const xmpi_policy_t *policy, const xmpi_view_t *view,
                                 xmpi_plan_t *plan, xmpi_decision_t *decision, xmpi_error_t *error)
{
    *decision = (xmpi_decision_t){.chosen = -1};
    if (view->state != NULL)
        decision->state = *view->state;
    xmpi_status_t status = decide(policy, view, plan, decision, error);
    if (status == XMPI_OK && decision->chosen >= 0 && decision->reason[0] == '\0')
        xmpi_decision_take(decision, plan, decision->chosen);
    return status;
}
