/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "map": processes of a movable loop that talk to one another come together on nodes, when
 * what that is predicted to gain in the iterations to come pays for the moves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/planning/divide.h"
#include "decide/planning/moves.h"
#include "decide/planning/remapping/remap_plan.h"

/* Members and blocks of other loops stay. */
static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    (void)view, (void)decision, (void)error;
    xmpi_status_t status = xmpi_plan_alloc(plan, 0);
    snprintf(plan->reason, sizeof plan->reason, "map is for movable loops");
    return status;
}

/* Seconds of an iteration that members communicate in; what they wait for one another is not in it.
 */
static double communication(const xmpi_view_t *view)
{
    xmpi_prediction_t measured;
    double iterations = (double)view->samples[0].iterations;
    xmpi_measured(view->samples, view->layout->members, &measured);
    return iterations > 0 ? measured.communication / iterations : 0;
}

static void note(xmpi_decision_t *decision, const char *label, const xmpi_remap_t *r,
                 double seconds, double change)
{
    xmpi_alternative_t *alternative = xmpi_decision_add(decision);
    if (alternative == NULL)
        return;
    snprintf(alternative->label, sizeof alternative->label, "%s", label);
    alternative->members = r->mapping.ranks;
    alternative->seconds = seconds;
    alternative->reconfiguration = change;
    alternative->feasible = true;
}

/* Prices PLAN, which makes communication GAIN seconds of an iteration shorter, of those that are
 * still to come. */
static xmpi_status_t price(const xmpi_remap_t *r, double gain, xmpi_plan_t *plan,
                           xmpi_decision_t *decision)
{
    char label[XMPI_LABEL_MAX];
    double iterations = (double)xmpi_policy_horizon(r->view), now = communication(r->view);
    double change = xmpi_policy_change_seconds(r->view, plan);
    snprintf(label, sizeof label, "%d moves", r->mapped.moves);
    note(decision, "stay", r, now * iterations, 0);
    note(decision, label, r, (now - gain) * iterations + change, change);
    if (gain * iterations <= change)
        return xmpi_decision_keep(decision, plan, "moves would take longer than they save");
    snprintf(plan->reason, sizeof plan->reason,
             "%d of %d go to those that they talk to: an iteration communicates %.3g s less",
             r->mapped.moves, r->mapping.ranks, gain);
    xmpi_decision_take(decision, plan, 1);
    return XMPI_OK;
}

static xmpi_status_t regroup(xmpi_remap_t *r, xmpi_plan_t *plan, xmpi_decision_t *decision,
                             xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_mapping_regroup(&r->mapping, r->to, &r->mapped, error);
    if (status != XMPI_OK)
        return status;
    double gain = xmpi_remap_seconds(r, r->at) - xmpi_remap_seconds(r, r->to);
    gain = fmin(gain, communication(r->view));
    if (r->mapped.moves == 0 || gain <= 0)
        return xmpi_decision_keep(decision, plan,
                                  "who talks to one another is together as far as it can be");
    status = xmpi_remap_plan(r, plan, error);
    return status == XMPI_OK ? price(r, gain, plan, decision) : status;
}

/* The traffic is asked for when the loop has lasted twice as long as the last time: what it was in
 * an interval by chance is in no decision for long, and asking costs less and less. */
static bool is_time(const xmpi_view_t *view)
{
    return view->traffic != NULL || view->traffic_asked || view->state == NULL ||
           view->iteration >= view->state->map_from;
}

static xmpi_status_t move(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                          xmpi_error_t *error)
{
    xmpi_remap_t remap;
    memset(plan, 0, sizeof *plan);
    if (xmpi_moves_all_are_held(view))
        return xmpi_decision_keep(decision, plan, "members stay for what one of them has");
    if (!is_time(view))
        return xmpi_decision_keep(decision, plan, "who talks to whom has been looked at");
    if (view->traffic == NULL && !view->traffic_asked)
        return XMPI_NEEDS_TRAFFIC;
    decision->state.map_from = 2 * view->iteration;
    if (view->traffic == NULL)
        return xmpi_decision_keep(decision, plan, "who talks to whom is not known");
    xmpi_status_t status = xmpi_remap_make(&remap, view, error);
    if (status == XMPI_OK)
        status = regroup(&remap, plan, decision, error);
    xmpi_remap_free(&remap);
    return status;
}

const xmpi_policy_t xmpi_policy_map = {
    .name = "map",
    .help = "of a movable loop: let processes that talk to one another come together on nodes, "
            "when that pays for the moves",
    .needs = XMPI_OF_TRAFFIC | XMPI_OF_MOVES,
    .uses = XMPI_OF_BOUND | XMPI_OF_PREDICTIONS | XMPI_OF_PROCESSES,
    .settings = "share",
    .expectation = "no change unless those who talk to one another are apart",
    .decide = decide,
    .move = move,
};
