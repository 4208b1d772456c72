/* SPDX-License-Identifier: BSD-3-Clause
 * The process scheduler: on which PEs processes come and go. */
#include "decide/scheduler/scheduler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Counts the members of each node. */
static void count_members(xmpi_selection_t *s)
{
    memset(s->members, 0, (size_t)s->resources->pes * sizeof *s->members);
    for (int rank = 0; rank < s->layout->members; rank++)
        if (s->pe_of[rank] >= 0)
            s->members[s->nodes.of_pe[s->pe_of[rank]]]++;
}

xmpi_status_t xmpi_selection_make(xmpi_selection_t *selection, const xmpi_resources_t *resources,
                                  const xmpi_layout_t *layout, xmpi_placement_t placement)
{
    size_t pes = (size_t)resources->pes + 1, members = (size_t)layout->members + 1;
    *selection =
        (xmpi_selection_t){.resources = resources, .layout = layout, .placement = placement};
    selection->taken = calloc(pes, 1);
    selection->leaves = calloc(members, 1);
    selection->members = calloc(pes, sizeof(int));
    selection->pe_of = xmpi_members_pes(layout, resources);
    if (selection->taken != NULL && selection->leaves != NULL && selection->members != NULL &&
        selection->pe_of != NULL &&
        xmpi_greedy_make(&selection->greedy, (int)(pes > members ? pes : members), 2 * (int)pes) ==
            XMPI_OK &&
        xmpi_nodes_make(&selection->nodes, resources->pes, resources->pe, XMPI_UNNAMED_APART) ==
            XMPI_OK) {
        count_members(selection);
        return XMPI_OK;
    }
    xmpi_selection_free(selection);
    return XMPI_ERR_MEMORY;
}

void xmpi_selection_clear(xmpi_selection_t *s)
{
    memset(s->taken, 0, (size_t)s->resources->pes);
    memset(s->leaves, 0, (size_t)s->layout->members);
    count_members(s);
    s->joining = s->leaving = 0;
}

void xmpi_selection_free(xmpi_selection_t *selection)
{
    free(selection->taken);
    free(selection->leaves);
    free(selection->members);
    free(selection->pe_of);
    xmpi_nodes_free(&selection->nodes);
    xmpi_greedy_free(&selection->greedy);
    memset(selection, 0, sizeof *selection);
}

void xmpi_select_pe(xmpi_selection_t *s, int pe)
{
    s->taken[pe] = 1;
    s->joining++;
    s->members[s->nodes.of_pe[pe]]++;
}

void xmpi_select_rank(xmpi_selection_t *s, int rank)
{
    s->leaves[rank] = 1;
    s->leaving++;
    if (s->pe_of[rank] >= 0)
        s->members[s->nodes.of_pe[s->pe_of[rank]]]--;
}

static bool class_is(const xmpi_resources_t *resources, int pe, int class_index)
{
    return class_index == XMPI_ANY_CLASS || resources->pe[pe].class_index == class_index;
}

/* Members on PEs of the same node as PE, as the selection stands. */
static int members_beside(const xmpi_selection_t *s, int pe)
{
    return s->members[s->nodes.of_pe[pe]];
}

/* How well another member is placed on PE; less is better. Nodes that are not occupied come last
 * where they are to be spared. */
static int join_cost(const xmpi_selection_t *s, int pe)
{
    int members = members_beside(s, pe);
    if (s->placement == XMPI_PLACE_OCCUPIED && members == 0)
        return INT_MAX - 1;
    return members;
}

/* Puts the PEs that are usable into the groups of their nodes, in their order. */
static void queue_idle(xmpi_selection_t *s, int class_index)
{
    for (int pe = 0; pe < s->resources->pes; pe++)
        if (!s->taken[pe] && xmpi_pe_usable(s->resources, pe) &&
            class_is(s->resources, pe, class_index))
            xmpi_greedy_add(&s->greedy, s->nodes.of_pe[pe], pe);
}

int xmpi_select_joiners(xmpi_selection_t *s, int class_index, int n, int *pe)
{
    int found = 0;
    xmpi_greedy_clear(&s->greedy);
    queue_idle(s, class_index);
    for (int node = 0; node < s->nodes.nodes; node++)
        xmpi_greedy_price(&s->greedy, node, join_cost(s, s->nodes.first[node]));
    while (found < n && s->layout->members - s->leaving + s->joining < s->resources->max_members) {
        int best = xmpi_greedy_take(&s->greedy);
        if (best < 0)
            break;
        xmpi_select_pe(s, best);
        xmpi_greedy_price(&s->greedy, s->nodes.of_pe[best], join_cost(s, best));
        if (pe != NULL)
            pe[found] = best;
        found++;
    }
    return found;
}

bool xmpi_select_joiner(xmpi_selection_t *s, int class_index)
{
    return xmpi_select_joiners(s, class_index, 1, NULL) == 1;
}

/* How much there is against it that a member on PE leaves. To balance, the fullest node gives one
 * up; to spare nodes, the emptiest. Before all that, those leave that end when they do. */
static int leave_cost(const xmpi_selection_t *s, bool parks, int pe)
{
    int members = members_beside(s, pe);
    int cost = s->placement == XMPI_PLACE_OCCUPIED ? members : -members;
    return parks ? INT_MAX / 2 + cost : cost;
}

/* Members of a node that end when they leave, and those that do not, are groups of their own. */
static int group_of(const xmpi_selection_t *s, int rank)
{
    bool parks = s->layout->member[rank].process < s->resources->started;
    return 2 * s->nodes.of_pe[s->pe_of[rank]] + parks;
}

static void price_leavers(xmpi_selection_t *s, int node)
{
    int pe = s->nodes.first[node];
    xmpi_greedy_price(&s->greedy, 2 * node, leave_cost(s, false, pe));
    xmpi_greedy_price(&s->greedy, 2 * node + 1, leave_cost(s, true, pe));
}

static void queue_members(xmpi_selection_t *s, int class_index)
{
    for (int rank = s->layout->members - 1; rank >= 0; rank--)
        if (!s->leaves[rank] && s->layout->member[rank].process != s->resources->anchor &&
            s->pe_of[rank] >= 0 && class_is(s->resources, s->pe_of[rank], class_index))
            xmpi_greedy_add(&s->greedy, group_of(s, rank), rank);
}

int xmpi_select_leavers(xmpi_selection_t *s, int class_index, int n, int *rank)
{
    int found = 0;
    xmpi_greedy_clear(&s->greedy);
    queue_members(s, class_index);
    for (int node = 0; node < s->nodes.nodes; node++)
        price_leavers(s, node);
    while (found < n && s->layout->members - s->leaving > 1) {
        int best = xmpi_greedy_take(&s->greedy);
        if (best < 0)
            break;
        xmpi_select_rank(s, best);
        price_leavers(s, s->nodes.of_pe[s->pe_of[best]]);
        if (rank != NULL)
            rank[found] = best;
        found++;
    }
    return found;
}

bool xmpi_select_leaver(xmpi_selection_t *s, int class_index)
{
    return xmpi_select_leavers(s, class_index, 1, NULL) == 1;
}
