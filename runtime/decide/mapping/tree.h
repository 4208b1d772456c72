/* SPDX-License-Identifier: BSD-3-Clause
 * Tree: how far nodes are from one another, by the switches between them, as a tree whose leaves
 * are places of nodes. */
#ifndef XMPI_DECIDE_MAPPING_TREE_H
#define XMPI_DECIDE_MAPPING_TREE_H

#include <stdint.h>

#include "decide/layout/resources.h"

/* Switches, nodes, places of a node. */
enum { XMPI_TREE_LEVELS = XMPI_SWITCHES_MAX + 2 };

/* A leaf is numbered by the child that leads to it at each level, the first level counting most. */
typedef struct {
    int levels; /* from the root, at least 2; the last are nodes and their places */
    int width[XMPI_TREE_LEVELS]; /* children, as many as any object of the level above has */
    int cost[XMPI_TREE_LEVELS];  /* of a byte between leaves whose paths part at this level; of a
                                    byte within a node 1 */
    int64_t leaves;
    int nodes;
    int *leaf; /* of each node: that of its first place; malloc */
} xmpi_tree_t;

/* The tree of NODES nodes with at most PLACES places each, behind the switches of SWITCHES[n],
 * outermost first (xmpi_pe_t.switches). A byte that has to go through one more level of them costs
 * twice as much. XMPI_ERR_MEMORY, XMPI_ERR_INPUT when there are more leaves than can be numbered;
 * then there is nothing to free. */
xmpi_status_t xmpi_tree_make(xmpi_tree_t *tree, int nodes,
                             const uint16_t (*switches)[XMPI_SWITCHES_MAX], int places,
                             xmpi_error_t *error);
void xmpi_tree_free(xmpi_tree_t *tree);

/* What a byte between two nodes costs; 0 within one. */
int xmpi_tree_cost(const xmpi_tree_t *tree, int one, int other);

#endif
