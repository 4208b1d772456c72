/* SPDX-License-Identifier: BSD-3-Clause
 * Mapping: which process of a program is to be on which node, by who talks how much to whom (Cores
 * et al. 2016, section 2.2). Processes keep their ranks and their number. */
#ifndef XMPI_DECIDE_MAPPING_MAPPING_H
#define XMPI_DECIDE_MAPPING_MAPPING_H

#include <stdbool.h>

#include "decide/mapping/scotch.h"
#include "decide/mapping/traffic.h"
#include "decide/mapping/tree.h"

/* How many processes a node may have where N processes have CORES_ALL cores, some of them there
 * CORES. The paper's formula and its figure differ where there are more cores than processes: 56
 * processes on four nodes of 16 are 14 each by the formula, up to 16 by the figure. */
typedef enum {
    XMPI_SHARE_FULL, /* ceil(CORES max(1, N / CORES_ALL)): nobody leaves a core for evenness */
    XMPI_SHARE_EVEN, /* ceil(CORES N / CORES_ALL) */
} xmpi_node_share_t;

/* A node. Plain data. */
typedef struct {
    int cores; /* that may be used; 0: all processes have to leave */
    int free;  /* places for processes that come: idle cores, and others that share them */
    uint16_t switches[XMPI_SWITCHES_MAX];
} xmpi_mapped_node_t;

/* What is to be mapped; nothing in it is owned. */
typedef struct {
    int ranks;
    const int *at;                 /* of each rank: its node */
    const bool *stays;             /* of each rank: it cannot go elsewhere */
    const xmpi_traffic_t *traffic; /* NULL: not known */
    int nodes;
    const xmpi_mapped_node_t *node;
    xmpi_node_share_t share;
    const xmpi_scotch_t *scotch; /* NULL: it is not here */
} xmpi_mapping_t;

/* What a mapping is like. */
typedef struct {
    int moves;            /* ranks that go to other nodes */
    int stuck;            /* ranks that had to leave their node, and find no place */
    double before, after; /* bytes of the traffic times what they cost (xmpi_tree_cost) */
} xmpi_mapped_t;

/* The most processes that each node is to have, in MOST: 0 where it has no cores. */
void xmpi_mapping_most(const xmpi_mapping_t *mapping, int *most);

/* Who has to go elsewhere, and where to: TO, the node of each rank. Those who leave a node with too
 * many are those who talk least to those who stay; they go to nodes that have less than they may
 * have, to free cores first, near to those that they talk to. What nobody has to leave stays as it
 * is. Where the traffic is not known, or Scotch is not here, the last ranks of a node leave, and go
 * where there is room in the order of the nodes; so they do where that is no worse.
 * XMPI_ERR_MEMORY, XMPI_ERR_INPUT, XMPI_ERR_INTERNAL. */
xmpi_status_t xmpi_mapping_migrate(const xmpi_mapping_t *mapping, int *to, xmpi_mapped_t *mapped,
                                   xmpi_error_t *error);

/* The best nodes for all ranks, at any time: as many as a node may have, and has places for.
 * Errors as before, and XMPI_ERR_INPUT where traffic or Scotch are not here. */
xmpi_status_t xmpi_mapping_regroup(const xmpi_mapping_t *mapping, int *to, xmpi_mapped_t *mapped,
                                   xmpi_error_t *error);

#endif
