/* SPDX-License-Identifier: BSD-3-Clause
 * Graph: what Scotch maps, and how it is asked to. Vertices are ranks of a traffic matrix, edges
 * what they send each other. The same graph is mapped in the same way at any time, as Scotch is
 * asked for one thread, and for the same random numbers. */
#ifndef XMPI_DECIDE_MAPPING_GRAPH_H
#define XMPI_DECIDE_MAPPING_GRAPH_H

#include "decide/mapping/scotch.h"
#include "decide/mapping/traffic.h"
#include "decide/mapping/tree.h"

/* The arrays are malloc. */
typedef struct {
    int vertices;       /* those behind the ranks talk to nobody: they fill places */
    SCOTCH_Num *first;  /* of each vertex, and one more: where its edges begin */
    SCOTCH_Num *edge;   /* the other vertex */
    SCOTCH_Num *weight; /* bytes, scaled so that all of them at the greatest cost can be added up */
} xmpi_graph_t;

/* The graph of RANKS ranks of BOTH (xmpi_traffic_both_ways), vertex i being RANK[i], and of
 * FILLING vertices more. XMPI_ERR_MEMORY. Free GRAPH in any case. */
xmpi_status_t xmpi_graph_make(xmpi_graph_t *graph, const xmpi_traffic_t *both, int ranks,
                              const int *rank, int filling, xmpi_error_t *error);
void xmpi_graph_free(xmpi_graph_t *graph);

/* Divides GRAPH into two parts, of SIZE[0] and SIZE[1] vertices (all of them together), so that
 * little goes between them (Cores et al. 2016, section 2.2, step 1). PART: of each vertex 0 or 1
 * where that is fixed, else -1; what was found afterwards. XMPI_ERR_INPUT where Scotch is not here
 * (NULL); XMPI_ERR_INTERNAL where it fails. */
xmpi_status_t xmpi_graph_split(const xmpi_graph_t *graph, const xmpi_scotch_t *scotch,
                               const int size[2], int *part, xmpi_error_t *error);

/* Gives each vertex one of as many places, place i being LEAF[i] of TREE, by ascending leaves, so
 * that what is sent goes over what is cheap (step 2). PLACE: of each vertex its place where that is
 * fixed, else -1; what was found afterwards. Errors as before. */
xmpi_status_t xmpi_graph_place(const xmpi_graph_t *graph, const xmpi_scotch_t *scotch,
                               const xmpi_tree_t *tree, const int *leaf, int *place,
                               xmpi_error_t *error);

#endif
