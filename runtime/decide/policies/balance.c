/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "balance": blocks in proportion to the relative computing power of the members
 * (thesis §5.2.1, Alg. 5; what is remembered for it is in history.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "decide/policies/balance.h"

#include "decide/planning/divide.h"
#include "decide/planning/place.h"
#include "decide/policy/policy.h"

/* Seconds that a member computes in an interval like the last at the speed that it is known for. */
static double expected_seconds(const xmpi_view_t *view, int rank, double speed)
{
    const xmpi_sample_t *sample = &view->samples[rank];
    return sample->work > 0 && speed > 0 ? sample->work / speed : sample->computation;
}

/* evaluateLoadBalance of Alg. 5 (lines 1-6), free of noise as far as the speeds are. */
typedef struct {
    int slowest, quickest; /* ranks */
    double share; /* (max - min) / max of their computation times, with I/O that rows make */
} imbalance_t;

/* PLAN has the members as they are. */
static xmpi_status_t find_imbalance(const xmpi_view_t *view, const xmpi_plan_t *plan,
                                    imbalance_t *imbalance)
{
    double least = 0, most = 0;
    double *speeds = calloc(2 * (size_t)plan->places, sizeof *speeds);
    double *io = speeds + plan->places;
    xmpi_status_t status =
        speeds == NULL ? XMPI_ERR_MEMORY : xmpi_policy_speeds(view, plan, speeds);
    if (status == XMPI_OK)
        status = xmpi_policy_io(view, io);
    *imbalance = (imbalance_t){0};
    for (int i = 0; i < plan->places && status == XMPI_OK; i++) {
        double seconds = expected_seconds(view, i, speeds[i]) + io[i];
        if (i == 0 || seconds < least) {
            least = seconds;
            imbalance->quickest = i;
        }
        if (seconds > most) {
            most = seconds;
            imbalance->slowest = i;
        }
    }
    free(speeds);
    imbalance->share = most > 0 ? (most - least) / most : 0;
    return status;
}

/* --- whether it is real, and will last ---------------------------------------------------------
 */

/* What is known of the speed of a member; NULL: nothing but the last interval. */
static const xmpi_speed_t *known_speed(const xmpi_view_t *view, int rank)
{
    const xmpi_history_t *history = view->history;
    int process = view->layout->member[rank].process;
    for (int pe = 0; history != NULL && pe < history->pes && pe < view->resources->pes; pe++)
        if (view->resources->pe[pe].process == process && history->speed[pe].speed > 0)
            return &history->speed[pe];
    return NULL;
}

/* Standard errors between two speeds that differ, as on control charts; and between those of two
 * processing elements that are alike, where the slower one has more work: what once made it look
 * quicker is over, or was noise. */
static const double distance = 3, distance_back = 1.5;

/* Relative standard error of the speed that a member is known for. */
static double error_of(const xmpi_view_t *view, int rank)
{
    const xmpi_speed_t *speed = known_speed(view, rank);
    return speed != NULL ? xmpi_history_error(view->history, (int)(speed - view->history->speed))
                         : 0;
}

/* Whether the slowest takes longer only because it has more work than the quickest, although they
 * are of one class. */
static bool is_uneven(const xmpi_view_t *view, const imbalance_t *imbalance)
{
    const xmpi_speed_t *slowest = known_speed(view, imbalance->slowest);
    const xmpi_speed_t *quickest = known_speed(view, imbalance->quickest);
    if (slowest == NULL || quickest == NULL)
        return false;
    const xmpi_pe_t *pe = view->resources->pe;
    const xmpi_speed_t *first = view->history->speed;
    return pe[slowest - first].class_index == pe[quickest - first].class_index &&
           slowest->speed >= quickest->speed;
}

/* Relative standard error of what a member took for an iteration of the last interval. */
static double chance_of(const xmpi_view_t *view, int rank)
{
    const xmpi_sample_t *sample = &view->samples[rank];
    return sample->computation > 0
               ? sample->deviation * sqrt((double)sample->iterations) / sample->computation
               : 0;
}

/* Whether noise of their speeds alone would not make the slowest and the quickest differ as much.
 * Rows that are said to differ in work are another reason, which is known: that work may wander.
 * Where that is learnt, it is from the times themselves. */
static bool is_real(const xmpi_view_t *view, const imbalance_t *imbalance)
{
    int slowest = imbalance->slowest, quickest = imbalance->quickest;
    if (view->learnt)
        return imbalance->share >
               distance * hypot(chance_of(view, slowest), chance_of(view, quickest));
    double error = hypot(error_of(view, slowest), error_of(view, quickest));
    double least = is_uneven(view, imbalance) ? distance_back : distance;
    return view->weighted || imbalance->share > least * error;
}

/* Speeds are believed to last for so many times as long as they have been seen. What lasts loses
 * no more by the waiting than 1 / LASTING of what a move takes, as where skis are rented before
 * they are bought; what is over soon moves no rows unless it pays meanwhile. Where loads have come
 * and gone before, the next one is believed to last as long as the shortest of late. Work that
 * wanders has to be followed whatever speeds do. */
static const double lasting = 8;

static int64_t lasting_iterations(const xmpi_view_t *view, const imbalance_t *imbalance)
{
    const int rank[2] = {imbalance->slowest, imbalance->quickest};
    int64_t iterations = xmpi_policy_horizon(view);
    for (int i = 0; i < 2 && !view->weighted; i++) {
        const xmpi_speed_t *speed = known_speed(view, rank[i]);
        double lasts =
            speed != NULL ? fmax(lasting * speed->since, xmpi_speed_lasts(speed)) : INFINITY;
        if (lasts < (double)iterations)
            iterations = (int64_t)lasts;
    }
    return iterations;
}

/* Whether the program has gained by PLAN after ITERATIONS, the move included. True where that
 * cannot be predicted. */
static bool pays(const xmpi_view_t *view, const xmpi_plan_t *plan, int64_t iterations)
{
    xmpi_plan_t stay = {0};
    xmpi_prediction_t with, without;
    if (view->predictor == NULL ||
        xmpi_predict(view->predictor, &stay, iterations, &without) != XMPI_OK ||
        xmpi_predict(view->predictor, plan, iterations, &with) != XMPI_OK)
        return true;
    return with.total < without.total;
}

/* --- the plan ----------------------------------------------------------------------------------
 */

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

/* What is compared of members. */
static const char *compared(const xmpi_view_t *view)
{
    return view->predictor != NULL && view->predictor->disks.known ? "computation and I/O"
                                                                   : "computation";
}

/* Leaves PLAN without places, and says why. */
static xmpi_status_t keep(const xmpi_view_t *view, xmpi_plan_t *plan, const char *why, double share)
{
    xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason, "%s times differ by %.1f %%: %s", compared(view),
             100 * share, why);
    return XMPI_OK;
}

/* Whether the times for which members had the CPU differ as much as is not tolerated: what others
 * take is not the reason then. */
static bool differs_by_itself(const xmpi_view_t *view)
{
    double least = INFINITY, most = 0;
    for (int i = 0; i < view->layout->members; i++) {
        double own = fmin(view->samples[i].cpu, view->samples[i].computation);
        least = fmin(least, own);
        most = fmax(most, own);
    }
    return most - least > view->imbalance_threshold * most;
}

/* Whether the imbalance is left alone because interference may be over soon (Alg. 5, line 29); not
 * where rows are known to differ, and are what makes it. */
static bool is_burst(const xmpi_view_t *view)
{
    return view->history != NULL && xmpi_history_interference(view->history) == XMPI_BURST &&
           !(view->learnt && differs_by_itself(view));
}

/* Work that wanders from row to row cannot be followed: to the layout that was best. */
static xmpi_status_t go_back(const xmpi_view_t *view, xmpi_plan_t *plan, double share)
{
    for (int i = 0; i < plan->places; i++)
        plan->place[i].block = view->best_block[i];
    if (!blocks_change(view, plan))
        return keep(view, plan, "no layout was better", share);
    snprintf(plan->reason, sizeof plan->reason,
             "%s times differ by %.1f %%, in the best layout by less", compared(view), 100 * share);
    return XMPI_OK;
}

/* The most by which a block of PLAN differs from the one that is, as a share of the larger one, and
 * beyond what noise of the speed may do where the layout goes by speeds. */
static double most_moved(const xmpi_view_t *view, const xmpi_plan_t *plan)
{
    double most = 0;
    for (int i = 0; i < plan->places; i++) {
        double now = (double)view->layout->member[i].block.count;
        double then = (double)plan->place[i].block.count, larger = fmax(now, then);
        double noise = view->division == XMPI_MHETA_BLK || view->division == XMPI_MHETA_IC
                           ? 0
                           : distance * error_of(view, i);
        if (larger > 0)
            most = fmax(most, fabs(now - then) / larger - noise);
    }
    return most;
}

/* Turns PLAN, the members as they are, into the layout that the user asks for, which is right
 * whatever it costs. */
static xmpi_status_t lay_out(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    xmpi_status_t status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK)
        return status;
    double most = most_moved(view, plan);
    const char *what = "tolerated";
    if (most > view->imbalance_threshold)
        what = is_burst(view) ? "a burst of interference" : NULL;
    if (what != NULL)
        xmpi_plan_free(plan);
    snprintf(plan->reason, sizeof plan->reason,
             "blocks differ by %.1f %% from the layout that is asked for%s%s", 100 * most,
             what != NULL ? ": " : "", what != NULL ? what : "");
    return XMPI_OK;
}

/* No division has been worth it of late: to the blocks of the begin. */
static xmpi_status_t go_home(const xmpi_view_t *view, xmpi_plan_t *plan, double share)
{
    for (int i = 0; i < plan->places; i++)
        plan->place[i].block = view->home[i];
    if (!blocks_change(view, plan))
        return keep(view, plan, "loads change too fast to follow them", share);
    snprintf(plan->reason, sizeof plan->reason,
             "loads change too fast to follow them: blocks as at the begin");
    return XMPI_OK;
}

/* Turns PLAN, the members as they are, into the one that is wanted. */
static xmpi_status_t improve(const xmpi_view_t *view, xmpi_plan_t *plan)
{
    if (view->division != XMPI_MHETA_BEST)
        return lay_out(view, plan);
    imbalance_t imbalance;
    xmpi_status_t status = find_imbalance(view, plan, &imbalance);
    double share = imbalance.share;
    if (status != XMPI_OK)
        return status;
    if (view->home != NULL)
        return go_home(view, plan, share);
    if (share <= view->imbalance_threshold)
        return keep(view, plan, "tolerated", share);
    if (!is_real(view, &imbalance))
        return keep(view, plan, "no more than noise may", share);
    if (is_burst(view))
        return keep(view, plan, "a burst of interference", share);
    if (view->best_block != NULL)
        return go_back(view, plan, share);
    status = xmpi_policy_divide(view, plan);
    if (status != XMPI_OK)
        return status;
    if (!blocks_change(view, plan))
        return keep(view, plan, "the best that whole rows allow", share);
    if (!pays(view, plan, lasting_iterations(view, &imbalance)))
        return keep(view, plan, "a move takes longer than it saves", share);
    snprintf(plan->reason, sizeof plan->reason, "%s times differ by %.1f %%%s%s", compared(view),
             100 * share, view->learnt ? ", as rows do" : "",
             view->learnt && view->mistaken ? " other than is said of them" : "");
    return XMPI_OK;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    (void)decision;
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

/* The nodes that the members are on. */
static xmpi_status_t move(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                          xmpi_error_t *error)
{
    (void)decision;
    return xmpi_place_ranks(view, true, plan, error);
}

const xmpi_policy_t xmpi_policy_balance = {
    .name = "balance",
    .help = "rebalance the load over the members by their measured speeds",
    .needs = XMPI_OF_BLOCKS,
    .uses = XMPI_OF_BOUND | XMPI_OF_PREDICTIONS,
    .settings = "forecast history imbalance window",
    .decide = decide,
    .move = move,
};
