/* SPDX-License-Identifier: BSD-3-Clause
 * Placing: the ranks on their nodes, and the best step. */
#include "decide/planning/placing.h"

#include <math.h>
#include <stdlib.h>

#include "decide/planning/moves.h"

void xmpi_placing_free(xmpi_placing_t *placing)
{
    free(placing->at);
    free(placing->load);
    free(placing->node);
    free(placing->next);
    free(placing->stays);
    free(placing->next_idle);
    free(placing->slowest);
    free(placing->bound);
    xmpi_nodes_free(&placing->nodes);
    *placing = (xmpi_placing_t){0};
}

/* --- as it is -----------------------------------------------------------------------------------
 */

/* Time in MPI is no load; nor is time that a rank has waited for a processing element that others
 * used. */
static double load_of(const xmpi_sample_t *sample)
{
    double seconds = sample->cpu > 0 ? sample->cpu : sample->computation;
    return sample->iterations > 0 ? seconds / (double)sample->iterations : 0;
}

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Seconds of an iteration on a node with these loads: they share its elements evenly, and a rank
 * uses one at a time. */
static double seconds_with(const xmpi_placing_node_t *node, double sum, double heaviest)
{
    return greater(sum / node->width, heaviest);
}

static double load_or_none(const xmpi_placing_t *p, int rank)
{
    return rank >= 0 ? p->load[rank] : 0;
}

/* The heaviest load on NODE without rank OUT. */
static double heaviest_without(const xmpi_placing_t *p, const xmpi_placing_node_t *node, int out)
{
    return load_or_none(p, node->first == out && out >= 0 ? p->next[out] : node->first);
}

static int later(const xmpi_placing_t *p, int one, int other)
{
    return other >= p->nodes.nodes || p->at[one].seconds >= p->at[other].seconds ? one : other;
}

static int movable_from(const xmpi_placing_t *p, int rank)
{
    while (rank >= 0 && p->stays[rank])
        rank = p->next[rank];
    return rank;
}

static xmpi_placing_bound_t bound_of(const xmpi_placing_t *p, const xmpi_placing_node_t *node)
{
    bool open = node->usable && (node->idle >= 0 || movable_from(p, node->first) >= 0);
    return (xmpi_placing_bound_t){open ? node->sum : INFINITY, node->width};
}

static xmpi_placing_bound_t bound_of_both(const xmpi_placing_bound_t *child)
{
    return (xmpi_placing_bound_t){child[0].sum < child[1].sum ? child[0].sum : child[1].sum,
                                  child[0].width > child[1].width ? child[0].width
                                                                  : child[1].width};
}

/* Adds up what is on NODE, and has it compete with the others. */
static void settle(xmpi_placing_t *p, int node)
{
    xmpi_placing_node_t *at = &p->at[node];
    at->sum = 0;
    for (int i = at->first; i >= 0; i = p->next[i])
        at->sum += p->load[i];
    at->seconds = seconds_with(at, at->sum, load_or_none(p, at->first));
    p->bound[p->leaves + node] = bound_of(p, at);
    for (int i = (p->leaves + node) / 2; i > 0; i /= 2) {
        p->slowest[i] = later(p, p->slowest[2 * i], p->slowest[2 * i + 1]);
        p->bound[i] = bound_of_both(&p->bound[2 * i]);
    }
}

/* Behind all that are as heavy on its node. */
static void put(xmpi_placing_t *p, int rank)
{
    int *at = &p->at[p->node[rank]].first;
    while (*at >= 0 && p->load[*at] >= p->load[rank])
        at = &p->next[*at];
    p->next[rank] = *at;
    *at = rank;
}

static void take_out(xmpi_placing_t *p, int rank)
{
    int *at = &p->at[p->node[rank]].first;
    while (*at != rank)
        at = &p->next[*at];
    *at = p->next[rank];
}

typedef struct {
    double load;
    int rank;
} weighed_t;

static int lighter_first(const void *a, const void *b)
{
    const weighed_t *one = a, *other = b;
    if (one->load < other->load || one->load > other->load)
        return one->load < other->load ? -1 : 1;
    return other->rank - one->rank;
}

static xmpi_status_t place_ranks(xmpi_placing_t *p)
{
    const xmpi_view_t *view = p->view;
    int members = view->layout->members;
    int *pe = xmpi_members_pes(view->layout, view->resources);
    weighed_t *order = calloc((size_t)members + 1, sizeof *order);
    bool made = pe != NULL && order != NULL;
    for (int i = 0; i < members && made; i++) {
        p->load[i] = load_of(&view->samples[i]);
        p->node[i] = pe[i] >= 0 ? p->nodes.of_pe[pe[i]] : 0;
        p->stays[i] = !xmpi_moves_may(view, i);
        order[i] = (weighed_t){p->load[i], i};
    }
    if (made)
        qsort(order, (size_t)members, sizeof *order, lighter_first);
    for (int i = 0; i < members && made; i++) {
        int rank = order[i].rank, *first = &p->at[p->node[rank]].first;
        p->next[rank] = *first;
        *first = rank;
    }
    free(order);
    free(pe);
    return made ? XMPI_OK : XMPI_ERR_MEMORY;
}

/* Each is put before those that come behind it: shared ones first, to be behind the others. */
static void list_places(xmpi_placing_t *p)
{
    const xmpi_resources_t *resources = p->view->resources;
    for (int shared = 1; shared >= 0; shared--)
        for (int i = resources->pes - 1; i >= 0; i--) {
            if (resources->pe[i].shared != shared || !xmpi_pe_usable(resources, i))
                continue;
            xmpi_placing_node_t *at = &p->at[p->nodes.of_pe[i]];
            p->next_idle[i] = at->idle;
            at->idle = i;
        }
}

static void describe_nodes(xmpi_placing_t *p, bool occupied)
{
    const xmpi_resources_t *resources = p->view->resources;
    for (int i = 0; i < resources->pes; i++)
        p->at[p->nodes.of_pe[i]].width += !resources->pe[i].withdrawn && !resources->pe[i].shared;
    for (int n = 0; n < p->nodes.nodes; n++) {
        xmpi_placing_node_t *at = &p->at[n];
        at->usable = at->width > 0 && (!occupied || at->first >= 0);
        at->width = at->width > 0 ? at->width : 1; /* it is to be left, and was */
    }
    for (int i = 0; i < p->leaves; i++)
        p->slowest[p->leaves + i] = i;
    for (int i = 0; i < 2 * p->leaves; i++)
        p->bound[i].sum = INFINITY;
    for (int n = 0; n < p->nodes.nodes; n++)
        settle(p, n);
}

xmpi_status_t xmpi_placing_make(xmpi_placing_t *placing, const xmpi_view_t *view, bool occupied)
{
    const xmpi_resources_t *resources = view->resources;
    size_t members = (size_t)view->layout->members + 1, pes = (size_t)resources->pes + 1;
    *placing = (xmpi_placing_t){.view = view, .leaves = 1};
    if (xmpi_nodes_make(&placing->nodes, resources->pes, resources->pe, XMPI_UNNAMED_APART) !=
        XMPI_OK)
        return XMPI_ERR_MEMORY;
    while (placing->leaves < placing->nodes.nodes)
        placing->leaves *= 2;
    placing->at = calloc(pes, sizeof *placing->at);
    placing->load = calloc(members, sizeof *placing->load);
    placing->node = calloc(members, sizeof *placing->node);
    placing->next = calloc(members, sizeof *placing->next);
    placing->stays = calloc(members, sizeof *placing->stays);
    placing->next_idle = calloc(pes, sizeof *placing->next_idle);
    placing->slowest = calloc(2 * (size_t)placing->leaves, sizeof *placing->slowest);
    placing->bound = calloc(2 * (size_t)placing->leaves, sizeof *placing->bound);
    if (placing->at == NULL || placing->load == NULL || placing->node == NULL ||
        placing->next == NULL || placing->stays == NULL || placing->next_idle == NULL ||
        placing->slowest == NULL || placing->bound == NULL)
        return XMPI_ERR_MEMORY;
    for (size_t n = 0; n < pes; n++)
        placing->at[n].first = placing->at[n].idle = -1;
    xmpi_status_t status = place_ranks(placing);
    list_places(placing);
    describe_nodes(placing, occupied);
    return status;
}

double xmpi_placing_seconds(const xmpi_placing_t *placing)
{
    return placing->nodes.nodes > 0 ? placing->at[placing->slowest[1]].seconds : 0;
}

/* --- the best step ------------------------------------------------------------------------------
 */

/* From the node FROM, the slowest, to the node TO. */
typedef struct {
    const xmpi_placing_t *p;
    const xmpi_placing_node_t *from, *to;
    int heaviest; /* of the ranks that can go */
    xmpi_placing_step_t *best;
} search_t;

/* RANK to the idle place of the other node, or (OTHER >= 0) in exchange for OTHER. */
static void consider(const search_t *s, int rank, int other)
{
    const xmpi_placing_t *p = s->p;
    double out = p->load[rank], in = load_or_none(p, other), moved = out - in;
    double from = seconds_with(s->from, s->from->sum - moved,
                               greater(heaviest_without(p, s->from, rank), in));
    double to =
        seconds_with(s->to, s->to->sum + moved, greater(heaviest_without(p, s->to, other), out));
    double gain = s->from->seconds - greater(from, to);
    if (gain > s->best->gain)
        *s->best = (xmpi_placing_step_t){rank, other >= 0 ? -1 : s->to->idle, other, gain};
}

/* No step of RANK, or of a lighter one, is better than the best: what it leaves behind takes as
 * long, or the heaviest rank does, wherever it is. */
static bool is_hopeless(const search_t *s, int rank)
{
    double left = (s->from->sum - s->p->load[rank]) / s->from->width;
    double least = greater(left, s->p->load[s->from->first]);
    return s->from->seconds - least <= s->best->gain;
}

/* All steps between the two nodes, as far as they may be the best. The more load an exchange moves,
 * the less is left on one node and the more is on the other, and both are even when it moves EVEN;
 * what is heaviest on them is the same whatever RANK is exchanged for, unless for the heaviest. So
 * that one is to be tried, and of the others the two between which the exchange moves EVEN. As RANK
 * becomes lighter so do they, and all are passed once. */
static void search(const search_t *s)
{
    const xmpi_placing_t *p = s->p;
    double even = (s->from->sum * s->to->width - s->to->sum * s->from->width) /
                  (s->from->width + s->to->width);
    int heaviest = movable_from(p, s->to->first), above = -1, below = heaviest;
    for (int i = movable_from(p, s->from->first); i >= 0 && !is_hopeless(s, i);
         i = movable_from(p, p->next[i])) {
        double ideal = p->load[i] - greater(even, 0);
        for (; below >= 0 && p->load[below] >= ideal; below = movable_from(p, p->next[below]))
            above = below;
        const int others[] = {heaviest, above, below};
        if (s->to->idle >= 0)
            consider(s, i, -1);
        for (int k = 0; k < 3; k++)
            if (others[k] >= 0 && p->load[others[k]] < p->load[i])
                consider(s, i, others[k]);
    }
}

/* Whether a step to one of the nodes of BOUND may be better than the best: both nodes need as long
 * as when they are even, or longer. */
static bool is_promising(const search_t *s, const xmpi_placing_bound_t *bound)
{
    double limit = s->from->seconds - s->best->gain;
    return s->from->sum + bound->sum < limit * (s->from->width + bound->width);
}

/* The nodes below [I] of the tree, those with the least load first. */
static void descend(search_t *s, int i)
{
    const xmpi_placing_t *p = s->p;
    if (is_hopeless(s, s->heaviest) || !is_promising(s, &p->bound[i]))
        return;
    if (i >= p->leaves) {
        s->to = &p->at[i - p->leaves];
        if (s->to != s->from)
            search(s);
        return;
    }
    int first = p->bound[2 * i].sum <= p->bound[2 * i + 1].sum ? 0 : 1;
    descend(s, 2 * i + first);
    descend(s, 2 * i + 1 - first);
}

xmpi_placing_step_t xmpi_placing_find(const xmpi_placing_t *placing)
{
    xmpi_placing_step_t best = {.rank = -1, .pe = -1, .other = -1};
    search_t s = {.p = placing, .best = &best};
    if (placing->nodes.nodes == 0)
        return best;
    s.from = &placing->at[placing->slowest[1]];
    s.heaviest = movable_from(placing, s.from->first);
    if (s.heaviest >= 0)
        descend(&s, 1);
    return best;
}

void xmpi_placing_take(xmpi_placing_t *placing, const xmpi_placing_step_t *step)
{
    int from = placing->node[step->rank];
    int to = step->other >= 0 ? placing->node[step->other] : placing->nodes.of_pe[step->pe];
    take_out(placing, step->rank);
    if (step->other >= 0) {
        take_out(placing, step->other);
        placing->node[step->other] = from;
        placing->stays[step->other] = true;
        put(placing, step->other);
    } else {
        placing->at[to].idle = placing->next_idle[step->pe];
    }
    placing->node[step->rank] = to;
    placing->stays[step->rank] = true;
    put(placing, step->rank);
    settle(placing, from);
    settle(placing, to);
}
