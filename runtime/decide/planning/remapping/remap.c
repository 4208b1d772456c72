/* SPDX-License-Identifier: BSD-3-Clause
 * Remapping: what the policies map and migrate share. */
#include "decide/planning/remapping/remap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/planning/moves.h"

static void set_ranks(xmpi_remap_t *r)
{
    for (int i = 0; i < r->view->layout->members; i++) {
        r->at[i] = r->to[i] = r->pe[i] >= 0 ? r->nodes.of_pe[r->pe[i]] : 0;
        r->stays[i] = r->pe[i] < 0 || !xmpi_moves_may(r->view, i);
    }
}

static void set_nodes(xmpi_remap_t *r)
{
    const xmpi_resources_t *resources = r->view->resources;
    for (int i = 0; i < resources->pes; i++) {
        const xmpi_pe_t *pe = &resources->pe[i];
        xmpi_mapped_node_t *node = &r->node[r->nodes.of_pe[i]];
        node->cores += !pe->withdrawn && !pe->shared;
        node->free += xmpi_pe_usable(resources, i);
        memcpy(node->switches, pe->switches, sizeof node->switches);
    }
}

xmpi_status_t xmpi_remap_make(xmpi_remap_t *r, const xmpi_view_t *view, xmpi_error_t *error)
{
    const xmpi_resources_t *resources = view->resources;
    size_t members = (size_t)view->layout->members + 1, pes = (size_t)resources->pes + 1;
    *r = (xmpi_remap_t){.view = view,
                        .pe = xmpi_members_pes(view->layout, resources),
                        .at = calloc(members, sizeof *r->at),
                        .to = calloc(members, sizeof *r->to),
                        .stays = calloc(members, sizeof *r->stays),
                        .node = calloc(pes, sizeof *r->node)};
    if (r->pe == NULL || r->at == NULL || r->to == NULL || r->stays == NULL || r->node == NULL ||
        xmpi_nodes_make(&r->nodes, resources->pes, resources->pe, XMPI_UNNAMED_TOGETHER) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to map %d processes",
                              view->layout->members);
    set_ranks(r);
    set_nodes(r);
    r->mapping = (xmpi_mapping_t){.ranks = view->layout->members,
                                  .at = r->at,
                                  .stays = r->stays,
                                  .traffic = view->traffic,
                                  .nodes = r->nodes.nodes,
                                  .node = r->node,
                                  .share = view->share,
                                  .scotch = view->scotch};
    return XMPI_OK;
}

void xmpi_remap_free(xmpi_remap_t *r)
{
    xmpi_nodes_free(&r->nodes);
    free(r->pe);
    free(r->at);
    free(r->to);
    free(r->stays);
    free(r->node);
    memset(r, 0, sizeof *r);
}

/* --- what it is worth ---------------------------------------------------------------------------
 */

double xmpi_remap_seconds(const xmpi_remap_t *r, const int *at)
{
    const xmpi_traffic_t *traffic = r->view->traffic;
    const xmpi_predictor_t *predictor = r->view->predictor;
    double most = 0, iterations = traffic != NULL ? (double)traffic->iterations : 0;
    double *seconds = calloc((size_t)r->mapping.nodes + 1, sizeof *seconds);
    if (seconds == NULL || traffic == NULL || predictor == NULL || iterations <= 0) {
        free(seconds);
        return 0;
    }
    const xmpi_link_t *link = &predictor->at.calibration->link[XMPI_LINK_NETWORK];
    for (int i = 0; i < traffic->ranks; i++)
        for (int64_t k = traffic->first[i]; k < traffic->first[i + 1]; k++) {
            const xmpi_talk_t *talk = &traffic->talk[k];
            double n = (double)talk->messages;
            if (at[talk->peer] == at[i] || n <= 0)
                continue;
            double takes = n * xmpi_link_seconds(link, (double)talk->bytes / n) / iterations;
            seconds[at[i]] += takes;
            seconds[at[talk->peer]] += takes;
        }
    for (int i = 0; i < r->mapping.nodes; i++)
        most = fmax(most, seconds[i]);
    free(seconds);
    return most;
}
