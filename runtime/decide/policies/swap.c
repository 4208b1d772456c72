/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "swap": processes on the slowest PEs go to the fastest idle ones when that pays (Sievert
 * 2003, ch. 5). Ranks and blocks stay as they are: a new process takes over from one that leaves.
 *
 * Where rows are the program's to divide as XMPI likes, there are three ways: processes go and keep
 * their blocks, blocks change and processes stay, or both. Whether a way is worth it the terms of
 * swapping say (of blocks alone the policy "balance"); of those that are, the one is taken with
 * which the iterations to come are done first. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/policies/balance.h"
#include "decide/planning/divide.h"
#include "decide/planning/swapping.h"

/* A way to go on, and what it comes to. */
typedef struct {
    xmpi_plan_t plan;
    bool divides;
    int swaps;
    double iteration; /* seconds of one, all phases */
    double change;    /* seconds */
    double payback;
    int alternative; /* of the decision; -1: there was no room */
} way_t;

typedef struct {
    const xmpi_view_t *view;
    xmpi_swapping_t *swapping;
    xmpi_decision_t *decision;
    double now; /* seconds of an iteration as it is */
    way_t best; /* of those that pay; no places: there is none yet */
    bool gains; /* something would have gained enough, if it had paid */
} choice_t;

/* "0>5 3>7": which rank goes to which PE, as far as there is room. */
static void label(const way_t *way, char *text)
{
    const char *rows = !way->divides ? "" : way->swaps > 0 ? ", rebalance" : "rebalance";
    size_t used = 0, room = XMPI_LABEL_MAX - strlen(rows);
    const xmpi_place_t *place = way->plan.place;
    for (int i = 0; i < way->plan.places && used < room; i++)
        if (place[i].origin == XMPI_TAKES_OVER)
            used += (size_t)snprintf(text + used, room - used, "%s%d>%d", used > 0 ? " " : "", i,
                                     place[i].pe);
    if (used >= room) {
        memcpy(text + room - 4, "...", 4);
        used = room - 1;
    }
    strcpy(text + used, rows);
}

/* --- whether it pays ---------------------------------------------------------------------------
 */

static bool gains_enough(const choice_t *c, double iteration)
{
    return c->now / iteration - 1 > c->view->swap.application_gain;
}

/* What cannot pay for itself in what is left of the loop never does. */
static bool pays(const xmpi_view_t *view, double payback)
{
    return payback >= 0 && payback < view->swap.payback &&
           (view->remaining < 0 || payback < (double)view->remaining);
}

/* Seconds until the iterations to come, or those that are hoped for, are done. */
static double total(const choice_t *c, const way_t *way)
{
    return way->change + (double)xmpi_policy_horizon(c->view) * way->iteration;
}

/* Whether a way with such iterations may be better than the best, if it cost nothing. */
static bool may_be_better(const choice_t *c, double iteration)
{
    return c->best.plan.places == 0 ||
           (double)xmpi_policy_horizon(c->view) * iteration < total(c, &c->best);
}

/* Seconds of the iterations to come; of one where their number is not known. */
static double to_the_end(const xmpi_view_t *view, double iteration)
{
    return view->remaining >= 0 ? iteration * (double)view->remaining : iteration;
}

static void note_now(const choice_t *c)
{
    xmpi_alternative_t *stay =
        c->decision->alternatives == 0 ? xmpi_decision_add(c->decision) : NULL;
    if (stay == NULL)
        return;
    snprintf(stay->label, sizeof stay->label, "stay");
    stay->members = c->view->layout->members;
    stay->seconds = to_the_end(c->view, c->now);
    stay->feasible = true;
}

static void note(const choice_t *c, way_t *way, bool feasible)
{
    note_now(c);
    xmpi_alternative_t *alternative = xmpi_decision_add(c->decision);
    way->alternative = alternative != NULL ? c->decision->alternatives - 1 : -1;
    if (alternative == NULL)
        return;
    label(way, alternative->label);
    alternative->members = way->plan.places;
    alternative->seconds = to_the_end(c->view, way->iteration) + way->change;
    alternative->reconfiguration = way->change;
    alternative->payback = way->payback;
    alternative->feasible = feasible;
}

/* Prices WAY, and keeps it, or frees its plan. */
static void offer(choice_t *c, way_t *way)
{
    way->change = xmpi_policy_change_seconds(c->view, &way->plan);
    way->payback = xmpi_swap_payback(way->change, c->now, 1 / c->now, 1 / way->iteration);
    bool feasible = way->swaps == 0 || pays(c->view, way->payback);
    note(c, way, feasible);
    if (feasible && (c->best.plan.places == 0 || total(c, way) < total(c, &c->best))) {
        xmpi_plan_free(&c->best.plan);
        c->best = *way;
    } else {
        xmpi_plan_free(&way->plan);
    }
}

/* --- the ways ----------------------------------------------------------------------------------
 */

static xmpi_status_t offer_kept(choice_t *c, int *found, xmpi_error_t *error)
{
    xmpi_swap_set_t set[XMPI_SETS_KEPT];
    *found = xmpi_swapping_kept(c->swapping, set);
    if (*found > 0)
        note_now(c);
    for (int i = 0; i < *found; i++) {
        way_t way = {.swaps = set[i].swaps, .iteration = set[i].seconds + c->swapping->others};
        if (!gains_enough(c, way.iteration) || !may_be_better(c, way.iteration))
            break;
        xmpi_status_t status = xmpi_swapping_plan(c->swapping, &set[i], &way.plan, error);
        if (status != XMPI_OK)
            return status;
        c->gains = true;
        offer(c, &way);
    }
    return XMPI_OK;
}

static xmpi_status_t offer_rebalance(choice_t *c, xmpi_error_t *error)
{
    way_t way = {.divides = true};
    xmpi_status_t status = xmpi_policy_balance.decide(c->view, &way.plan, c->decision, error);
    if (status != XMPI_OK || way.plan.places == 0)
        return status;
    way.iteration = xmpi_swapping_seconds(c->swapping, &way.plan) + c->swapping->others;
    offer(c, &way);
    return XMPI_OK;
}

/* Of an iteration, from which on it is worth to divide rows, too: what one tolerates is not. */
static double worth(const choice_t *c)
{
    double least = c->best.plan.places > 0 ? fmin(c->now, c->best.iteration) : c->now;
    return least * (1 - c->view->imbalance_threshold);
}

static xmpi_status_t offer_divided(choice_t *c, xmpi_error_t *error)
{
    xmpi_swap_set_t set[XMPI_SETS_DIVIDED];
    int sets = xmpi_swapping_divided(c->swapping, set);
    double others = c->swapping->others, enough = worth(c);
    for (int i = 0; i < sets; i++) {
        way_t way = {.divides = true, .swaps = set[i].swaps};
        double ideal = set[i].seconds + others;
        if (!gains_enough(c, ideal) || ideal >= enough || !may_be_better(c, ideal))
            break;
        xmpi_status_t status = xmpi_swapping_plan(c->swapping, &set[i], &way.plan, error);
        if (status != XMPI_OK)
            return status;
        way.iteration = set[i].seconds + others;
        if (gains_enough(c, way.iteration) && way.iteration < enough) {
            c->gains = true;
            offer(c, &way);
        } else {
            xmpi_plan_free(&way.plan);
        }
    }
    return XMPI_OK;
}

/* --- the decision ------------------------------------------------------------------------------
 */

static void take(const choice_t *c, xmpi_plan_t *plan)
{
    const way_t *best = &c->best;
    *plan = best->plan;
    if (best->swaps > 0)
        snprintf(plan->reason, sizeof plan->reason,
                 "%d to quicker processing elements%s: an iteration of %.3g s takes %.3g s then, "
                 "paid back after %.3g iterations",
                 best->swaps, best->divides ? ", rows divided anew" : "", c->now, best->iteration,
                 best->payback);
    xmpi_decision_take(c->decision, plan, best->alternative);
}

/* Rows of a loop that moves, or starts over, are not ours to divide, nor those that are at home. */
static bool divides(const xmpi_view_t *view)
{
    return !view->movable && !view->sizes && view->home == NULL;
}

static xmpi_status_t choose(choice_t *c, xmpi_plan_t *plan, xmpi_error_t *error)
{
    int found;
    if (c->view->home != NULL) { /* where rows have to be, whatever that is worth at present */
        xmpi_status_t status = xmpi_policy_balance.decide(c->view, plan, c->decision, error);
        if (status != XMPI_OK || plan->places > 0)
            return status;
    }
    xmpi_status_t status = offer_kept(c, &found, error);
    if (status == XMPI_OK && divides(c->view))
        status = offer_rebalance(c, error);
    if (status == XMPI_OK && divides(c->view))
        status = offer_divided(c, error);
    if (status != XMPI_OK)
        xmpi_plan_free(&c->best.plan);
    else if (c->best.plan.places > 0)
        take(c, plan);
    else
        xmpi_decision_keep(c->decision, plan,
                           c->gains    ? "no swaps pay for themselves soon enough"
                           : found > 0 ? "swaps would gain too little"
                                       : "no idle processing elements make it quicker");
    return status;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    xmpi_swapping_t swapping;
    memset(plan, 0, sizeof *plan);
    if (!view->may_grow && divides(view))
        return xmpi_policy_balance.decide(view, plan, decision, error);
    if (!view->may_grow)
        return xmpi_decision_keep(decision, plan, "processes could not be had lately");
    xmpi_status_t status = xmpi_swapping_make(&swapping, view);
    choice_t choice = {.view = view, .swapping = &swapping, .decision = decision};
    if (status != XMPI_OK) {
        xmpi_error_set(error, status, "no memory to plan swaps");
    } else {
        choice.now = swapping.member[0].seconds + swapping.others;
        status = choose(&choice, plan, error);
    }
    xmpi_swapping_free(&swapping);
    return status;
}

const xmpi_policy_t xmpi_policy_swap = {
    .name = "swap",
    .help = "exchange the slowest processing elements for quicker idle ones when that pays, as "
            "XMPI_SWAP says, and rebalance",
    .uses =
        XMPI_OF_BOUND | XMPI_OF_PREDICTIONS | XMPI_OF_PROCESSES | XMPI_OF_FORECASTS | XMPI_OF_IDLE,
    .settings =
        "application_gain forecast history imbalance payback process_gain swap swaps window",
    .decide = decide,
    .move = decide,
};
