/* SPDX-License-Identifier: BSD-3-Clause
 * Policy "random": an arbitrary legal plan in every interval. A stress test for any program: its
 * result must not change. The plan depends on the seed, the iteration and the view only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/moves.h"
#include "decide/policy/policy.h"
#include "decide/planning/draw.h"

/* Members that leave and PEs that are taken, one flag each. */
typedef struct {
    char *leaves;
    char *pe_used;
    int leaving, joining;
} choice_t;

static void choose_leavers(const xmpi_view_t *view, uint64_t *state, choice_t *c)
{
    int wanted = xmpi_random_below(state, view->layout->members);
    for (int tries = 0; tries < 4 * wanted && c->leaving < wanted; tries++) {
        int rank = xmpi_random_below(state, view->layout->members);
        if (c->leaves[rank] || view->layout->member[rank].process == view->resources->anchor)
            continue;
        c->leaves[rank] = 1;
        c->leaving++;
    }
}

static void choose_joiners(const xmpi_view_t *view, uint64_t *state, int at_least, choice_t *c)
{
    int room = view->resources->max_members - view->layout->members + c->leaving;
    int usable = xmpi_resources_usable(view->resources, XMPI_ANY_CLASS);
    int most = room < usable ? room : usable;
    int wanted = most <= 0 ? 0 : at_least + xmpi_random_below(state, most - at_least + 1);
    while (c->joining < wanted && c->joining < most) {
        int pe = xmpi_random_below(state, view->resources->pes);
        if (c->pe_used[pe] || !xmpi_pe_usable(view->resources, pe))
            continue;
        c->pe_used[pe] = 1;
        c->joining++;
    }
}

/* New members take over from those that leave where there are both, else they come last. */
static void fill_places(const xmpi_view_t *view, const choice_t *c, xmpi_plan_t *plan)
{
    int next = 0, pe = 0, joining = c->joining;
    for (int i = 0; i < view->layout->members; i++) {
        if (!c->leaves[i]) {
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_STAYS, .from = i, .pe = -1};
        } else if (joining > 0) {
            while (!c->pe_used[pe])
                pe++;
            plan->place[next++] = (xmpi_place_t){.origin = XMPI_TAKES_OVER, .from = i, .pe = pe++};
            joining--;
        }
    }
    for (; joining > 0; joining--) {
        while (!c->pe_used[pe])
            pe++;
        plan->place[next++] = (xmpi_place_t){.origin = XMPI_NEW, .from = -1, .pe = pe++};
    }
}

static xmpi_status_t random_plan(const xmpi_view_t *view, choice_t *c, xmpi_plan_t *plan,
                                 xmpi_error_t *error)
{
    uint64_t state = view->seed * 0x2545f4914f6cdd1du + (uint64_t)view->iteration;
    int kind = xmpi_random_below(&state, 4); /* rebalance or moves, grow, shrink, exchange */
    if (kind == 0 && view->sizes)
        return xmpi_moves_random(view, plan, error);
    if (kind == 2 || kind == 3)
        choose_leavers(view, &state, c);
    if (kind == 1 || kind == 3)
        choose_joiners(view, &state, kind == 1, c);
    int places = view->layout->members - c->leaving + c->joining;
    xmpi_status_t status = xmpi_plan_alloc(plan, places);
    double *speeds = calloc((size_t)places, sizeof *speeds);
    if (status == XMPI_OK && speeds != NULL) {
        fill_places(view, c, plan);
        for (int i = 0; i < places; i++)
            speeds[i] = 1 + xmpi_random_below(&state, 1000);
        status = xmpi_plan_divide(plan, view->layout->domain, NULL, speeds);
    }
    if (speeds == NULL)
        status = XMPI_ERR_MEMORY;
    free(speeds);
    if (status != XMPI_OK)
        xmpi_plan_free(plan);
    else
        snprintf(plan->reason, sizeof plan->reason, "random: %d join, %d leave", c->joining,
                 c->leaving);
    return status;
}

static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                            xmpi_error_t *error)
{
    (void)decision;
    choice_t c = {.leaves = calloc((size_t)view->layout->members, 1),
                  .pe_used = calloc((size_t)view->resources->pes + 1, 1)};
    xmpi_status_t status = XMPI_ERR_MEMORY;
    memset(plan, 0, sizeof *plan);
    if (c.leaves != NULL && c.pe_used != NULL)
        status = random_plan(view, &c, plan, error);
    free(c.leaves);
    free(c.pe_used);
    return status == XMPI_OK ? XMPI_OK : xmpi_error_set(error, status, "no random plan: no memory");
}

static xmpi_status_t move(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_decision_t *decision,
                          xmpi_error_t *error)
{
    (void)decision;
    return xmpi_moves_random(view, plan, error);
}

const xmpi_policy_t xmpi_policy_random = {
    .name = "random",
    .help = "an arbitrary legal plan in every interval, from XMPI_SEED: a stress test",
    .uses = XMPI_OF_PROCESSES,
    .settings = "",
    .expectation = "a change at random",
    .decide = decide,
    .move = move,
};
