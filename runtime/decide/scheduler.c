/* SPDX-License-Identifier: BSD-3-Clause
 * The process scheduler: on which PEs processes come and go. */
#include "decide/scheduler.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

xmpi_status_t xmpi_selection_make(xmpi_selection_t *selection, const xmpi_resources_t *resources,
                                  const xmpi_layout_t *layout, xmpi_placement_t placement)
{
    *selection = (xmpi_selection_t){resources, layout, placement, NULL, NULL, 0, 0};
    selection->taken = calloc((size_t)resources->pes + 1, 1);
    selection->leaves = calloc((size_t)layout->members + 1, 1);
    if (selection->taken != NULL && selection->leaves != NULL)
        return XMPI_OK;
    xmpi_selection_free(selection);
    return XMPI_ERR_MEMORY;
}

void xmpi_selection_free(xmpi_selection_t *selection)
{
    free(selection->taken);
    free(selection->leaves);
    selection->taken = selection->leaves = NULL;
}

static bool class_is(const xmpi_resources_t *resources, int pe, int class_index)
{
    return class_index == XMPI_ANY_CLASS || resources->pe[pe].class_index == class_index;
}

/* Members on PEs of the same node as PE, as the selection stands. A PE without a node's name is a
 * node of its own. */
static int members_beside(const xmpi_selection_t *s, int pe)
{
    const char *node = s->resources->pe[pe].node;
    int n = 0;
    for (int i = 0; i < s->resources->pes; i++) {
        const xmpi_pe_t *other = &s->resources->pe[i];
        bool same = node[0] != '\0' ? strcmp(other->node, node) == 0 : i == pe;
        int rank = -1;
        if (!same)
            continue;
        for (int r = 0; r < s->layout->members && rank < 0; r++)
            if (s->layout->member[r].process == other->process)
                rank = r;
        n += s->taken[i] || (rank >= 0 && !other->parked && !s->leaves[rank]);
    }
    return n;
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

bool xmpi_select_joiner(xmpi_selection_t *s, int class_index)
{
    int best = -1, least = INT_MAX;
    if (s->layout->members - s->leaving + s->joining >= s->resources->max_members)
        return false;
    for (int i = 0; i < s->resources->pes; i++) {
        if (s->taken[i] || !xmpi_pe_usable(s->resources, i) ||
            !class_is(s->resources, i, class_index))
            continue;
        int cost = join_cost(s, i);
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    if (best < 0)
        return false;
    s->taken[best] = 1;
    s->joining++;
    return true;
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

bool xmpi_select_leaver(xmpi_selection_t *s, int class_index)
{
    int best = -1, least = INT_MAX;
    if (s->layout->members - s->leaving <= 1)
        return false;
    for (int rank = s->layout->members - 1; rank >= 0; rank--) {
        int process = s->layout->member[rank].process;
        int pe = xmpi_resources_pe_of(s->resources, process);
        if (s->leaves[rank] || process == s->resources->anchor || pe < 0 ||
            !class_is(s->resources, pe, class_index))
            continue;
        int cost = leave_cost(s, process, pe);
        if (cost < least) {
            least = cost;
            best = rank;
        }
    }
    if (best < 0)
        return false;
    s->leaves[best] = 1;
    s->leaving++;
    return true;
}
