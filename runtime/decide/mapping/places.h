/* SPDX-License-Identifier: BSD-3-Clause
 * Places: what a mapping goes on, a list of places of nodes in a tree. */
#ifndef XMPI_DECIDE_MAPPING_PLACES_H
#define XMPI_DECIDE_MAPPING_PLACES_H

#include "decide/mapping/mapping.h"

/* What of a mapping is the same for all that is tried. The arrays are malloc. */
typedef struct {
    const xmpi_mapping_t *mapping;
    xmpi_traffic_t both; /* both directions; no ranks: the traffic is not known */
    int *most, *load;    /* of each node */
    int *room;           /* of each node: places for ranks that come, free cores first */
    xmpi_tree_t tree;    /* with as many places for each node as any needs */
} xmpi_places_t;

/* XMPI_ERR_MEMORY, XMPI_ERR_INPUT. Free PLACES in any case. */
xmpi_status_t xmpi_places_make(xmpi_places_t *places, const xmpi_mapping_t *mapping,
                               xmpi_error_t *error);
void xmpi_places_free(xmpi_places_t *places);

/* Bytes times what they cost when rank r is on the node AT[r]; 0 where the traffic is not known. */
double xmpi_places_cost(const xmpi_places_t *places, const int *at);

/* Gives a node with ROOM for it to each rank of which TO says -1, by Scotch: the others stay where
 * TO says. XMPI_ERR_MEMORY, XMPI_ERR_INTERNAL. */
xmpi_status_t xmpi_places_map(const xmpi_places_t *places, const int *room, int *to,
                              xmpi_error_t *error);

/* The same in the order of ranks and nodes. */
void xmpi_places_fill(const xmpi_places_t *places, const int *room, int *to);

#endif
