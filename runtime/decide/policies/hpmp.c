/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "hpmp", the high performance malleability policy (thesis §5.4.2, Alg. 7): of all numbers
 * of additional members the one with which the loop is done first, what the change takes included.
 * It grows only when that pays, and shrinks only on request (evacuate.h). In between, it balances.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/policies/balance.h"
#include "decide/planning/scenario.h"

/* The best number of additional members. */
typedef struct {
    int more;
    double seconds; /* with them */
    double staying; /* without */
} best_t;

static double seconds_with(const xmpi_scenarios_t *s, int more, int *count)
{
    int members = s->view->layout->members + more;
    double power = xmpi_configurations_strongest(s->classes, s->choice, members, count);
    return power > 0 ? xmpi_scenario_seconds(s, members, power) : INFINITY;
}

/* Alg. 7, lines 7-15. New members are those with the most power: for the same communication they
 * take the most off the others. */
static best_t find_best(const xmpi_scenarios_t *s)
{
    int count[XMPI_CLASSES_MAX], most = s->most - s->view->layout->members;
    best_t best = {.staying = seconds_with(s, 0, count)};
    best.seconds = best.staying;
    for (int more = 1; more <= most; more++) {
        double seconds = seconds_with(s, more, count);
        if (seconds < best.seconds) {
            best.more = more;
            best.seconds = seconds;
        }
    }
    return best;
}

/* As many alternatives as there is room for, spread over all, and the best one. */
static void note_alternatives(const xmpi_scenarios_t *s, const best_t *best)
{
    int count[XMPI_CLASSES_MAX], now = s->view->layout->members, most = s->most - now;
    int step = 1 + most / (XMPI_ALTERNATIVES_MAX - 2);
    for (int more = 0; more <= most; more++) {
        if (more % step != 0 && more != best->more)
            continue;
        double seconds = seconds_with(s, more, count);
        if (isfinite(seconds) &&
            xmpi_scenario_note(s, count, seconds, more > 0 ? s->change[now + more] : 0,
                               seconds < best->staying) != NULL &&
            more == best->more)
            s->decision->chosen = s->decision->alternatives - 1;
    }
}

/* Hysteresis: a gain within the tolerance is not worth the risk. */
static bool pays(const xmpi_view_t *view, double staying, double seconds)
{
    return staying - seconds > view->tolerance * staying;
}

static xmpi_status_t grow(xmpi_scenarios_t *s, const best_t *best, xmpi_plan_t *plan)
{
    int count[XMPI_CLASSES_MAX];
    xmpi_prediction_t prediction;
    seconds_with(s, best->more, count);
    xmpi_status_t status = xmpi_scenario_plan(s, count, plan, &prediction);
    if (status != XMPI_OK)
        return status;
    if (!pays(s->view, best->staying, prediction.total)) { /* rows are whole */
        xmpi_plan_free(plan);
        return XMPI_OK;
    }
    snprintf(plan->reason, sizeof plan->reason,
             "hpmp: with %d more members done in %.3g s instead of %.3g s", best->more,
             prediction.total, best->staying);
    return XMPI_OK;
}

static xmpi_status_t search(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision)
{
    xmpi_scenarios_t s;
    xmpi_status_t status = xmpi_scenarios_make(&s, view, decision);
    if (status != XMPI_OK)
        return status;
    xmpi_scenarios_bound(&s, true, false);
    best_t best = find_best(&s);
    note_alternatives(&s, &best);
    if (pays(view, best.staying, best.seconds))
        status = grow(&s, &best, plan);
    if (plan->places == 0) {
        decision->chosen = 0;
        snprintf(decision->reason, sizeof decision->reason,
                 "more members do not pay: %.3g s as it is, at best %.3g s", best.staying,
                 best.seconds);
    }
    xmpi_scenarios_free(&s);
    return status;
}

static bool can_grow(const xmpi_view_t *view)
{
    return view->predictor != NULL && view->may_grow && view->predictor->work > 0 &&
           view->layout->members < view->resources->max_members &&
           view->layout->members < view->layout->domain &&
           xmpi_resources_usable(view->resources, XMPI_ANY_CLASS) > 0;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    memset(plan, 0, sizeof *plan);
    if (can_grow(view))
        status = search(view, plan, decision);
    if (status == XMPI_ERR_MEMORY)
        return xmpi_error_set(error, status, "no memory to compare numbers of members");
    return status != XMPI_OK || plan->places > 0
               ? status
               : xmpi_policy_balance.decide(view, plan, decision, error);
}

const xmpi_policy_t xmpi_policy_hpmp = {
    .name = "hpmp",
    .help = "grow to the number of members with which the loop is done first",
    .uses = XMPI_OF_BOUND | XMPI_OF_PREDICTIONS | XMPI_OF_PROCESSES | XMPI_OF_FORECASTS |
            XMPI_OF_IDLE | XMPI_OF_BLOCKS,
    .settings = "forecast history imbalance tolerance window",
    .decide = decide,
};
