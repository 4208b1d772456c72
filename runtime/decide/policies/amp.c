/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "amp", the adaptive malleability policy (thesis §5.4.3, Alg. 8): the loop is to be done at
 * a time that the user sets, with the fewest members or at the least cost. It grows when it is
 * late, shrinks when it is early, and says when the goal cannot be reached. In between, it
 * balances.
 *
 * Where it differs from Alg. 8: the deviation is that of the end of the loop, as a share of its
 * whole time, not that of the next interval, so that the last intervals are not corrected over and
 * over; and of the configurations that meet the goal the best is taken although none may come
 * within the tolerance: what it is too fast is given back later, by shrinking. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/policies/balance.h"
#include "decide/planning/scenario.h"

/* A decision under way. Seconds are from now to the end of the loop. */
typedef struct {
    const xmpi_view_t *view;
    xmpi_decision_t *decision;
    xmpi_scenarios_t scenarios;
    double left;      /* until the goal */
    double tolerated; /* difference from it */
    double aim;       /* what plans were made for last: as much less as they took longer */
    double staying;   /* that the present members need */
    int *now;         /* present members of each class */
    int *count;       /* scratch: a configuration */
    double *need;     /* scratch: power by number of members */
} deliberation_t;

/* --- first phase: the goal and the course ------------------------------------------------------
 */

/* calculateGoal: when the loop is to be done. The static time is that of the members that the
 * program started with, balanced from now on (thesis §6.4.3.1). */
static void set_goal(const xmpi_view_t *view, double balanced, xmpi_policy_state_t *state)
{
    double as_it_is = view->now - view->loop_started + balanced;
    switch (view->goal.kind) {
    case XMPI_GOAL_SAVE:
        state->finish = view->loop_started + (1 - view->goal.value) * as_it_is;
        break;
    case XMPI_GOAL_SECONDS:
        state->finish = view->started + view->goal.value;
        break;
    default:
        state->finish = view->goal.value;
    }
}

static void assess(deliberation_t *d)
{
    const xmpi_view_t *view = d->view;
    xmpi_policy_state_t *state = &d->decision->state;
    xmpi_scenarios_t *s = &d->scenarios;
    int members = view->layout->members;
    for (int c = 0; c < s->classes; c++)
        d->now[c] = s->of[c].members;
    double balanced =
        xmpi_scenario_seconds(s, members, xmpi_scenario_power(s, d->now)) - s->change[members];
    if (state->finish <= 0)
        set_goal(view, balanced, state);
    d->staying = balanced;
    d->left = state->finish - view->now;
    d->aim = d->left;
    d->tolerated = view->tolerance * fabs(state->finish - view->loop_started);
}

/* --- second phase: scenarios -------------------------------------------------------------------
 */

/* mappingSimplex over all numbers of members that may be, for the loop to be done in SECONDS. */
static xmpi_status_t find(deliberation_t *d, double seconds, bool *found, xmpi_error_t *error)
{
    const xmpi_scenarios_t *s = &d->scenarios;
    int least = d->view->least_members > 1 ? d->view->least_members : 1;
    for (int n = 0; n <= s->most; n++)
        d->need[n] = n >= least ? xmpi_scenario_need(s, n, seconds) : INFINITY;
    xmpi_configurations_t all = {.glpk = d->view->glpk,
                                 .classes = s->classes,
                                 .choice = s->choice,
                                 .constraint = d->view->constraint,
                                 .least = least,
                                 .most = s->most,
                                 .need = d->need};
    return xmpi_configurations_find(&all, d->count, found, error);
}

static bool is_now(const deliberation_t *d)
{
    return memcmp(d->count, d->now, (size_t)d->scenarios.classes * sizeof *d->now) == 0;
}

/* Rows are whole and members of a class not all alike: a plan can take longer than its powers say.
 * Then the goal is taken to be that much nearer. */
enum { TRIES = 4 };

/* The plan of the best configuration that reaches the goal; no places: there is none, or it is the
 * present one. *FOUND tells the two apart. */
static xmpi_status_t best_plan(deliberation_t *d, xmpi_plan_t *plan, xmpi_prediction_t *prediction,
                               bool *found, xmpi_error_t *error)
{
    double target = d->left;
    *found = false;
    for (int i = 0; i < TRIES; i++) {
        xmpi_status_t status = find(d, target, found, error);
        if (status != XMPI_OK || !*found || is_now(d))
            return status;
        status = xmpi_scenario_plan(&d->scenarios, d->count, plan, prediction);
        if (status != XMPI_OK)
            return xmpi_error_set(error, status, "no memory to plan a change of members");
        bool suits = prediction->total <= d->left + 0.5 * d->tolerated;
        xmpi_scenario_note(&d->scenarios, d->count, prediction->total,
                           xmpi_predicted_change(prediction), suits);
        if (suits)
            return XMPI_OK;
        target -= prediction->total - d->left;
        xmpi_plan_free(plan);
    }
    d->aim = target;
    *found = false;
    return XMPI_OK;
}

/* What the strongest members of each number would take: what is beside the choice, for the trace,
 * and the best that can be done where the goal is out of reach. */
static double fastest(deliberation_t *d, int first, int last, int *members)
{
    const xmpi_scenarios_t *s = &d->scenarios;
    double least = INFINITY;
    for (int n = first; n <= last; n++) {
        double power = xmpi_configurations_strongest(s->classes, s->choice, n, d->count);
        double seconds = power > 0 ? xmpi_scenario_seconds(s, n, power) : INFINITY;
        if (seconds < least) {
            least = seconds;
            *members = n;
        }
    }
    return least;
}

/* The fewest of the strongest members with which the loop is done in SECONDS; 0: there are none. */
static int fewest_within(deliberation_t *d, int first, int last, double seconds)
{
    const xmpi_scenarios_t *s = &d->scenarios;
    for (int n = first; n <= last; n++) {
        double power = xmpi_configurations_strongest(s->classes, s->choice, n, d->count);
        if (power > 0 && xmpi_scenario_seconds(s, n, power) <= seconds)
            return n;
    }
    return 0;
}

static double since(const xmpi_view_t *view)
{
    return xmpi_goal_since(&view->goal, view->started, view->loop_started);
}

static void choose_last(const deliberation_t *d, const xmpi_plan_t *plan)
{
    xmpi_decision_take(d->decision, plan, d->decision->alternatives - 1);
}

/* No plan was good enough: as few members as come closest to the goal or, where it is out of reach,
 * as fast as it can be, where that pays. */
static xmpi_status_t do_the_best(deliberation_t *d, xmpi_plan_t *plan, xmpi_error_t *error)
{
    const xmpi_view_t *view = d->view;
    xmpi_decision_t *decision = d->decision;
    xmpi_policy_state_t *state = &decision->state;
    xmpi_scenarios_t *s = &d->scenarios;
    xmpi_prediction_t prediction;
    int members = view->layout->members;
    double goal = state->finish - since(view), done = view->now - since(view);
    /* Where there is no room for more, strong ones instead of weak ones. */
    xmpi_scenarios_bound(s, view->may_grow, s->most == members);
    double least = fastest(d, members, s->most, &members);
    double best = least < d->staying ? least : d->staying;
    bool missed = view->may_grow && best - d->left > 2 * d->tolerated;
    if (missed && !state->unreachable)
        snprintf(decision->unreachable, sizeof decision->unreachable,
                 "the goal of %.4g s cannot be reached; the best that can be done is %.4g s", goal,
                 done + best);
    state->unreachable = state->unreachable || missed;
    if (d->staying - least <= d->tolerated)
        return XMPI_OK;
    int enough = fewest_within(d, view->layout->members, s->most, d->aim);
    xmpi_configurations_strongest(s->classes, s->choice, enough > 0 ? enough : members, d->count);
    if (is_now(d))
        return XMPI_OK;
    xmpi_status_t status = xmpi_scenario_plan(s, d->count, plan, &prediction);
    if (status != XMPI_OK)
        return xmpi_error_set(error, status, "no memory to plan a change of members");
    xmpi_scenario_note(s, d->count, prediction.total, xmpi_predicted_change(&prediction), false);
    snprintf(plan->reason, sizeof plan->reason, "amp: %s %.4g s; %.4g s instead of %.4g s",
             enough > 0 ? "not just in" : "cannot reach", goal, done + prediction.total,
             done + d->staying);
    choose_last(d, plan);
    return XMPI_OK;
}

static void explain(const deliberation_t *d, const xmpi_prediction_t *prediction, xmpi_plan_t *plan)
{
    const xmpi_view_t *view = d->view;
    double done = view->now - since(view);
    snprintf(plan->reason, sizeof plan->reason,
             "amp: %s, %.4g s instead of the goal of %.4g s; %d members: %.4g s",
             d->staying > d->left ? "late" : "early", done + d->staying,
             d->decision->state.finish - since(view), plan->places, done + prediction->total);
    choose_last(d, plan);
}

static xmpi_status_t catch_up(deliberation_t *d, xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_prediction_t prediction;
    bool found = false;
    xmpi_status_t status = XMPI_OK;
    if (d->view->may_grow) {
        xmpi_scenarios_bound(&d->scenarios, true, false);
        status = best_plan(d, plan, &prediction, &found, error);
        if (status == XMPI_OK && !found) { /* others instead of those that are there */
            xmpi_scenarios_bound(&d->scenarios, true, true);
            status = best_plan(d, plan, &prediction, &found, error);
        }
    }
    if (status == XMPI_OK && plan->places > 0)
        explain(d, &prediction, plan);
    return status == XMPI_OK && !found ? do_the_best(d, plan, error) : status;
}

static xmpi_status_t slow_down(deliberation_t *d, xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_prediction_t prediction;
    bool found;
    xmpi_scenarios_bound(&d->scenarios, false, true);
    xmpi_status_t status = best_plan(d, plan, &prediction, &found, error);
    if (status == XMPI_OK && plan->places > 0)
        explain(d, &prediction, plan);
    return status;
}

static xmpi_status_t deliberate(deliberation_t *d, xmpi_plan_t *plan, xmpi_error_t *error)
{
    xmpi_decision_t *decision = d->decision;
    assess(d);
    double late = d->staying - d->left;
    xmpi_scenario_note(&d->scenarios, d->now, d->staying, 0, fabs(late) <= d->tolerated);
    decision->chosen = 0;
    snprintf(decision->reason, sizeof decision->reason,
             "as it is the loop is done %.3g s %s the goal", fabs(late),
             late > 0 ? "after" : "before");
    if (late > d->tolerated)
        return catch_up(d, plan, error);
    return late < -d->tolerated ? slow_down(d, plan, error) : XMPI_OK;
}

static xmpi_status_t pursue(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    int now[XMPI_CLASSES_MAX], count[XMPI_CLASSES_MAX];
    deliberation_t d = {.view = view, .decision = decision, .now = now, .count = count};
    xmpi_status_t status = xmpi_scenarios_make(&d.scenarios, view, decision);
    if (status != XMPI_OK)
        return xmpi_error_set(error, status, "no memory to compare numbers of members");
    d.need = calloc((size_t)d.scenarios.most + 1, sizeof *d.need);
    status = d.need != NULL ? deliberate(&d, plan, error)
                            : xmpi_error_set(error, XMPI_ERR_MEMORY,
                                             "no memory to compare numbers of members");
    free(d.need);
    xmpi_scenarios_free(&d.scenarios);
    return status;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    memset(plan, 0, sizeof *plan);
    if (view->predictor != NULL && view->predictor->work > 0 && view->remaining > 0 &&
        view->goal.kind != XMPI_GOAL_NONE)
        status = pursue(view, plan, decision, error);
    return status != XMPI_OK || plan->places > 0
               ? status
               : xmpi_policy_balance.decide(view, plan, decision, error);
}

const xmpi_policy_t xmpi_policy_amp = {
    .name = "amp",
    .help = "be done at XMPI_GOAL with the fewest members, or at the least cost",
    .needs = XMPI_OF_GOAL | XMPI_OF_BOUND | XMPI_OF_PREDICTIONS | XMPI_OF_GLPK,
    .uses = XMPI_OF_COSTS | XMPI_OF_PROCESSES | XMPI_OF_FORECASTS | XMPI_OF_IDLE | XMPI_OF_BLOCKS,
    .settings = "constraint forecast goal history imbalance tolerance window",
    .decide = decide,
};
