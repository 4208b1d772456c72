/* SPDX-License-Identifier: BSD-3-Clause
 * Places: what a mapping goes on. */
#include "decide/mapping/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/mapping/graph.h"

static int cores_of(const xmpi_mapping_t *mapping)
{
    int cores = 0;
    for (int i = 0; i < mapping->nodes; i++)
        cores += mapping->node[i].cores;
    return cores;
}

/* In whole numbers: a quotient that is rounded may be a process more. */
void xmpi_mapping_most(const xmpi_mapping_t *mapping, int *most)
{
    int64_t all = cores_of(mapping), n = mapping->ranks;
    if (mapping->share == XMPI_SHARE_FULL && n < all)
        n = all;
    for (int i = 0; i < mapping->nodes; i++)
        most[i] = all == 0 ? 0 : (int)((mapping->node[i].cores * n + all - 1) / all);
}

static xmpi_status_t make_tree(xmpi_places_t *p, xmpi_error_t *error)
{
    const xmpi_mapping_t *mapping = p->mapping;
    uint16_t(*switches)[XMPI_SWITCHES_MAX] = calloc((size_t)mapping->nodes + 1, sizeof *switches);
    int widest = 1;
    if (switches == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a tree of nodes");
    for (int i = 0; i < mapping->nodes; i++) {
        int places = p->load[i] > p->most[i] ? p->load[i] : p->most[i];
        widest = places > widest ? places : widest;
        memcpy(switches[i], mapping->node[i].switches, sizeof switches[i]);
    }
    const uint16_t(*levels)[XMPI_SWITCHES_MAX] = (const uint16_t(*)[XMPI_SWITCHES_MAX])switches;
    xmpi_status_t status = xmpi_tree_make(&p->tree, mapping->nodes, levels, widest, error);
    free(switches);
    return status;
}

xmpi_status_t xmpi_places_make(xmpi_places_t *p, const xmpi_mapping_t *mapping, xmpi_error_t *error)
{
    size_t nodes = (size_t)mapping->nodes + 1;
    *p = (xmpi_places_t){.mapping = mapping,
                         .most = calloc(nodes, sizeof *p->most),
                         .load = calloc(nodes, sizeof *p->load),
                         .room = calloc(nodes, sizeof *p->room)};
    if (p->most == NULL || p->load == NULL || p->room == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to map %d processes",
                              mapping->ranks);
    xmpi_mapping_most(mapping, p->most);
    for (int i = 0; i < mapping->ranks; i++)
        p->load[mapping->at[i]]++;
    for (int i = 0; i < mapping->nodes; i++) {
        int more = p->most[i] - p->load[i], free = mapping->node[i].free;
        p->room[i] = more <= 0 ? 0 : more < free ? more : free;
    }
    xmpi_status_t status = make_tree(p, error);
    if (status == XMPI_OK && mapping->traffic != NULL)
        status = xmpi_traffic_both_ways(mapping->traffic, &p->both, error);
    return status;
}

void xmpi_places_free(xmpi_places_t *p)
{
    free(p->most);
    free(p->load);
    free(p->room);
    xmpi_tree_free(&p->tree);
    if (p->both.ranks > 0)
        xmpi_traffic_free(&p->both);
    memset(p, 0, sizeof *p);
}

double xmpi_places_cost(const xmpi_places_t *p, const int *at)
{
    double sum = 0;
    for (int i = 0; i < p->both.ranks; i++)
        for (int64_t k = p->both.first[i]; k < p->both.first[i + 1]; k++) {
            const xmpi_talk_t *talk = &p->both.talk[k];
            if (talk->peer > i && at[talk->peer] != at[i])
                sum += (double)talk->bytes * xmpi_tree_cost(&p->tree, at[i], at[talk->peer]);
        }
    return sum;
}

void xmpi_places_fill(const xmpi_places_t *p, const int *room, int *to)
{
    int node = 0, taken = 0;
    for (int i = 0; i < p->mapping->ranks; i++) {
        if (to[i] >= 0)
            continue;
        while (taken >= room[node] && node < p->mapping->nodes - 1) {
            node++;
            taken = 0;
        }
        to[i] = node;
        taken++;
    }
}

/* --- by Scotch ----------------------------------------------------------------------------------
 */

/* The places of a mapping: those of the ranks that stay, and ROOM more on each node. The arrays are
 * malloc. */
typedef struct {
    int places;
    int *leaf, *node; /* of each place */
    int *next;        /* of each node: its next place for a rank that stays */
    int *place;       /* of each vertex */
    int *order;       /* nodes by their leaves */
} slots_t;

static void slots_free(slots_t *s)
{
    free(s->leaf);
    free(s->node);
    free(s->next);
    free(s->place);
    free(s->order);
}

/* A tree numbers its leaves in some order of the nodes. */
static void order_nodes(const xmpi_tree_t *tree, int *order)
{
    for (int i = 0; i < tree->nodes; i++)
        order[i] = i;
    for (int gap = tree->nodes / 2; gap > 0; gap /= 2) /* Shell 1959; qsort has no context in C11 */
        for (int i = gap; i < tree->nodes; i++) {
            int node = order[i], k = i;
            for (; k >= gap && tree->leaf[order[k - gap]] > tree->leaf[node]; k -= gap)
                order[k] = order[k - gap];
            order[k] = node;
        }
}

static xmpi_status_t slots_make(const xmpi_places_t *p, const int *room, const int *to, slots_t *s)
{
    int nodes = p->mapping->nodes, ranks = p->mapping->ranks, all = 0;
    for (int i = 0; i < nodes; i++)
        all += room[i];
    for (int i = 0; i < ranks; i++)
        all += to[i] >= 0;
    *s = (slots_t){.places = all,
                   .leaf = malloc(((size_t)all + 1) * sizeof *s->leaf),
                   .node = malloc(((size_t)all + 1) * sizeof *s->node),
                   .next = calloc((size_t)nodes + 1, sizeof *s->next),
                   .place = malloc(((size_t)all + 1) * sizeof *s->place),
                   .order = malloc(((size_t)nodes + 1) * sizeof *s->order)};
    if (s->leaf == NULL || s->node == NULL || s->next == NULL || s->place == NULL ||
        s->order == NULL)
        return XMPI_ERR_MEMORY;
    for (int i = 0; i < ranks; i++)
        if (to[i] >= 0)
            s->next[to[i]]++; /* for now: how many stay */
    order_nodes(&p->tree, s->order);
    for (int i = 0, place = 0; i < nodes; i++) {
        int node = s->order[i], end = place + room[node] + s->next[node];
        s->next[node] = place;
        for (int first = place; place < end; place++) {
            s->leaf[place] = p->tree.leaf[node] + place - first;
            s->node[place] = node;
        }
    }
    return XMPI_OK;
}

static xmpi_status_t map_slots(const xmpi_places_t *p, slots_t *s, int *to, xmpi_error_t *error)
{
    xmpi_graph_t graph = {0};
    int ranks = p->mapping->ranks, *rank = calloc((size_t)ranks + 1, sizeof *rank);
    xmpi_status_t status = rank != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
    for (int i = 0; i < ranks && status == XMPI_OK; i++) {
        rank[i] = i;
        s->place[i] = to[i] >= 0 ? s->next[to[i]]++ : -1;
    }
    for (int i = ranks; i < s->places; i++)
        s->place[i] = -1;
    if (status == XMPI_OK)
        status = xmpi_graph_make(&graph, &p->both, ranks, rank, s->places - ranks, error);
    if (status == XMPI_OK)
        status = xmpi_graph_place(&graph, p->mapping->scotch, &p->tree, s->leaf, s->place, error);
    for (int i = 0; i < ranks && status == XMPI_OK; i++)
        to[i] = s->node[s->place[i]];
    xmpi_graph_free(&graph);
    free(rank);
    return status;
}

xmpi_status_t xmpi_places_map(const xmpi_places_t *p, const int *room, int *to, xmpi_error_t *error)
{
    slots_t slots;
    xmpi_status_t status = slots_make(p, room, to, &slots);
    if (status == XMPI_OK)
        status = map_slots(p, &slots, to, error);
    slots_free(&slots);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to map %d processes", p->mapping->ranks);
    return status;
}
