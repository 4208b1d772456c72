/* SPDX-License-Identifier: BSD-3-Clause
 * The process scheduler: on which PEs processes come and go (thesis §4.4).
 *
 * Both policies keep nodes of one class equally filled. XMPI_PLACE_ALL does so over all nodes of
 * the class, to share memory and network least; XMPI_PLACE_OCCUPIED over those where the program
 * already runs, and empties nodes when it shrinks, to use the fewest. */
#ifndef XMPI_DECIDE_SCHEDULER_SCHEDULER_H
#define XMPI_DECIDE_SCHEDULER_SCHEDULER_H

#include "decide/scheduler/greedy.h"
#include "decide/layout/layout.h"
#include "decide/layout/nodes.h"
#include "decide/layout/resources.h"

typedef enum { XMPI_PLACE_ALL, XMPI_PLACE_OCCUPIED } xmpi_placement_t;

/* What the next layout will be made of: one flag for each PE and for each member. */
typedef struct {
    const xmpi_resources_t *resources;
    const xmpi_layout_t *layout;
    xmpi_placement_t placement;
    char *taken;  /* of each PE: a new member is had there; malloc, like the others */
    char *leaves; /* of each member */
    int joining, leaving;
    xmpi_nodes_t nodes;
    int *members; /* of each node, as the selection stands */
    int *pe_of;   /* of each member: its PE, or -1 */
    xmpi_greedy_t greedy;
} xmpi_selection_t;

xmpi_status_t xmpi_selection_make(xmpi_selection_t *selection, const xmpi_resources_t *resources,
                                  const xmpi_layout_t *layout, xmpi_placement_t placement);

/* Nobody comes or goes again. */
void xmpi_selection_clear(xmpi_selection_t *selection);

void xmpi_selection_free(xmpi_selection_t *selection);

/* Takes this PE for a new member; lets this member leave. */
void xmpi_select_pe(xmpi_selection_t *selection, int pe);
void xmpi_select_rank(xmpi_selection_t *selection, int rank);

/* Selects the PE of CLASS_INDEX (or XMPI_ANY_CLASS) for one more member; false when there is none,
 * or no more members are allowed. */
bool xmpi_select_joiner(xmpi_selection_t *selection, int class_index);

/* Selects up to N such PEs, one after another, into PE (NULL: nowhere); how many. */
int xmpi_select_joiners(xmpi_selection_t *selection, int class_index, int n, int *pe);

/* Selects the member on a PE of CLASS_INDEX that leaves next; never the anchor, nor the last one.
 * False when there is none. Among members of equally good nodes the highest rank leaves. */
bool xmpi_select_leaver(xmpi_selection_t *selection, int class_index);

/* Selects up to N such members, one after another, into RANK (NULL: nowhere); how many. */
int xmpi_select_leavers(xmpi_selection_t *selection, int class_index, int n, int *rank);

#endif
