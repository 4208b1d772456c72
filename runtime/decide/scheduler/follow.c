/* SPDX-License-Identifier: BSD-3-Clause
 * Availability: following who says which PEs there are. */
#include <stdlib.h>
#include <string.h>

#include "decide/layout/nodes.h"
#include "decide/mapping/mapping.h"
#include "decide/scheduler/availability.h"
#include "decide/scheduler/withdrawn.h"

static bool take_from(xmpi_pe_t *pe, double deadline)
{
    pe->gone = true;
    return xmpi_pe_reconsider(pe, deadline);
}

static bool give(xmpi_pe_t *pe)
{
    pe->gone = pe->returned = false;
    return xmpi_pe_reconsider(pe, 0);
}

/* Whether processes share PEs. */
static bool is_crowded(const xmpi_resources_t *resources)
{
    if (resources->shares)
        return true;
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].shared)
            return true;
    return false;
}

/* The PEs of before, and behind them those that are now, sorted by nodes. */
typedef struct {
    xmpi_pe_t *pe; /* malloc, like the others: room for all of both */
    int before, now;
    bool crowded; /* processes share PEs */
    xmpi_nodes_t nodes;
    int *count;    /* of each node: PEs that are now, and not withdrawn */
    double *until; /* of each node: when those that are withdrawn are to be left; 0: not said */
    int *begin;    /* of each node: where its PEs of before begin in LIST; one more than nodes */
    int *list;
    char *followed; /* of each node: it has been seen to */
} merger_t;

static void free_merger(merger_t *m)
{
    free(m->pe);
    free(m->count);
    free(m->until);
    free(m->begin);
    free(m->list);
    free(m->followed);
    xmpi_nodes_free(&m->nodes);
}

static xmpi_status_t get_room(merger_t *m, const xmpi_resources_t *resources,
                              const xmpi_resources_t *now)
{
    size_t all = (size_t)(resources->pes + now->pes) + 2;
    *m = (merger_t){.pe = calloc(all, sizeof *m->pe),
                    .before = resources->pes,
                    .now = now->pes,
                    .count = calloc(all, sizeof *m->count),
                    .until = calloc(all, sizeof *m->until),
                    .begin = calloc(all, sizeof *m->begin),
                    .list = calloc(all, sizeof *m->list),
                    .followed = calloc(all, 1)};
    if (m->pe == NULL || m->count == NULL || m->until == NULL || m->begin == NULL ||
        m->list == NULL || m->followed == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < resources->pes; i++)
        m->pe[i] = resources->pe[i];
    for (int i = 0; i < now->pes; i++)
        m->pe[resources->pes + i] = now->pe[i];
    return xmpi_nodes_make(&m->nodes, m->before + m->now, m->pe, XMPI_UNNAMED_TOGETHER);
}

/* Lists the PEs of before node by node, in their order. */
static void list_nodes(merger_t *m)
{
    for (int i = 0; i < m->before; i++)
        m->begin[m->nodes.of_pe[i] + 1]++;
    for (int node = 0; node < m->nodes.nodes; node++)
        m->begin[node + 1] += m->begin[node];
    for (int i = 0; i < m->before; i++) {
        int node = m->nodes.of_pe[i];
        m->list[m->begin[node] + m->count[node]++] = i;
    }
    memset(m->count, 0, (size_t)m->nodes.nodes * sizeof *m->count);
}

static xmpi_status_t make_merger(merger_t *m, const xmpi_resources_t *resources,
                                 const xmpi_resources_t *now)
{
    if (get_room(m, resources, now) != XMPI_OK) {
        free_merger(m);
        return XMPI_ERR_MEMORY;
    }
    m->crowded = is_crowded(resources);
    list_nodes(m);
    for (int i = 0; i < m->now; i++) {
        int node = m->nodes.of_pe[m->before + i];
        m->count[node] += !now->pe[i].withdrawn;
        if (now->pe[i].withdrawn)
            m->until[node] = now->pe[i].deadline;
    }
    return XMPI_OK;
}

/* How many PEs of before the node still gives, whether the program uses them or not. */
static int count_given(const merger_t *m, int node)
{
    int n = 0;
    for (int k = m->begin[node]; k < m->begin[node + 1]; k++)
        n += !m->pe[m->list[k]].gone && !m->pe[m->list[k]].shared;
    return n;
}

/* N PEs, those first with which the least is lost: that are withdrawn already. How many are by it.
 */
static int take_away(merger_t *m, int node, int n, double deadline)
{
    int left = n, withdrawn = 0;
    for (int use = -1; use <= 2; use++)
        for (int k = m->begin[node + 1] - 1; k >= m->begin[node] && left > 0; k--) {
            xmpi_pe_t *pe = &m->pe[m->list[k]];
            if (!pe->gone && use == (pe->withdrawn ? -1 : xmpi_pe_use(pe))) {
                withdrawn += take_from(pe, deadline);
                left--;
            }
        }
    return withdrawn;
}

/* The other way round; RETURNED: how many can be used again. How many are given. */
static int give_again(merger_t *m, int node, int n, int *returned)
{
    int left = n;
    for (int use = 2; use >= 0; use--)
        for (int k = m->begin[node]; k < m->begin[node + 1] && left > 0; k++) {
            xmpi_pe_t *pe = &m->pe[m->list[k]];
            if (pe->gone && xmpi_pe_use(pe) == use) {
                *returned += give(pe);
                left--;
            }
        }
    return n - left;
}

/* The places of a node whose GIVEN PEs are shared: as many of them are PEs, and none can be used
 * where none is given. How many PEs there were before. */
static int share(merger_t *m, int node, int given, double deadline)
{
    int before = count_given(m, node), left = given;
    for (int k = m->begin[node]; k < m->begin[node + 1]; k++) {
        xmpi_pe_t *pe = &m->pe[m->list[k]];
        if (given == 0)
            take_from(pe, deadline);
        else
            give(pe);
        pe->shared = given > 0 && left-- <= 0;
    }
    return before;
}

/* What a node is like now: MODEL, its first PE that is. */
static void describe(merger_t *m, int node, const xmpi_pe_t *model, int class_index)
{
    for (int k = m->begin[node]; k < m->begin[node + 1]; k++) {
        m->pe[m->list[k]].class_index = class_index;
        m->pe[m->list[k]].cost = model->cost;
        memcpy(m->pe[m->list[k]].switches, model->switches, sizeof model->switches);
    }
}

static bool is_avoided(const merger_t *m, int node)
{
    for (int k = m->begin[node]; k < m->begin[node + 1]; k++)
        if (m->pe[m->list[k]].avoided)
            return true;
    return false;
}

/* The PEs of the node of NOW->pe[FIRST]: classes, costs, and as many as there are now. New ones go
 * into RESOURCES, behind those of before. */
static xmpi_status_t follow_node(merger_t *m, xmpi_resources_t *resources,
                                 const xmpi_resources_t *now, int first,
                                 xmpi_availability_t *change, xmpi_error_t *error)
{
    const xmpi_pe_t *model = &now->pe[first];
    int node = m->nodes.of_pe[m->before + first];
    int class_index = xmpi_resources_enter(resources, now->class_name[model->class_index]);
    if (class_index < 0)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "more than %d processor classes, with those of before",
                              XMPI_CLASSES_MAX);
    describe(m, node, model, class_index);
    int missing = m->count[node] - count_given(m, node),
        places = m->begin[node + 1] - m->begin[node];
    if (missing <= 0)
        return XMPI_OK;
    int again;
    if (m->crowded && places > 0) {
        int before = share(m, node, m->count[node], 0);
        again = (m->count[node] < places ? m->count[node] : places) - before;
        change->returned += again;
    } else {
        again = give_again(m, node, missing, &change->returned);
    }
    change->added += is_avoided(m, node) ? 0 : missing - again;
    for (int i = again; i < missing; i++) {
        xmpi_pe_t pe = *model;
        pe.class_index = class_index;
        pe.process = -1;
        pe.avoided = is_avoided(m, node);
        xmpi_pe_reconsider(&pe, 0);
        m->pe[resources->pes++] = pe; /* no more than there are now */
    }
    return XMPI_OK;
}

/* Nodes that give fewer than before. */
static void follow_losses(merger_t *m, double deadline, xmpi_availability_t *change)
{
    for (int node = 0; node < m->nodes.nodes; node++) {
        int surplus = count_given(m, node) - m->count[node];
        double until = m->until[node] > 0 ? m->until[node] : deadline;
        if (surplus > 0 && m->crowded)
            change->withdrawn += share(m, node, m->count[node], until) - m->count[node];
        else if (surplus > 0)
            change->withdrawn += take_away(m, node, surplus, until);
        for (int k = m->begin[node]; m->count[node] == 0 && k < m->begin[node + 1]; k++)
            m->pe[m->list[k]].gone = true;
    }
}

/* Each node of NOW once, in the order of the list. */
static xmpi_status_t follow_nodes(merger_t *m, xmpi_resources_t *next, const xmpi_resources_t *now,
                                  xmpi_availability_t *change, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < now->pes && status == XMPI_OK; i++) {
        int node = m->nodes.of_pe[m->before + i];
        if (!m->followed[node])
            status = follow_node(m, next, now, i, change, error);
        m->followed[node] = 1;
    }
    return status;
}

xmpi_status_t xmpi_availability_follow(xmpi_resources_t *resources, const xmpi_resources_t *now,
                                       double deadline, xmpi_availability_t *change,
                                       xmpi_error_t *error)
{
    merger_t m;
    xmpi_resources_t next = *resources;
    *change = (xmpi_availability_t){0, 0, 0};
    if (make_merger(&m, resources, now) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a list of nodes");
    xmpi_status_t status = follow_nodes(&m, &next, now, change, error);
    if (status == XMPI_OK) {
        follow_losses(&m, deadline, change);
        free(resources->pe);
        next.pe = m.pe;
        m.pe = NULL;
        xmpi_resources_limit(&next);
        *resources = next;
    } else {
        *change = (xmpi_availability_t){0, 0, 0};
    }
    free_merger(&m);
    return status;
}

/* --- places that are shared ---------------------------------------------------------------------
 */

static int places_on(const xmpi_nodes_t *nodes, int pes, int node)
{
    int n = 0;
    for (int i = 0; i < pes; i++)
        n += nodes->of_pe[i] == node;
    return n;
}

static xmpi_status_t add_places(xmpi_resources_t *resources, int like, int n)
{
    xmpi_pe_t *grown = n <= 0
                           ? resources->pe
                           : realloc(resources->pe, (size_t)(resources->pes + n) * sizeof *grown);
    if (grown == NULL)
        return XMPI_ERR_MEMORY;
    resources->pe = grown;
    for (int i = 0; i < n; i++) {
        xmpi_pe_t *pe = &resources->pe[resources->pes++];
        *pe = resources->pe[like];
        pe->process = -1;
        pe->parked = false;
        pe->shared = true;
    }
    return XMPI_OK;
}

/* The most processes that each node is to have (decide/mapping/mapping.h), in MOST. */
static xmpi_status_t find_shares(const xmpi_resources_t *resources, const xmpi_nodes_t *nodes,
                                 int ranks, int *most)
{
    xmpi_mapped_node_t *node = calloc((size_t)nodes->nodes + 1, sizeof *node);
    xmpi_mapping_t mapping = {.ranks = ranks, .nodes = nodes->nodes, .node = node};
    if (node == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < resources->pes; i++)
        node[nodes->of_pe[i]].cores += !resources->pe[i].withdrawn && !resources->pe[i].shared;
    xmpi_mapping_most(&mapping, most);
    free(node);
    return XMPI_OK;
}

static xmpi_status_t add_rooms(xmpi_resources_t *resources, const xmpi_nodes_t *nodes, int ranks)
{
    int pes = resources->pes, *most = malloc(((size_t)nodes->nodes + 1) * sizeof *most);
    xmpi_status_t status = most == NULL ? XMPI_ERR_MEMORY : XMPI_OK;
    for (int n = 0; status == XMPI_OK && n < nodes->nodes; n++)
        most[n] = ranks;
    if (status == XMPI_OK && resources->shares)
        status = find_shares(resources, nodes, ranks, most);
    for (int n = 0; status == XMPI_OK && n < nodes->nodes; n++)
        status = add_places(resources, nodes->first[n], most[n] - places_on(nodes, pes, n));
    free(most);
    return status;
}

xmpi_status_t xmpi_availability_make_room(xmpi_resources_t *resources, int ranks)
{
    xmpi_nodes_t nodes;
    if (!is_crowded(resources))
        return XMPI_OK;
    if (xmpi_nodes_make(&nodes, resources->pes, resources->pe, XMPI_UNNAMED_APART) != XMPI_OK)
        return XMPI_ERR_MEMORY;
    xmpi_status_t status = add_rooms(resources, &nodes, ranks);
    xmpi_nodes_free(&nodes);
    return status;
}
