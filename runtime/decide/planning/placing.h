/* SPDX-License-Identifier: BSD-3-Clause
 * Placing: which rank of a movable loop is to be on which node, as a plan is made, and the step
 * that makes the fullest node less full. Everything is kept by node, so that a step among 10,000
 * processing elements takes microseconds. */
#ifndef XMPI_DECIDE_PLANNING_PLACING_H
#define XMPI_DECIDE_PLANNING_PLACING_H

#include "decide/layout/nodes.h"
#include "decide/policy/policy.h"

/* What is known of a node, as the plan stands. */
typedef struct {
    double sum;     /* of the loads there */
    double seconds; /* that an iteration takes there */
    int width;      /* processing elements; one at least */
    bool usable;    /* ranks may go there, if there is a place */
    int first;      /* its heaviest rank, the others behind it; -1: none */
    int idle;       /* its next idle place, those that are processing elements first; -1: none */
} xmpi_placing_node_t;

/* Of some nodes that ranks can go to: none has a lesser sum, or more elements. */
typedef struct {
    double sum; /* infinite: there are no such nodes */
    int width;
} xmpi_placing_bound_t;

/* What is known of the ranks and the nodes, as the plan stands. The arrays are malloc. */
typedef struct {
    const xmpi_view_t *view;
    xmpi_nodes_t nodes;
    xmpi_placing_node_t *at; /* each node */
    double *load;            /* of each rank: CPU seconds of an iteration */
    int *node;               /* of each rank, as it is to be */
    int *next;               /* of each rank: the next lighter one on its node; -1: none */
    bool *stays;             /* of each rank: it cannot go elsewhere, or has already */
    int *next_idle;          /* of each idle place: the next one of its node; -1: none */
    /* Two binary trees over the nodes: the root is [1], the children of [i] are [2 i] and [2 i +
     * 1], node n is [leaves + n]. */
    int leaves;
    int *slowest; /* the one that is done last */
    xmpi_placing_bound_t *bound;
} xmpi_placing_t;

/* RANK to the idle place PE, or in exchange for the rank OTHER; the other one of both is -1. No
 * step: RANK is -1. */
typedef struct {
    int rank, pe, other;
    double gain; /* seconds of an iteration, of the slower of the two nodes */
} xmpi_placing_step_t;

/* The ranks of VIEW where they are; ranks may go to all nodes that can be used, or (OCCUPIED) to
 * those where there are ranks. XMPI_ERR_MEMORY. Free PLACING in any case. */
xmpi_status_t xmpi_placing_make(xmpi_placing_t *placing, const xmpi_view_t *view, bool occupied);
void xmpi_placing_free(xmpi_placing_t *placing);

/* Seconds of an iteration, of the node that is done last. */
double xmpi_placing_seconds(const xmpi_placing_t *placing);

/* The step that gains most, of the ranks on the node that is done last. Looks at the ranks of those
 * nodes alone that by their sums may have a better one than was found. */
xmpi_placing_step_t xmpi_placing_find(const xmpi_placing_t *placing);

/* Notes that STEP is taken: its ranks take no other. */
void xmpi_placing_take(xmpi_placing_t *placing, const xmpi_placing_step_t *step);

#endif
