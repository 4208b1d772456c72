/* SPDX-License-Identifier: BSD-3-Clause
 * Mapping in two steps (Cores et al. 2016, section 2.2): who leaves a node, and where to. */
#include <stdlib.h>
#include <string.h>

#include "decide/mapping/graph.h"
#include "decide/mapping/mapping.h"
#include "decide/mapping/places.h"

/* The arrays are malloc. */
typedef struct {
    const xmpi_mapping_t *mapping;
    xmpi_places_t places;
    int *leave; /* of each node: how many have to go */
    int *room;  /* of each node: places for those who come */
    int *left;  /* of each node: scratch, of ranks that may still go */
    int stuck;
} migration_t;

/* --- how many ----------------------------------------------------------------------------------
 */

static int sum(const int *number, int n)
{
    int all = 0;
    for (int i = 0; i < n; i++)
        all += number[i];
    return all;
}

static int free_cores(const migration_t *m, int node)
{
    int cores = m->mapping->node[node].cores - m->places.load[node];
    return cores <= 0 ? 0 : cores < m->places.room[node] ? cores : m->places.room[node];
}

/* Nodes that may be used keep those for whom there is no place, from the first one on; those that
 * have to be left as well, then. */
static void keep(migration_t *m, int surplus)
{
    for (int withdrawn = 0; withdrawn < 2; withdrawn++)
        for (int i = 0; i < m->mapping->nodes && surplus > 0; i++) {
            bool is_withdrawn = m->mapping->node[i].cores == 0;
            if (is_withdrawn != withdrawn)
                continue;
            int kept = m->leave[i] < surplus ? m->leave[i] : surplus;
            m->leave[i] -= kept;
            surplus -= kept;
            m->stuck += is_withdrawn ? kept : 0;
        }
}

/* Cores that nobody has first; where they are short, places that are shared as well. */
static void count(migration_t *m)
{
    const xmpi_mapping_t *mapping = m->mapping;
    const xmpi_places_t *p = &m->places;
    for (int i = 0; i < mapping->nodes; i++)
        m->leave[i] = p->load[i] > p->most[i] ? p->load[i] - p->most[i] : 0;
    for (int i = 0; i < mapping->ranks; i++)
        m->left[mapping->at[i]] += !mapping->stays[i];
    for (int i = 0; i < mapping->nodes; i++)
        if (m->leave[i] > m->left[i]) {
            m->stuck += mapping->node[i].cores == 0 ? m->leave[i] - m->left[i] : 0;
            m->leave[i] = m->left[i];
        }
    keep(m, sum(m->leave, mapping->nodes) - sum(p->room, mapping->nodes));
    for (int i = 0; i < mapping->nodes; i++)
        m->room[i] = free_cores(m, i);
    if (sum(m->leave, mapping->nodes) > sum(m->room, mapping->nodes))
        memcpy(m->room, p->room, (size_t)mapping->nodes * sizeof *m->room);
}

/* --- who ---------------------------------------------------------------------------------------
 */

/* The last ranks of each node leave: TO says -1 of them. */
static void choose_last(const migration_t *m, int *to)
{
    const xmpi_mapping_t *mapping = m->mapping;
    int *left = m->left;
    memcpy(left, m->leave, (size_t)mapping->nodes * sizeof *left);
    for (int i = mapping->ranks - 1; i >= 0; i--) {
        to[i] = mapping->at[i];
        if (!mapping->stays[i] && left[to[i]] > 0) {
            left[to[i]]--;
            to[i] = -1;
        }
    }
}

/* Ranks of NODE, in RANK and as parts: 0 where they have to stay, else -1. */
static int list_ranks(const migration_t *m, int node, int *rank, int *part)
{
    int ranks = 0;
    for (int i = 0; i < m->mapping->ranks; i++)
        if (m->mapping->at[i] == node) {
            rank[ranks] = i;
            part[ranks++] = m->mapping->stays[i] ? 0 : -1;
        }
    return ranks;
}

/* Step 1 on one node. */
static xmpi_status_t split(const migration_t *m, int node, int *rank, int *part, int *to,
                           xmpi_error_t *error)
{
    xmpi_graph_t graph;
    int ranks = list_ranks(m, node, rank, part), leave = m->leave[node];
    int size[2] = {ranks - leave, leave};
    xmpi_status_t status = xmpi_graph_make(&graph, &m->places.both, ranks, rank, 0, error);
    if (status == XMPI_OK)
        status = xmpi_graph_split(&graph, m->mapping->scotch, size, part, error);
    for (int i = 0; i < ranks && status == XMPI_OK; i++)
        to[rank[i]] = part[i] == 1 ? -1 : node;
    xmpi_graph_free(&graph);
    return status;
}

static xmpi_status_t choose_split(const migration_t *m, int *to, xmpi_error_t *error)
{
    const xmpi_mapping_t *mapping = m->mapping;
    int *rank = malloc(((size_t)mapping->ranks + 1) * sizeof *rank);
    int *part = malloc(((size_t)mapping->ranks + 1) * sizeof *part);
    xmpi_status_t status = rank != NULL && part != NULL
                               ? XMPI_OK
                               : xmpi_error_set(error, XMPI_ERR_MEMORY,
                                                "no memory to map %d processes", mapping->ranks);
    memcpy(to, mapping->at, (size_t)mapping->ranks * sizeof *to);
    for (int i = 0; i < mapping->nodes && status == XMPI_OK; i++)
        if (m->leave[i] > 0)
            status = split(m, i, rank, part, to, error);
    free(rank);
    free(part);
    return status;
}

/* --- where to ----------------------------------------------------------------------------------
 */

/* Takes TRIED for TO where it costs less than *COST. */
static void take(const migration_t *m, const int *tried, int *to, double *cost)
{
    double costs = xmpi_places_cost(&m->places, tried);
    if (costs < *cost) {
        *cost = costs;
        memcpy(to, tried, (size_t)m->mapping->ranks * sizeof *to);
    }
}

/* In order, then the paper's two steps, then only the second of them. */
static xmpi_status_t find(const migration_t *m, int *to, double *cost, int *tried,
                          xmpi_error_t *error)
{
    choose_last(m, to);
    xmpi_places_fill(&m->places, m->room, to);
    *cost = xmpi_places_cost(&m->places, to);
    if (m->places.both.ranks == 0 || m->mapping->scotch == NULL ||
        sum(m->leave, m->mapping->nodes) == 0)
        return XMPI_OK;
    for (int last = 0; last < 2; last++) {
        xmpi_status_t status = XMPI_OK;
        if (last)
            choose_last(m, tried);
        else
            status = choose_split(m, tried, error);
        if (status == XMPI_OK)
            status = xmpi_places_map(&m->places, m->room, tried, error);
        if (status != XMPI_OK)
            return status;
        take(m, tried, to, cost);
    }
    return XMPI_OK;
}

xmpi_status_t xmpi_mapping_migrate(const xmpi_mapping_t *mapping, int *to, xmpi_mapped_t *mapped,
                                   xmpi_error_t *error)
{
    size_t nodes = (size_t)mapping->nodes + 1;
    migration_t m = {.mapping = mapping,
                     .leave = calloc(nodes, sizeof *m.leave),
                     .room = calloc(nodes, sizeof *m.room),
                     .left = calloc(nodes, sizeof *m.left)};
    int *tried = malloc(((size_t)mapping->ranks + 1) * sizeof *tried);
    *mapped = (xmpi_mapped_t){0};
    xmpi_status_t status = xmpi_places_make(&m.places, mapping, error);
    if (status == XMPI_OK && (m.leave == NULL || m.room == NULL || m.left == NULL || tried == NULL))
        status =
            xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to map %d processes", mapping->ranks);
    if (status == XMPI_OK) {
        count(&m);
        mapped->before = xmpi_places_cost(&m.places, mapping->at);
        status = find(&m, to, &mapped->after, tried, error);
    }
    for (int i = 0; i < mapping->ranks && status == XMPI_OK; i++)
        mapped->moves += to[i] != mapping->at[i];
    mapped->stuck = m.stuck;
    xmpi_places_free(&m.places);
    free(m.leave);
    free(m.room);
    free(m.left);
    free(tried);
    return status;
}
