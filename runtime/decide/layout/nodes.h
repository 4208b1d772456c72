/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes: which processing elements are on the same one. Names are compared once, here; everything
 * else compares numbers. */
#ifndef XMPI_DECIDE_LAYOUT_NODES_H
#define XMPI_DECIDE_LAYOUT_NODES_H

#include "decide/layout/resources.h"

/* The nodes of some PEs, numbered from 0 in the order in which they come first. */
typedef struct {
    int nodes;
    int *of_pe; /* of each PE: the number of its node; malloc, like the other */
    int *first; /* of each node: its first PE */
} xmpi_nodes_t;

/* Whether PEs of which nobody knows where they are, those without the name of a node, count as
 * together on one, or each as on one of its own. */
typedef enum { XMPI_UNNAMED_TOGETHER, XMPI_UNNAMED_APART } xmpi_unnamed_t;

/* Numbers the nodes of PE[0] to PE[PES - 1], in time that grows like PES log PES. XMPI_ERR_MEMORY;
 * then there is nothing to free. */
xmpi_status_t xmpi_nodes_make(xmpi_nodes_t *nodes, int pes, const xmpi_pe_t *pe,
                              xmpi_unnamed_t unnamed);
void xmpi_nodes_free(xmpi_nodes_t *nodes);

#endif
