/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "balance": blocks in proportion to the relative computing power of the members
 * (thesis §5.2.1, Alg. 5, lines 1-6 and 31-48). */
#include <stdio.h>

#include "decide/policy.h"

/* evaluateLoadBalance of Alg. 5: (max - min) / max of the computation times. */
static double imbalance(const xmpi_view_t *view)
{
    double least = view->samples[0].computation, most = least;
    for (int i = 1; i < view->layout->members; i++) {
        double seconds = view->samples[i].computation;
        least = seconds < least ? seconds : least;
        most = seconds > most ? seconds : most;
    }
    return most > 0 ? (most - least) / most : 0;
}

static xmpi_status_t keep_members(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    xmpi_status_t status = xmpi_plan_alloc(plan, view->layout->members);
    for (int i = 0; i < plan->places; i++)
        plan->place[i] = (xmpi_place_t){.origin = XMPI_STAYS, .from = i, .pe = -1};
    return status;
}

static bool blocks_change(const xmpi_view_t *view, const xmpi_plan_t *plan)
{
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].block.count != view->layout->member[i].block.count)
            return true;
    return false;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    double share = imbalance(view);
    xmpi_status_t status = xmpi_plan_alloc(plan, 0);
    if (status != XMPI_OK || view->layout->members < 2 || share <= view->imbalance_threshold)
        return status;
    status = keep_members(view, plan);
    if (status == XMPI_OK)
        status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK || !blocks_change(view, plan)) {
        xmpi_plan_free(plan);
        return status == XMPI_OK ? XMPI_OK
                                 : xmpi_error_set(error, status, "no memory to plan a rebalance");
    }
    snprintf(plan->reason, sizeof plan->reason, "computation times differ by %.1f %%", 100 * share);
    return XMPI_OK;
}

const xmpi_policy_t xmpi_policy_balance = {
    .name = "balance",
    .help = "rebalance the load over the members by their measured speeds",
    .decide = decide,
};
