/* SPDX-License-Identifier: BSD-3-Clause
 * The process scheduler: on which PEs processes come and go. */
#include "decide/scheduler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* By name; PEs of one node in their order. */
static int by_node(const void *a, const void *b)
{
    const xmpi_pe_t *const *x = a, *const *y = b;
    int order = strcmp((*x)->node, (*y)->node);
    return order != 0 ? order : (*x > *y) - (*x < *y);
}

/* Numbers the nodes. A PE without a node's name is a node of its own. */
static bool number_nodes(xmpi_selection_t *s)
{
    const xmpi_resources_t *resources = s->resources;
    const xmpi_pe_t **order = calloc((size_t)resources->pes + 1, sizeof *order);
    if (order == NULL)
        return false;
    for (int i = 0; i < resources->pes; i++)
        order[i] = &resources->pe[i];
    qsort(order, (size_t)resources->pes, sizeof *order, by_node);
    for (int i = 0, node = -1; i < resources->pes; i++) {
        bool same =
            i > 0 && order[i]->node[0] != '\0' && strcmp(order[i]->node, order[i - 1]->node) == 0;
        node += !same;
        s->node_of[order[i] - resources->pe] = node;
    }
    free(order);
    return true;
}

/* Finds the PE of every member, and counts those of each node. */
static bool place_members(xmpi_selection_t *s)
{
    int processes = 0;
    for (int i = 0; i < s->resources->pes; i++)
        if (s->resources->pe[i].process >= processes)
            processes = s->resources->pe[i].process + 1;
    int *pe_of_process = calloc((size_t)processes + 1, sizeof *pe_of_process);
    if (pe_of_process == NULL)
        return false;
    for (int i = s->resources->pes - 1; i >= 0; i--)
        if (s->resources->pe[i].process >= 0)
            pe_of_process[s->resources->pe[i].process] = i + 1;
    for (int rank = 0; rank < s->layout->members; rank++) {
        int process = s->layout->member[rank].process;
        s->pe_of[rank] = process < processes ? pe_of_process[process] - 1 : -1;
        if (s->pe_of[rank] >= 0)
            s->members[s->node_of[s->pe_of[rank]]]++;
    }
    free(pe_of_process);
    return true;
}

xmpi_status_t xmpi_selection_make(xmpi_selection_t *selection, const xmpi_resources_t *resources,
                                  const xmpi_layout_t *layout, xmpi_placement_t placement)
{
    size_t pes = (size_t)resources->pes + 1, members = (size_t)layout->members + 1;
    *selection =
        (xmpi_selection_t){.resources = resources, .layout = layout, .placement = placement};
    selection->taken = calloc(pes, 1);
    selection->leaves = calloc(members, 1);
    selection->node_of = calloc(pes, sizeof(int));
    selection->members = calloc(pes, sizeof(int));
    selection->pe_of = calloc(members, sizeof(int));
    selection->scratch = calloc(pes + members, sizeof(int));
    if (selection->taken != NULL && selection->leaves != NULL && selection->node_of != NULL &&
        selection->members != NULL && selection->pe_of != NULL && selection->scratch != NULL &&
        number_nodes(selection) && place_members(selection))
        return XMPI_OK;
    xmpi_selection_free(selection);
    return XMPI_ERR_MEMORY;
}

void xmpi_selection_clear(xmpi_selection_t *s)
{
    memset(s->taken, 0, (size_t)s->resources->pes);
    memset(s->leaves, 0, (size_t)s->layout->members);
    memset(s->members, 0, (size_t)s->resources->pes * sizeof *s->members);
    for (int rank = 0; rank < s->layout->members; rank++)
        if (s->pe_of[rank] >= 0)
            s->members[s->node_of[s->pe_of[rank]]]++;
    s->joining = s->leaving = 0;
}

void xmpi_selection_free(xmpi_selection_t *selection)
{
    free(selection->taken);
    free(selection->leaves);
    free(selection->node_of);
    free(selection->members);
    free(selection->pe_of);
    free(selection->scratch);
    selection->taken = selection->leaves = NULL;
    selection->node_of = selection->members = selection->pe_of = selection->scratch = NULL;
}

void xmpi_select_pe(xmpi_selection_t *s, int pe)
{
    s->taken[pe] = 1;
    s->joining++;
    s->members[s->node_of[pe]]++;
}

void xmpi_select_rank(xmpi_selection_t *s, int rank)
{
    s->leaves[rank] = 1;
    s->leaving++;
    if (s->pe_of[rank] >= 0)
        s->members[s->node_of[s->pe_of[rank]]]--;
}

static bool class_is(const xmpi_resources_t *resources, int pe, int class_index)
{
    return class_index == XMPI_ANY_CLASS || resources->pe[pe].class_index == class_index;
}

/* Members on PEs of the same node as PE, as the selection stands. */
static int members_beside(const xmpi_selection_t *s, int pe)
{
    return s->members[s->node_of[pe]];
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

/* Those of CANDIDATE that are usable, in their order; how many. */
static int find_idle(const xmpi_selection_t *s, int class_index, int *candidate)
{
    int n = 0;
    for (int i = 0; i < s->resources->pes; i++)
        if (!s->taken[i] && xmpi_pe_usable(s->resources, i) &&
            class_is(s->resources, i, class_index))
            candidate[n++] = i;
    return n;
}

static int best_idle(const xmpi_selection_t *s, const int *candidate, int n)
{
    int best = -1, least = INT_MAX;
    for (int i = 0; i < n; i++) {
        int cost = s->taken[candidate[i]] ? INT_MAX : join_cost(s, candidate[i]);
        if (cost < least) {
            least = cost;
            best = candidate[i];
        }
    }
    return best;
}

int xmpi_select_joiners(xmpi_selection_t *s, int class_index, int n, int *pe)
{
    int candidates = find_idle(s, class_index, s->scratch), found = 0;
    while (found < n && s->layout->members - s->leaving + s->joining < s->resources->max_members) {
        int best = best_idle(s, s->scratch, candidates);
        if (best < 0)
            break;
        xmpi_select_pe(s, best);
        pe[found++] = best;
    }
    return found;
}

bool xmpi_select_joiner(xmpi_selection_t *s, int class_index)
{
    int pe;
    return xmpi_select_joiners(s, class_index, 1, &pe) == 1;
}

/* How much there is against it that the member PROCESS on PE leaves. To balance, the fullest node
 * gives one up; to spare nodes, the emptiest. Before all that, those leave that end when they do.
 */
static int leave_cost(const xmpi_selection_t *s, int process, int pe)
{
    int members = members_beside(s, pe);
    int cost = s->placement == XMPI_PLACE_OCCUPIED ? members : -members;
    return process < s->resources->started ? INT_MAX / 2 + cost : cost;
}

static int find_members(const xmpi_selection_t *s, int class_index, int *candidate)
{
    int n = 0;
    for (int rank = s->layout->members - 1; rank >= 0; rank--)
        if (!s->leaves[rank] && s->layout->member[rank].process != s->resources->anchor &&
            s->pe_of[rank] >= 0 && class_is(s->resources, s->pe_of[rank], class_index))
            candidate[n++] = rank;
    return n;
}

static int best_member(const xmpi_selection_t *s, const int *candidate, int n)
{
    int best = -1, least = INT_MAX;
    for (int i = 0; i < n; i++) {
        int rank = candidate[i], process = s->layout->member[rank].process;
        int cost = s->leaves[rank] ? INT_MAX : leave_cost(s, process, s->pe_of[rank]);
        if (cost < least) {
            least = cost;
            best = rank;
        }
    }
    return best;
}

int xmpi_select_leavers(xmpi_selection_t *s, int class_index, int n, int *rank)
{
    int candidates = find_members(s, class_index, s->scratch), found = 0;
    while (found < n && s->layout->members - s->leaving > 1) {
        int best = best_member(s, s->scratch, candidates);
        if (best < 0)
            break;
        xmpi_select_rank(s, best);
        rank[found++] = best;
    }
    return found;
}

bool xmpi_select_leaver(xmpi_selection_t *s, int class_index)
{
    int rank;
    return xmpi_select_leavers(s, class_index, 1, &rank) == 1;
}
