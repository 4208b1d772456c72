/* SPDX-License-Identifier: BSD-3-Clause
 * What the nodes of a program were for, over time: what whoever pays for them wants to know. */
#ifndef XMPI_DECIDE_LAYOUT_NODE_SECONDS_H
#define XMPI_DECIDE_LAYOUT_NODE_SECONDS_H

#include <stdint.h>

#include "decide/layout/resources.h"

/* Plain data; all zeros at the beginning. PEs without the name of a node count as on
 * the first one that has a name: there the MPI starts processes that nobody places. */
typedef struct {
    double held;       /* node-seconds that the program could use the node, or had members there */
    double used;       /* of them, with a member */
    double lost;       /* of these, while the program stood still */
    double given_back; /* of nodes that it has given back, since then */
    double stood;      /* seconds that it had stood still by the last time */
    uint64_t state;    /* of the PEs that the numbers are of */
    int nodes_held, nodes_used, nodes_given_back;
} xmpi_node_seconds_t;

/* SECONDS have gone by in which RESOURCES were as they are; by now the program has stood still for
 * STOOD seconds in all. Nodes are counted anew where PEs have changed; without memory the numbers
 * of before are taken. */
void xmpi_node_seconds_add(xmpi_node_seconds_t *sum, const xmpi_resources_t *resources,
                           double seconds, double stood);

/* The same of SECONDS in which the program was only being started again: what is used is lost. */
void xmpi_node_seconds_idle(xmpi_node_seconds_t *sum, const xmpi_resources_t *resources,
                            double seconds);

#endif
