/* SPDX-License-Identifier: BSD-3-Clause
 * Mapping within a node: which of its cores each rank takes that comes to it. */
#ifndef XMPI_DECIDE_MAPPING_CORES_H
#define XMPI_DECIDE_MAPPING_CORES_H

#include "decide/mapping/mapping.h"

/* A node whose cores are behind packages, memory and caches. Nothing in it is owned. */
typedef struct {
    int cores;
    const xmpi_pe_t *const *core; /* of each: the processing element that stands for it */
    const bool *free;             /* of each: who comes may take it */
    int ranks;                    /* that are on the node then */
    const int *rank;              /* of each: its number in the traffic */
    const xmpi_traffic_t *traffic;
    const xmpi_scotch_t *scotch;
} xmpi_mapped_cores_t;

/* The tree of these cores is one of its own, as nodes may differ: AT has of each rank its core, or
 * -1 where it comes; then it has a free core, near to those that it talks to. It is the best of
 * what Scotch finds, the order of cores, and the best core for one rank after another, each with
 * moves and exchanges as long as they gain. There have to be enough that are free.
 * XMPI_ERR_MEMORY, XMPI_ERR_INPUT, XMPI_ERR_INTERNAL. */
xmpi_status_t xmpi_mapping_cores(const xmpi_mapped_cores_t *node, int *at, xmpi_error_t *error);

#endif
