/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes that the program could ask for. */
#include "decide/scheduler/further.h"

#include <stdlib.h>

#include "decide/layout/nodes.h"

/* How many nodes the program has, used or not, and how many PEs the first one has. */
static xmpi_status_t count(const xmpi_resources_t *resources, int *held, int *of_first)
{
    xmpi_nodes_t nodes;
    char *has = calloc((size_t)resources->pes + 1, 1);
    *held = *of_first = 0;
    if (has == NULL ||
        xmpi_nodes_make(&nodes, resources->pes, resources->pe, XMPI_UNNAMED_TOGETHER) != XMPI_OK) {
        free(has);
        return XMPI_ERR_MEMORY;
    }
    for (int i = 0; i < resources->pes; i++) {
        int node = nodes.of_pe[i];
        *held += !resources->pe[i].gone && !has[node];
        has[node] |= !resources->pe[i].gone;
        *of_first += node == 0 && !resources->pe[i].shared;
    }
    xmpi_nodes_free(&nodes);
    free(has);
    return XMPI_OK;
}

xmpi_status_t xmpi_further_nodes(xmpi_resources_t *resources, int most)
{
    int held, of_first;
    xmpi_status_t status = count(resources, &held, &of_first);
    if (status != XMPI_OK || held >= most || of_first == 0)
        return status;
    const xmpi_pe_t like = {
        .process = -1, .class_index = resources->pe[0].class_index, .cost = resources->pe[0].cost};
    int more = (most - held) * of_first;
    status = xmpi_resources_add(resources, &like, more);
    if (status == XMPI_OK && resources->max_is_pes)
        resources->max_members += more;
    return status;
}
