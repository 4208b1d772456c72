/* SPDX-License-Identifier: BSD-3-Clause
 * Moves: plans of movable loops. */
#include "decide/planning/moves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/draw.h"

xmpi_status_t xmpi_moves_none(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    const xmpi_layout_t *layout = view->layout;
    if (xmpi_plan_alloc(plan, layout->members) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to plan moves");
    plan->moves = true;
    for (int i = 0; i < plan->places; i++)
        plan->place[i] = (xmpi_place_t){
            .origin = XMPI_STAYS, .from = i, .pe = -1, .block = layout->member[i].block};
    return XMPI_OK;
}

bool xmpi_moves_may(const xmpi_view_t *view, int rank)
{
    return view->samples[rank].held == XMPI_HELD_NOT &&
           view->layout->member[rank].process != view->resources->anchor;
}

bool xmpi_moves_all_are_held(const xmpi_view_t *view)
{
    for (int i = 0; i < view->layout->members; i++)
        if (view->samples[i].held == XMPI_HELD_ALL)
            return true;
    return false;
}

/* The first idle PE from FIRST on, round, rather one that no others share; -1: there is none.
 * TAKEN: flags of those that are not. */
static int idle_pe(const xmpi_resources_t *resources, const char *taken, int first)
{
    for (int shared = 0; shared < 2; shared++)
        for (int i = 0; i < resources->pes; i++) {
            int pe = (first + i) % resources->pes;
            if (!taken[pe] && xmpi_pe_usable(resources, pe) && resources->pe[pe].shared <= shared)
                return pe;
        }
    return -1;
}

static void move_to(xmpi_plan_t *plan, int rank, int pe, char *taken)
{
    plan->place[rank].origin = XMPI_TAKES_OVER;
    plan->place[rank].pe = pe;
    taken[pe] = 1;
}

/* Without a move there is no plan. */
static xmpi_status_t end(xmpi_plan_t *plan, int moves)
{
    char reason[XMPI_REASON_MAX];
    memcpy(reason, plan->reason, sizeof reason);
    if (moves == 0) {
        xmpi_plan_free(plan);
        memcpy(plan->reason, reason, sizeof reason);
    }
    return XMPI_OK;
}

/* --- leaving PEs that are withdrawn --------------------------------------------------------------
 */

static xmpi_status_t evacuate(const xmpi_view_t *view, char *taken, xmpi_plan_t *plan,
                              xmpi_error_t *error)
{
    const xmpi_resources_t *resources = view->resources;
    int moved = 0, stuck = 0, *here = xmpi_members_pes(view->layout, resources);
    xmpi_status_t status = here != NULL
                               ? xmpi_moves_none(view, plan, error)
                               : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to plan moves");
    for (int i = 0, next = 0; i < plan->places && status == XMPI_OK; i++) {
        if (here[i] < 0 || !resources->pe[here[i]].withdrawn)
            continue;
        int pe = xmpi_moves_may(view, i) ? idle_pe(resources, taken, next) : -1;
        if (pe >= 0)
            move_to(plan, i, pe, taken);
        next = pe >= 0 ? pe : next;
        moved += pe >= 0;
        stuck += pe < 0;
    }
    free(here);
    if (status == XMPI_OK && moved + stuck > 0)
        snprintf(plan->reason, sizeof plan->reason,
                 "%d member%s withdrawn processing elements, %d cannot yet", moved,
                 moved == 1 ? " leaves" : "s leave", stuck);
    return status == XMPI_OK ? end(plan, moved) : status;
}

xmpi_status_t xmpi_moves_evacuate(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    memset(plan, 0, sizeof *plan);
    if (xmpi_moves_all_are_held(view)) {
        snprintf(plan->reason, sizeof plan->reason, "members stay for what one of them has");
        return XMPI_OK;
    }
    char *taken = calloc((size_t)view->resources->pes + 1, 1);
    if (taken == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to plan moves");
    xmpi_status_t status = evacuate(view, taken, plan, error);
    free(taken);
    return status;
}

/* --- at random -----------------------------------------------------------------------------------
 */

static int take_over(const xmpi_view_t *view, uint64_t *state, char *taken, xmpi_plan_t *plan)
{
    int moves = 0;
    for (int i = 0; i < plan->places; i++) {
        bool moved = xmpi_random_below(state, 3) == 0;
        int first = xmpi_random_below(state, view->resources->pes);
        int pe = moved && xmpi_moves_may(view, i) ? idle_pe(view->resources, taken, first) : -1;
        if (pe >= 0)
            move_to(plan, i, pe, taken);
        moves += pe >= 0;
    }
    return moves;
}

/* Two ranks change places. */
static int exchange(const xmpi_view_t *view, uint64_t *state, xmpi_plan_t *plan)
{
    int one = xmpi_random_below(state, plan->places),
        other = xmpi_random_below(state, plan->places);
    xmpi_place_t *a = &plan->place[one], *b = &plan->place[other];
    if (one == other || !xmpi_moves_may(view, one) || !xmpi_moves_may(view, other) ||
        a->origin != XMPI_STAYS || b->origin != XMPI_STAYS)
        return 0;
    int from = a->from;
    a->from = b->from;
    b->from = from;
    return 1;
}

xmpi_status_t xmpi_moves_random(const xmpi_view_t *view, xmpi_plan_t *plan, xmpi_error_t *error)
{
    uint64_t state = view->seed * 0x2545f4914f6cdd1du + (uint64_t)view->iteration;
    char *taken = calloc((size_t)view->resources->pes + 1, 1);
    xmpi_status_t status = taken != NULL ? xmpi_moves_none(view, plan, error) : XMPI_ERR_MEMORY;
    int moved = 0, exchanged = 0;
    if (status == XMPI_OK) {
        int kind = xmpi_random_below(&state, 3); /* idle PEs, exchanges, both */
        moved = kind != 1 ? take_over(view, &state, taken, plan) : 0;
        exchanged = kind != 0 ? exchange(view, &state, plan) : 0;
        snprintf(plan->reason, sizeof plan->reason, "random: %d to idle places, %d exchanges",
                 moved, exchanged);
        status = end(plan, moved + exchanged);
    }
    free(taken);
    return status;
}
