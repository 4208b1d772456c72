/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes: which processing elements are on the same one. */
#include "decide/layout/nodes.h"

#include <stdlib.h>
#include <string.h>

/* By name; PEs of one node in their order. */
static int by_node(const void *a, const void *b)
{
    const xmpi_pe_t *const *x = a, *const *y = b;
    int order = strcmp((*x)->node, (*y)->node);
    return order != 0 ? order : (*x > *y) - (*x < *y);
}

/* Makes OF_PE the first PE of the same node. */
static void find_firsts(const xmpi_pe_t *pe, const xmpi_pe_t **order, int pes,
                        xmpi_unnamed_t unnamed, int *of_pe)
{
    for (int i = 0, begin = 0; i < pes; i++) {
        const xmpi_pe_t *here = order[i], *before = i > 0 ? order[i - 1] : NULL;
        bool known = here->node[0] != '\0' || unnamed == XMPI_UNNAMED_TOGETHER;
        if (before == NULL || !known || strcmp(here->node, before->node) != 0)
            begin = (int)(here - pe);
        of_pe[here - pe] = begin;
    }
}

/* A first PE comes before all others of its node, which therefore find its number. */
static void number(xmpi_nodes_t *nodes, int pes)
{
    for (int i = 0; i < pes; i++) {
        bool is_first = nodes->of_pe[i] == i;
        if (is_first)
            nodes->first[nodes->nodes] = i;
        nodes->of_pe[i] = is_first ? nodes->nodes++ : nodes->of_pe[nodes->of_pe[i]];
    }
}

xmpi_status_t xmpi_nodes_make(xmpi_nodes_t *nodes, int pes, const xmpi_pe_t *pe,
                              xmpi_unnamed_t unnamed)
{
    size_t n = (size_t)pes + 1;
    const xmpi_pe_t **order = malloc(n * sizeof *order);
    *nodes = (xmpi_nodes_t){.of_pe = malloc(n * sizeof(int)), .first = malloc(n * sizeof(int))};
    if (order == NULL || nodes->of_pe == NULL || nodes->first == NULL) {
        free(order);
        xmpi_nodes_free(nodes);
        return XMPI_ERR_MEMORY;
    }
    for (int i = 0; i < pes; i++)
        order[i] = &pe[i];
    qsort(order, (size_t)pes, sizeof *order, by_node);
    find_firsts(pe, order, pes, unnamed, nodes->of_pe);
    number(nodes, pes);
    free(order);
    return XMPI_OK;
}

void xmpi_nodes_free(xmpi_nodes_t *nodes)
{
    free(nodes->of_pe);
    free(nodes->first);
    memset(nodes, 0, sizeof *nodes);
}
