/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "balance": blocks in proportion to the relative computing power of the members
 * (thesis §5.2.1, Alg. 5; what is remembered for it is in history.c). */
#include <stdio.h>
#include <stdlib.h>

#include "decide/policy.h"

/* Seconds that a member computes in an interval like the last at the speed that it is known for. */
static double expected_seconds(const xmpi_view_t *view, int rank, double speed)
{
    const xmpi_sample_t *sample = &view->samples[rank];
    return sample->work > 0 && speed > 0 ? sample->work / speed : sample->computation;
}

/* evaluateLoadBalance of Alg. 5 (lines 1-6): (max - min) / max of the computation times, free of
 * noise as far as the speeds are. PLAN has the members as they are. */
static xmpi_status_t imbalance(const xmpi_view_t *view, const xmpi_plan_t *plan, double *share)
{
    double least = 0, most = 0;
    double *speeds = calloc((size_t)plan->places, sizeof *speeds);
    xmpi_status_t status =
        speeds == NULL ? XMPI_ERR_MEMORY : xmpi_policy_speeds(view, plan, speeds);
    for (int i = 0; i < plan->places && status == XMPI_OK; i++) {
        double seconds = expected_seconds(view, i, speeds[i]);
        least = i == 0 || seconds < least ? seconds : least;
        most = seconds > most ? seconds : most;
    }
    free(speeds);
    *share = most > 0 ? (most - least) / most : 0;
    return status;
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

/* Leaves PLAN without places, and says why. */
static xmpi_status_t keep(xmpi_plan_t *plan, const char *why, double share)
{
    xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason, "computation times differ by %.1f %%: %s",
             100 * share, why);
    return XMPI_OK;
}

/* Whether the imbalance is left alone because interference may be over soon (Alg. 5, line 29). */
static bool is_burst(const xmpi_view_t *view)
{
    return view->history != NULL && xmpi_history_interference(view->history) == XMPI_BURST;
}

/* Iterations that a rebalance has to pay for itself in: those that remain, or, where the end is not
 * known, as many as have been made already, but not fewer than the thesis's sampling interval. */
static int64_t horizon(const xmpi_view_t *view)
{
    enum { AT_LEAST = 100 };
    if (view->remaining >= 0)
        return view->remaining;
    return view->iteration > AT_LEAST ? view->iteration : AT_LEAST;
}

/* Whether the program is done sooner with PLAN, the move included. True where that cannot be
 * predicted. */
static bool pays(const xmpi_view_t *view, const xmpi_plan_t *plan)
{
    xmpi_plan_t stay = {0};
    xmpi_prediction_t with, without;
    if (view->predictor == NULL ||
        xmpi_predict(view->predictor, &stay, horizon(view), &without) != XMPI_OK ||
        xmpi_predict(view->predictor, plan, horizon(view), &with) != XMPI_OK)
        return true;
    return with.total < without.total;
}

/* Turns PLAN, the members as they are, into the one that is wanted. */
static xmpi_status_t improve(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    double share;
    xmpi_status_t status = imbalance(view, plan, &share);
    if (status != XMPI_OK)
        return status;
    if (share <= view->imbalance_threshold)
        return keep(plan, "tolerated", share);
    if (is_burst(view))
        return keep(plan, "a burst of interference", share);
    status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK)
        return status;
    if (!blocks_change(view, plan))
        return keep(plan, "the best that whole rows allow", share);
    if (!pays(view, plan))
        return keep(plan, "a move takes longer than it saves", share);
    snprintf(plan->reason, sizeof plan->reason, "computation times differ by %.1f %%", 100 * share);
    return XMPI_OK;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_plan_alloc(plan, 0);
    if (view->layout->members < 2)
        return status;
    status = keep_members(view, plan);
    if (status == XMPI_OK)
        status = improve(view, plan);
    if (status != XMPI_OK) {
        xmpi_plan_free(plan);
        xmpi_error_set(error, status, "no memory to plan a rebalance");
    }
    return status;
}

const xmpi_policy_t xmpi_policy_balance = {
    .name = "balance",
    .help = "rebalance the load over the members by their measured speeds",
    .decide = decide,
};
