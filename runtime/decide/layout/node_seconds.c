/* SPDX-License-Identifier: BSD-3-Clause
 * What nodes were for. */
#include "decide/layout/node_seconds.h"

#include <stdlib.h>

#include "decide/layout/nodes.h"

/* Of a PE, in the order of what they make of their node. */
enum { GONE, GIVEN_BACK, HELD, USED };

static int use_of(const xmpi_pe_t *pe)
{
    if (pe->process >= 0 && !pe->parked)
        return USED;
    return pe->returned ? GIVEN_BACK : pe->gone ? GONE : HELD;
}

/* Tells PEs that are used otherwise. */
static uint64_t state_of(const xmpi_resources_t *resources)
{
    uint64_t state = 14695981039346656037u; /* FNV-1a */
    for (int i = 0; i < resources->pes; i++)
        state = (state ^ (uint64_t)use_of(&resources->pe[i])) * 1099511628211u;
    return state ^ (uint64_t)resources->pes;
}

/* The first PE that has the name of a node; 0: none has. */
static int first_named(const xmpi_resources_t *resources)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].node[0] != '\0')
            return i;
    return 0;
}

static xmpi_status_t count(xmpi_node_seconds_t *sum, const xmpi_resources_t *resources)
{
    xmpi_nodes_t nodes;
    char *use = calloc((size_t)resources->pes + 1, 1);
    if (use == NULL ||
        xmpi_nodes_make(&nodes, resources->pes, resources->pe, XMPI_UNNAMED_TOGETHER) != XMPI_OK) {
        free(use);
        return XMPI_ERR_MEMORY;
    }
    int named = first_named(resources);
    sum->nodes_held = sum->nodes_used = sum->nodes_given_back = 0;
    for (int i = 0; i < resources->pes; i++) {
        bool known = resources->pe[i].node[0] != '\0';
        char *of_node = &use[nodes.of_pe[known ? i : named]];
        int now = use_of(&resources->pe[i]);
        *of_node = now > *of_node ? (char)now : *of_node;
    }
    for (int n = 0; n < nodes.nodes; n++) {
        sum->nodes_held += use[n] >= HELD;
        sum->nodes_used += use[n] == USED;
        sum->nodes_given_back += use[n] == GIVEN_BACK;
    }
    xmpi_nodes_free(&nodes);
    free(use);
    return XMPI_OK;
}

void xmpi_node_seconds_add(xmpi_node_seconds_t *sum, const xmpi_resources_t *resources,
                           double seconds, double stood)
{
    uint64_t state = state_of(resources);
    if (state != sum->state && count(sum, resources) == XMPI_OK)
        sum->state = state;
    sum->held += seconds * sum->nodes_held;
    sum->used += seconds * sum->nodes_used;
    sum->lost += (stood - sum->stood) * sum->nodes_used;
    sum->given_back += seconds * sum->nodes_given_back;
    sum->stood = stood;
}

void xmpi_node_seconds_idle(xmpi_node_seconds_t *sum, const xmpi_resources_t *resources,
                            double seconds)
{
    double stood = sum->stood;
    xmpi_node_seconds_add(sum, resources, seconds, stood + seconds);
    sum->stood = stood;
}
