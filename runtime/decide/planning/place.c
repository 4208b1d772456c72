/* SPDX-License-Identifier: BSD-3-Clause
 * Placing whole programs by their load. */
#include "decide/planning/place.h"

#include <stdio.h>
#include <string.h>

#include "decide/planning/divide.h"
#include "decide/planning/moves.h"
#include "decide/planning/placing.h"

static void take(xmpi_placing_t *placing, const xmpi_placing_step_t *step, xmpi_plan_t *plan)
{
    xmpi_place_t *place = &plan->place[step->rank];
    if (step->other >= 0) {
        place->from = step->other;
        plan->place[step->other].from = step->rank;
    } else {
        place->origin = XMPI_TAKES_OVER;
        place->pe = step->pe;
    }
    xmpi_placing_take(placing, step);
}

static xmpi_status_t end(xmpi_plan_t *plan, bool moves, const char *why, double before,
                         double after)
{
    char reason[XMPI_REASON_MAX];
    snprintf(reason, sizeof reason, "the fullest node needs %.3g s of an iteration: %s", before,
             why);
    if (moves)
        snprintf(reason, sizeof reason,
                 "the fullest node needs %.3g s of an iteration, and %.3g s then", before, after);
    if (!moves)
        xmpi_plan_free(plan);
    memcpy(plan->reason, reason, sizeof reason);
    return XMPI_OK;
}

static xmpi_status_t place(xmpi_placing_t *placing, xmpi_plan_t *plan)
{
    const xmpi_view_t *view = placing->view;
    double before = xmpi_placing_seconds(placing);
    int steps = 0;
    for (;;) {
        xmpi_placing_step_t step = xmpi_placing_find(placing);
        /* What is not worth much by itself is not worth a move. */
        if (step.rank < 0 || step.gain <= view->imbalance_threshold * before)
            break;
        take(placing, &step, plan);
        steps++;
    }
    double after = xmpi_placing_seconds(placing);
    if (steps == 0 || before - after <= view->imbalance_threshold * before)
        return end(plan, false, "no move makes it less", before, after);
    if ((before - after) * (double)xmpi_policy_horizon(view) <=
        xmpi_policy_change_seconds(view, plan))
        return end(plan, false, "moves would take longer than they save", before, after);
    return end(plan, true, "", before, after);
}

xmpi_status_t xmpi_place_ranks(const xmpi_view_t *view, bool occupied, xmpi_plan_t *plan,
                               xmpi_error_t *error)
{
    xmpi_placing_t placing;
    xmpi_status_t status = xmpi_placing_make(&placing, view, occupied);
    if (status == XMPI_OK)
        status = xmpi_moves_none(view, plan, error);
    if (status == XMPI_OK)
        status = place(&placing, plan);
    else
        xmpi_error_set(error, status, "no memory to place the members");
    xmpi_placing_free(&placing);
    return status;
}
