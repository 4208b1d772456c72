/* SPDX-License-Identifier: BSD-3-Clause
 * Placing whole programs by their load. */
#include "decide/policies/place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/layout/nodes.h"
#include "decide/policies/moves.h"

/* What is known of the ranks and the nodes, as the plan stands. The arrays are malloc. */
typedef struct {
    const xmpi_view_t *view;
    bool occupied;
    xmpi_nodes_t nodes;
    double *load;           /* of each rank: CPU seconds of an iteration */
    int *pe;                /* of each rank, as it is */
    int *node;              /* of each rank, as it is to be */
    double *sum, *heaviest; /* of each node: of the loads there */
    int *width, *ranks;     /* of each node: its processing elements, the ranks there */
    char *taken;            /* flags of PEs that are not idle any more */
    bool *moved;            /* of each rank */
} placing_t;

static void placing_free(placing_t *p)
{
    free(p->load);
    free(p->pe);
    free(p->node);
    free(p->sum);
    free(p->heaviest);
    free(p->width);
    free(p->ranks);
    free(p->taken);
    free(p->moved);
    xmpi_nodes_free(&p->nodes);
}

/* Time in MPI is no load; nor is time that a rank has waited for a processing element that others
 * used. */
static double load_of(const xmpi_sample_t *sample)
{
    double seconds = sample->cpu > 0 ? sample->cpu : sample->computation;
    return sample->iterations > 0 ? seconds / (double)sample->iterations : 0;
}

static void add_up(placing_t *p)
{
    for (int n = 0; n < p->nodes.nodes; n++)
        p->sum[n] = p->heaviest[n] = p->ranks[n] = 0;
    for (int i = 0; i < p->view->layout->members; i++) {
        int n = p->node[i];
        p->sum[n] += p->load[i];
        p->heaviest[n] = fmax(p->heaviest[n], p->load[i]);
        p->ranks[n]++;
    }
}

static xmpi_status_t placing_make(placing_t *p, const xmpi_view_t *view, bool occupied)
{
    const xmpi_resources_t *resources = view->resources;
    size_t members = (size_t)view->layout->members + 1, pes = (size_t)resources->pes + 1;
    *p = (placing_t){.view = view,
                     .occupied = occupied,
                     .load = calloc(members, sizeof *p->load),
                     .pe = xmpi_members_pes(view->layout, resources),
                     .node = calloc(members, sizeof *p->node),
                     .sum = calloc(pes, sizeof *p->sum),
                     .heaviest = calloc(pes, sizeof *p->heaviest),
                     .width = calloc(pes, sizeof *p->width),
                     .ranks = calloc(pes, sizeof *p->ranks),
                     .taken = calloc(pes, 1),
                     .moved = calloc(members, sizeof *p->moved)};
    if (p->load == NULL || p->pe == NULL || p->node == NULL || p->sum == NULL ||
        p->heaviest == NULL || p->width == NULL || p->ranks == NULL || p->taken == NULL ||
        p->moved == NULL ||
        xmpi_nodes_make(&p->nodes, resources->pes, resources->pe, XMPI_UNNAMED_APART) != XMPI_OK)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < resources->pes; i++)
        p->width[p->nodes.of_pe[i]] += !resources->pe[i].withdrawn && !resources->pe[i].shared;
    for (int i = 0; i < view->layout->members; i++) {
        p->load[i] = load_of(&view->samples[i]);
        p->node[i] = p->pe[i] >= 0 ? p->nodes.of_pe[p->pe[i]] : 0;
    }
    add_up(p);
    return XMPI_OK;
}

/* Seconds of an iteration on a node with these loads: they share its elements evenly, and a rank
 * uses one at a time. */
static double seconds_with(const placing_t *p, int node, double sum, double heaviest)
{
    return sum <= 0             ? 0
           : p->width[node] < 1 ? sum /* it is to be left, and was */
                                : fmax(sum / p->width[node], heaviest);
}

static double seconds_of(const placing_t *p, int node)
{
    return seconds_with(p, node, p->sum[node], p->heaviest[node]);
}

/* The same of the node without rank OUT and with rank IN (-1: none). */
static double seconds_if(const placing_t *p, int node, int out, int in)
{
    double heaviest = in >= 0 ? p->load[in] : 0, sum = heaviest;
    for (int i = 0; i < p->view->layout->members; i++)
        if (p->node[i] == node && i != out) {
            sum += p->load[i];
            heaviest = fmax(heaviest, p->load[i]);
        }
    return seconds_with(p, node, sum, heaviest);
}

static int slowest(const placing_t *p)
{
    int worst = 0;
    for (int n = 1; n < p->nodes.nodes; n++)
        if (seconds_of(p, n) > seconds_of(p, worst))
            worst = n;
    return worst;
}

/* An idle place on NODE, rather one that is a processing element; -1: there is none. */
static int idle_on(const placing_t *p, int node)
{
    const xmpi_resources_t *resources = p->view->resources;
    int found = -1;
    for (int i = 0; i < resources->pes; i++)
        if (p->nodes.of_pe[i] == node && !p->taken[i] && xmpi_pe_usable(resources, i) &&
            (found < 0 || (resources->pe[found].shared && !resources->pe[i].shared)))
            found = i;
    return found;
}

/* The best step: RANK to the idle place PE, or in exchange for the rank OTHER. */
typedef struct {
    int rank, pe, other;
    double gain; /* seconds of an iteration, of the slower of the two nodes */
} step_t;

static bool may_go(const placing_t *p, int rank)
{
    return !p->moved[rank] && xmpi_moves_may(p->view, rank);
}

static void consider(const placing_t *p, int rank, int node, int pe, int other, step_t *best)
{
    int from = p->node[rank];
    double before = fmax(seconds_of(p, from), seconds_of(p, node));
    double after = fmax(seconds_if(p, from, rank, other), seconds_if(p, node, other, rank));
    if (before - after > best->gain)
        *best = (step_t){rank, pe, other, before - after};
}

/* Of the ranks on the node that is done last. */
static step_t find_step(const placing_t *p)
{
    int from = slowest(p), members = p->view->layout->members;
    step_t best = {.rank = -1, .pe = -1, .other = -1};
    for (int node = 0; node < p->nodes.nodes; node++) {
        if (node == from || p->width[node] < 1 || (p->occupied && p->ranks[node] == 0))
            continue;
        int pe = idle_on(p, node);
        for (int i = 0; i < members; i++) {
            if (p->node[i] != from || !may_go(p, i))
                continue;
            if (pe >= 0)
                consider(p, i, node, pe, -1, &best);
            for (int k = 0; k < members; k++)
                if (p->node[k] == node && p->load[k] < p->load[i] && may_go(p, k))
                    consider(p, i, node, -1, k, &best);
        }
    }
    return best;
}

static void take_step(placing_t *p, const step_t *step, xmpi_plan_t *plan)
{
    xmpi_place_t *place = &plan->place[step->rank];
    int from = p->node[step->rank];
    if (step->other >= 0) {
        p->node[step->rank] = p->node[step->other];
        p->node[step->other] = from;
        place->from = step->other;
        plan->place[step->other].from = step->rank;
        p->moved[step->other] = true;
    } else {
        place->origin = XMPI_TAKES_OVER;
        place->pe = step->pe;
        p->taken[step->pe] = 1;
        p->node[step->rank] = p->nodes.of_pe[step->pe];
    }
    p->moved[step->rank] = true;
    add_up(p);
}

/* Iterations that are still to come, or that are hoped for. */
static double horizon(const xmpi_view_t *view)
{
    enum { AT_LEAST = 100 };
    if (view->remaining >= 0)
        return (double)view->remaining;
    return view->iteration > AT_LEAST ? (double)view->iteration : AT_LEAST;
}

/* Seconds that the moves of PLAN are predicted to take; 0: nothing is known. */
static double cost_of(const xmpi_view_t *view, const xmpi_plan_t *plan)
{
    xmpi_prediction_t prediction;
    if (view->predictor == NULL || xmpi_predict(view->predictor, plan, 1, &prediction) != XMPI_OK)
        return 0;
    return prediction.process + prediction.redistribution;
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

static xmpi_status_t place(placing_t *p, xmpi_plan_t *plan)
{
    const xmpi_view_t *view = p->view;
    double before = seconds_of(p, slowest(p));
    int steps = 0;
    for (step_t step = find_step(p); step.rank >= 0; step = find_step(p)) {
        /* What is not worth much by itself is not worth a move. */
        if (step.gain <= view->imbalance_threshold * before)
            break;
        take_step(p, &step, plan);
        steps++;
    }
    double after = seconds_of(p, slowest(p));
    if (steps == 0 || before - after <= view->imbalance_threshold * before)
        return end(plan, false, "no move makes it less", before, after);
    if ((before - after) * horizon(view) <= cost_of(view, plan))
        return end(plan, false, "moves would take longer than they save", before, after);
    return end(plan, true, "", before, after);
}

xmpi_status_t xmpi_place_ranks(const xmpi_view_t *view, bool occupied, xmpi_plan_t *plan,
                               xmpi_error_t *error)
{
    placing_t p;
    xmpi_status_t status = placing_make(&p, view, occupied);
    if (status == XMPI_OK)
        status = xmpi_moves_none(view, plan, error);
    if (status == XMPI_OK)
        status = place(&p, plan);
    else
        xmpi_error_set(error, status, "no memory to place the members");
    placing_free(&p);
    return status;
}
