/* SPDX-License-Identifier: BSD-3-Clause
 * Wishes. */
#include "decide/policies/wish.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/divide.h"
#include "decide/planning/moves.h"

static xmpi_status_t check_rank(const xmpi_view_t *view, int rank, xmpi_error_t *error)
{
    if (rank >= view->layout->members)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "there is no rank %d", rank);
    if (view->layout->member[rank].process == view->resources->anchor)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "rank %d stays where it is: %s", rank,
                              view->resources->can_spawn
                                  ? "new processes are spawned from there, unless the loop is "
                                    "movable; with spares (xmpirun --spares) each can move"
                                  : "it has what the program keeps on rank 0");
    if (!xmpi_moves_may(view, rank))
        return xmpi_error_set(
            error, XMPI_ERR_INPUT,
            "rank %d cannot move now: something is open that it cannot take along, "
            "as a line of the job has said",
            rank);
    return XMPI_OK;
}

/* Why nobody can come to PE, and what helps. */
static xmpi_status_t say_taken(const xmpi_resources_t *resources, int pe, xmpi_error_t *error)
{
    const xmpi_pe_t *p = &resources->pe[pe];
    if (p->process >= 0 && !p->parked)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "processing element %d has a member already",
                              pe);
    if (p->avoided)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "processing element %d is on node %.64s, which is withdrawn until it "
                              "is offered (xmpictl offer)",
                              pe, p->node);
    if (p->given_back && !p->gone && !p->lost)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "processing element %d rests, for there to be fewer members, until "
                              "there are to be more (xmpictl grow)",
                              pe);
    if (p->withdrawn)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "processing element %d is not there any more",
                              pe);
    return xmpi_error_set(error, XMPI_ERR_INPUT, "no process can be had on processing element %d%s",
                          pe, p->rests ? " yet, as the last one did not come" : "");
}

/* Two can change places where processes move as they are; rows that follow ranks stay there. */
static xmpi_status_t check(const xmpi_view_t *view, xmpi_error_t *error)
{
    const xmpi_wished_move_t *wish = &view->wished;
    const xmpi_resources_t *resources = view->resources;
    bool swaps = wish->kind == XMPI_WISHED_SWAP;
    xmpi_status_t status = check_rank(view, wish->rank, error);
    if (status == XMPI_OK && swaps && !view->movable && !view->sizes)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "swap is for movable and resizable loops");
    if (status == XMPI_OK && swaps)
        return check_rank(view, wish->other, error);
    if (status == XMPI_OK && wish->other >= resources->pes)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "there is no processing element %d: the last is %d", wish->other,
                              resources->pes - 1);
    if (status == XMPI_OK && !xmpi_pe_usable(resources, wish->other))
        return say_taken(resources, wish->other, error);
    return status;
}

static void change(const xmpi_wished_move_t *wish, xmpi_plan_t *plan)
{
    xmpi_place_t *place = &plan->place[wish->rank];
    if (wish->kind == XMPI_WISHED_SWAP) {
        place->from = wish->other;
        plan->place[wish->other].from = wish->rank;
    } else {
        place->origin = XMPI_TAKES_OVER;
        place->pe = wish->other;
    }
}

/* Seconds of computation of an iteration when ranks, with the work that they have, are where PLAN
 * says; 0: not known. */
static double iteration_with(const xmpi_view_t *view, const xmpi_plan_t *plan)
{
    double most = 0, *speed = calloc((size_t)plan->places, sizeof *speed);
    bool known = speed != NULL && xmpi_policy_speeds(view, plan, speed) == XMPI_OK;
    for (int i = 0; known && i < plan->places; i++)
        if (view->samples[i].iterations > 0)
            most =
                fmax(most, view->samples[i].work / (double)view->samples[i].iterations / speed[i]);
    free(speed);
    return most;
}

/* Who goes where; how many characters that are. */
static int name_move(const xmpi_view_t *view, char *reason)
{
    const xmpi_wished_move_t *wish = &view->wished;
    const char *how = wish->asks ? "dry run" : "asked for";
    if (wish->kind == XMPI_WISHED_SWAP)
        return snprintf(reason, XMPI_REASON_MAX, "%s: rank %d changes places with %d", how,
                        wish->rank, wish->other);
    const char *node = view->resources->pe[wish->other].node;
    return snprintf(reason, XMPI_REASON_MAX, "%s: rank %d moves to processing element %d%s%.20s",
                    how, wish->rank, wish->other, node[0] != '\0' ? " on " : "", node);
}

/* What it costs is known at any time, what it gains only where the speeds are. */
static void explain(const xmpi_view_t *view, double before, xmpi_plan_t *plan)
{
    double after = iteration_with(view, plan), seconds = xmpi_policy_change_seconds(view, plan);
    int used = name_move(view, plan->reason);
    char *rest = plan->reason + used;
    size_t room = sizeof plan->reason - (size_t)used;
    if (before <= 0 || after <= 0)
        snprintf(rest, room, ": takes %.2g s; what an iteration takes then is not known", seconds);
    else if (after < before)
        snprintf(rest, room,
                 ": paid back after %.3g iterations (%.2g s; one of %.3g s takes %.3g s then)",
                 xmpi_swap_payback(seconds, before, 1 / before, 1 / after), seconds, before, after);
    else
        snprintf(rest, room, ": never paid back (%.2g s; an iteration of %.3g s takes %.3g s then)",
                 seconds, before, after);
}

xmpi_status_t xmpi_wish_move(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    const xmpi_wished_move_t *wish = &view->wished;
    memset(plan, 0, sizeof *plan);
    if (wish->kind == XMPI_WISHED_NOTHING)
        return XMPI_OK;
    xmpi_status_t status = check(view, error);
    if (status == XMPI_OK)
        status = xmpi_moves_none(view, plan, error);
    if (status != XMPI_OK)
        return status;
    double before = iteration_with(view, plan);
    plan->moves = view->movable;
    change(wish, plan);
    explain(view, before, plan);
    bool nothing = wish->kind == XMPI_WISHED_SWAP && wish->rank == wish->other;
    if (wish->asks || nothing) {
        char reason[XMPI_REASON_MAX];
        memcpy(reason, plan->reason, sizeof reason);
        xmpi_plan_free(plan);
        memcpy(plan->reason, reason, sizeof reason);
    }
    return XMPI_OK;
}
