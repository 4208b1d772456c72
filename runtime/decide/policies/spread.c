/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "spread": the ranks of a movable loop over all processing elements that there are, by
 * their load. With more ranks than elements a program of a fixed number of processes grows and
 * shrinks with what it is given. */
#include "decide/planning/place.h"
#include "decide/policy/policy.h"

#include <stdio.h>

/* Members and blocks of other loops stay. */
static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    (void)view, (void)decision, (void)error;
    xmpi_status_t status = xmpi_plan_alloc(plan, 0);
    snprintf(plan->reason, sizeof plan->reason, "spread is for movable loops");
    return status;
}

static xmpi_status_t move(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                          xmpi_error_t *error)
{
    (void)decision;
    return xmpi_place_ranks(view, false, plan, error);
}

const xmpi_policy_t xmpi_policy_spread = {
    .name = "spread",
    .help = "of a movable loop: place the processes on all processing elements by their measured "
            "load, several on one where there are more",
    .needs = XMPI_OF_MOVES,
    .uses = XMPI_OF_BOUND | XMPI_OF_PREDICTIONS | XMPI_OF_PROCESSES,
    .settings = "imbalance",
    .expectation = "no change unless a node is fuller than others",
    .decide = decide,
    .move = move,
};
