/* SPDX-License-Identifier: BSD-3-Clause
 * Remapping: what the policies map and migrate share, from what is seen to a mapping
 * (decide/mapping/mapping.h), and from that to a plan. */
#ifndef XMPI_DECIDE_PLANNING_REMAPPING_REMAP_H
#define XMPI_DECIDE_PLANNING_REMAPPING_REMAP_H

#include "decide/layout/nodes.h"
#include "decide/mapping/mapping.h"
#include "decide/policy/policy.h"

/* The arrays are malloc. */
typedef struct {
    const xmpi_view_t *view;
    xmpi_nodes_t nodes;
    int *pe;                  /* of each rank: where it is, or -1 */
    int *at, *to;             /* of each rank: its node, and that where it is to be */
    bool *stays;              /* of each rank: it cannot go elsewhere */
    xmpi_mapped_node_t *node; /* each node */
    xmpi_mapping_t mapping;   /* of all that */
    xmpi_mapped_t mapped;
} xmpi_remap_t;

/* XMPI_ERR_MEMORY. Free REMAP in any case. */
xmpi_status_t xmpi_remap_make(xmpi_remap_t *remap, const xmpi_view_t *view, xmpi_error_t *error);
void xmpi_remap_free(xmpi_remap_t *remap);

/* Seconds of an iteration in which the node that has most to do sends and receives, when ranks are
 * on the nodes AT; 0 where that is not known. */
double xmpi_remap_seconds(const xmpi_remap_t *remap, const int *at);

#endif
