/* SPDX-License-Identifier: BSD-3-Clause
 * Mapping within a node: as between nodes, with each core as a node of one, behind what it is
 * behind as nodes are behind switches. */
#include "decide/mapping/cores.h"

#include <stdlib.h>
#include <string.h>

#include "decide/mapping/places.h"

_Static_assert((int)XMPI_INSIDE_MAX <= (int)XMPI_SWITCHES_MAX, "cores have no more levels");

/* The arrays are malloc. */
typedef struct {
    const xmpi_mapped_cores_t *node;
    xmpi_traffic_t traffic;    /* among the ranks of the node */
    xmpi_mapped_node_t *core;  /* each as a node */
    int *room, *order, *tried; /* of each core: whether it is free; of each rank: its core */
    bool *stays;
    xmpi_places_t places;
} cores_t;

/* Free cores as they come. */
static void fill(const cores_t *c, const int *at, int *order)
{
    int core = 0;
    for (int i = 0; i < c->node->ranks; i++) {
        order[i] = at[i];
        if (at[i] >= 0)
            continue;
        while (!c->node->free[core])
            core++;
        order[i] = core++;
    }
}

static void describe(cores_t *c, const int *at)
{
    for (int i = 0; i < c->node->cores; i++) {
        c->room[i] = c->node->free[i];
        c->core[i] = (xmpi_mapped_node_t){.cores = 1, .free = c->room[i]};
        for (int k = 0; k < XMPI_INSIDE_MAX; k++)
            c->core[i].switches[k] = c->node->core[i]->inside[k];
    }
    fill(c, at, c->order);
    for (int i = 0; i < c->node->ranks; i++) {
        c->stays[i] = at[i] >= 0;
        c->tried[i] = at[i];
    }
}

/* --- moves and exchanges -------------------------------------------------------------------------
 */

/* Looked at from each start, at most: what takes some hundredths of a second. */
static const double looks_most = 1e7;

/* The arrays are malloc. */
typedef struct {
    const xmpi_traffic_t *both;
    int cores;
    const bool *free; /* of each core */
    int *cost;        /* [one * cores + other]: of a byte */
    int *rank;        /* of each core: the one that is there and came, or -1 */
    double looks;
} search_t;

/* Of what RANK, on CORE, sends to and gets from those that are anywhere. */
static double cost_of(search_t *s, const int *at, int rank, int core)
{
    const int *cost = s->cost + (size_t)core * (size_t)s->cores;
    double sum = 0;
    for (int64_t k = s->both->first[rank]; k < s->both->first[rank + 1]; k++) {
        const xmpi_talk_t *talk = &s->both->talk[k];
        sum += at[talk->peer] >= 0 ? (double)talk->bytes * cost[at[talk->peer]] : 0;
    }
    s->looks += (double)(s->both->first[rank + 1] - s->both->first[rank]);
    return sum;
}

static void put(search_t *s, int *at, int rank, int core)
{
    if (rank >= 0)
        at[rank] = core;
    s->rank[core] = rank;
}

/* RANK goes to CORE, and who is there to RANK's, where that gains. What both send each other costs
 * the same before and after. */
static bool exchange(search_t *s, int *at, int rank, int core)
{
    int here = at[rank], other = s->rank[core];
    double before =
        cost_of(s, at, rank, at[rank]) + (other >= 0 ? cost_of(s, at, other, at[other]) : 0);
    put(s, at, rank, core);
    put(s, at, other, here);
    double after =
        cost_of(s, at, rank, at[rank]) + (other >= 0 ? cost_of(s, at, other, at[other]) : 0);
    if (after < before)
        return true;
    put(s, at, other, core);
    put(s, at, rank, here);
    return false;
}

static void search(search_t *s, int ranks, const bool *stays, int *at)
{
    for (int i = 0; i < s->cores; i++)
        s->rank[i] = -1;
    for (int i = 0; i < ranks; i++)
        if (!stays[i])
            s->rank[at[i]] = i;
    for (bool changed = true; changed && s->looks < looks_most;) {
        changed = false;
        for (int i = 0; i < ranks; i++)
            for (int k = 0; k < s->cores && !stays[i]; k++)
                if (s->free[k] && k != at[i] && exchange(s, at, i, k))
                    changed = true;
    }
}

/* --- one after another ---------------------------------------------------------------------------
 */

/* Who sends to and gets most from those that are somewhere, of those that are not; -1: all are. */
static int next_of(search_t *s, int ranks, const int *at)
{
    int best = -1;
    double most = -1;
    for (int i = 0; i < ranks; i++) {
        double bytes = 0;
        for (int64_t k = s->both->first[i]; at[i] < 0 && k < s->both->first[i + 1]; k++)
            bytes += at[s->both->talk[k].peer] >= 0 ? (double)s->both->talk[k].bytes : 0;
        if (at[i] < 0 && bytes > most) {
            best = i;
            most = bytes;
        }
    }
    return best;
}

/* The cheapest core for RANK; of several the one that is nearest to others that are free. */
static int core_for(search_t *s, const int *at, int rank)
{
    int best = -1;
    double least = 0, least_apart = 0;
    for (int k = 0; k < s->cores; k++) {
        double apart = 0, cost = s->free[k] && s->rank[k] < 0 ? cost_of(s, at, rank, k) : 0;
        if (!s->free[k] || s->rank[k] >= 0)
            continue;
        for (int j = 0; j < s->cores; j++)
            if (s->free[j] && s->rank[j] < 0 && j != k) /* 1 / cost: near ones count */
                apart -= 1.0 / s->cost[(size_t)k * (size_t)s->cores + (size_t)j];
        if (best < 0 || cost < least || (cost == least && apart < least_apart)) {
            best = k;
            least = cost;
            least_apart = apart;
        }
    }
    return best;
}

static void gather(search_t *s, int ranks, const bool *stays, const int *fixed, int *at)
{
    for (int i = 0; i < s->cores; i++)
        s->rank[i] = -1;
    for (int i = 0; i < ranks; i++)
        at[i] = stays[i] ? fixed[i] : -1;
    for (int i = next_of(s, ranks, at); i >= 0; i = next_of(s, ranks, at))
        put(s, at, i, core_for(s, at, i));
}

/* --- all ----------------------------------------------------------------------------------------
 */

static void keep(const cores_t *c, const int *tried, int *at, double *least)
{
    double cost = xmpi_places_cost(&c->places, tried);
    if (cost >= *least)
        return;
    *least = cost;
    memcpy(at, tried, (size_t)c->node->ranks * sizeof *at);
}

/* Tries what Scotch has found, the order, and one rank after another, each as far as moves and
 * exchanges make it better. Without memory for that AT is the better of the first two. */
static void improve(cores_t *c, int *at)
{
    size_t cores = (size_t)c->node->cores;
    int ranks = c->node->ranks;
    double least = xmpi_places_cost(&c->places, c->order);
    search_t s = {.both = &c->places.both,
                  .cores = c->node->cores,
                  .free = c->node->free,
                  .cost = malloc((cores * cores + 1) * sizeof *s.cost),
                  .rank = malloc((cores + 1) * sizeof *s.rank)};
    memcpy(at, c->order, (size_t)ranks * sizeof *at);
    keep(c, c->tried, at, &least);
    for (size_t i = 0; s.cost != NULL && i < cores * cores; i++)
        s.cost[i] = xmpi_tree_cost(&c->places.tree, (int)(i / cores), (int)(i % cores));
    for (int start = 0; start < 3 && s.cost != NULL && s.rank != NULL; start++) {
        s.looks = 0;
        if (start == 1)
            memcpy(c->tried, c->order, (size_t)ranks * sizeof *at);
        else if (start == 2)
            gather(&s, ranks, c->stays, c->order, c->tried);
        search(&s, ranks, c->stays, c->tried);
        keep(c, c->tried, at, &least);
    }
    free(s.cost);
    free(s.rank);
}

static xmpi_status_t find(cores_t *c, int *at, xmpi_error_t *error)
{
    const xmpi_mapped_cores_t *node = c->node;
    const xmpi_mapping_t mapping = {.ranks = node->ranks,
                                    .at = c->order,
                                    .stays = c->stays,
                                    .traffic = &c->traffic,
                                    .nodes = node->cores,
                                    .node = c->core,
                                    .scotch = node->scotch};
    xmpi_status_t status = xmpi_places_make(&c->places, &mapping, error);
    if (status == XMPI_OK)
        status = xmpi_places_map(&c->places, c->room, c->tried, error);
    if (status == XMPI_OK)
        improve(c, at);
    xmpi_places_free(&c->places);
    return status;
}

xmpi_status_t xmpi_mapping_cores(const xmpi_mapped_cores_t *node, int *at, xmpi_error_t *error)
{
    size_t cores = (size_t)node->cores + 1, ranks = (size_t)node->ranks + 1;
    cores_t c = {.node = node,
                 .core = calloc(cores, sizeof *c.core),
                 .room = calloc(cores, sizeof *c.room),
                 .order = calloc(ranks, sizeof *c.order),
                 .tried = calloc(ranks, sizeof *c.tried),
                 .stays = calloc(ranks, sizeof *c.stays)};
    xmpi_status_t status = XMPI_ERR_MEMORY;
    if (c.core != NULL && c.room != NULL && c.order != NULL && c.tried != NULL && c.stays != NULL)
        status = xmpi_traffic_part(node->traffic, node->ranks, node->rank, &c.traffic, error);
    else
        xmpi_error_set(error, status, "no memory to map %d processes", node->ranks);
    if (status == XMPI_OK) {
        describe(&c, at);
        status = find(&c, at, error);
        xmpi_traffic_free(&c.traffic);
    }
    free(c.core);
    free(c.room);
    free(c.order);
    free(c.tried);
    free(c.stays);
    return status;
}
