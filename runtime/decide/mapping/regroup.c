/* SPDX-License-Identifier: BSD-3-Clause
 * Mapping all ranks anew: those who talk together on one node. */
#include <stdlib.h>
#include <string.h>

#include "decide/mapping/mapping.h"
#include "decide/mapping/places.h"

/* Whose groups are given other nodes, as the matrix of who is where has the square of it. */
enum { NODES_MAX = 1024 };

/* The arrays are malloc. */
typedef struct {
    const xmpi_mapping_t *mapping;
    xmpi_places_t places;
    int *room;    /* of each node: places for ranks that may be anywhere */
    int *group;   /* of each node: ranks that are to be there, of those that may be anywhere */
    int *overlap; /* [n * nodes + g]: ranks that are on n and in group g */
} regroup_t;

/* Ranks that may be anywhere leave their places to all. */
static void count_room(regroup_t *r)
{
    const xmpi_mapping_t *mapping = r->mapping;
    for (int i = 0; i < mapping->nodes; i++) {
        int places = mapping->node[i].cores == 0 ? 0 : r->places.load[i] + mapping->node[i].free;
        r->room[i] = places < r->places.most[i] ? places : r->places.most[i];
    }
    for (int i = 0; i < mapping->ranks; i++)
        r->room[mapping->at[i]] -= mapping->stays[i];
    for (int i = 0; i < mapping->nodes; i++)
        r->room[i] = r->room[i] > 0 ? r->room[i] : 0;
}

static bool has_room(const regroup_t *r)
{
    int room = 0, free = 0;
    for (int i = 0; i < r->mapping->nodes; i++)
        room += r->room[i];
    for (int i = 0; i < r->mapping->ranks; i++)
        free += !r->mapping->stays[i];
    return room >= free;
}

/* --- which group on which node ------------------------------------------------------------------
 */

static void count_overlap(regroup_t *r, const int *to)
{
    int nodes = r->mapping->nodes;
    for (int i = 0; i < r->mapping->ranks; i++)
        if (!r->mapping->stays[i]) {
            r->overlap[r->mapping->at[i] * nodes + to[i]]++;
            r->group[to[i]]++;
        }
}

/* Whether the groups on both nodes fit on the other one, which no others are nearer to: what is
 * sent costs the same then, but for what those who stay send. */
static bool may_exchange(const regroup_t *r, const int *on, int one, int other)
{
    const xmpi_mapped_node_t *node = r->mapping->node;
    return memcmp(node[one].switches, node[other].switches, sizeof node[one].switches) == 0 &&
           r->group[on[one]] <= r->room[other] && r->group[on[other]] <= r->room[one];
}

/* Ranks that stay where they are when group ON[n] is on node n: exchanges groups as long as that
 * makes them more. */
static void exchange_groups(const regroup_t *r, int *on)
{
    int nodes = r->mapping->nodes;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < nodes; i++)
            for (int k = i + 1; k < nodes; k++) {
                const int *here = &r->overlap[i * nodes], *there = &r->overlap[k * nodes];
                if (here[on[k]] + there[on[i]] <= here[on[i]] + there[on[k]] ||
                    !may_exchange(r, on, i, k))
                    continue;
                int group = on[i];
                on[i] = on[k];
                on[k] = group;
                changed = true;
            }
    }
}

/* Groups are alike for Scotch, and may be on any node of a switch: those are taken on which most
 * ranks are already. */
static xmpi_status_t keep_most(regroup_t *r, int *to)
{
    int nodes = r->mapping->nodes;
    if (nodes > NODES_MAX)
        return XMPI_OK;
    int *on = malloc(((size_t)nodes + 1) * sizeof *on),
        *node = calloc((size_t)nodes + 1, sizeof *node);
    r->overlap = calloc((size_t)nodes * (size_t)nodes + 1, sizeof *r->overlap);
    r->group = calloc((size_t)nodes + 1, sizeof *r->group);
    bool there = on != NULL && node != NULL && r->overlap != NULL && r->group != NULL;
    if (there) {
        count_overlap(r, to);
        for (int i = 0; i < nodes; i++)
            on[i] = i;
        exchange_groups(r, on);
        for (int i = 0; i < nodes; i++)
            node[on[i]] = i;
        for (int i = 0; i < r->mapping->ranks; i++)
            to[i] = r->mapping->stays[i] ? to[i] : node[to[i]];
    }
    free(on);
    free(node);
    return there ? XMPI_OK : XMPI_ERR_MEMORY;
}

/* --- all ----------------------------------------------------------------------------------------
 */

static xmpi_status_t find(regroup_t *r, int *to, int *tried, double before, double *after,
                          xmpi_error_t *error)
{
    const xmpi_mapping_t *mapping = r->mapping;
    memcpy(to, mapping->at, (size_t)mapping->ranks * sizeof *to);
    *after = before;
    if (!has_room(r))
        return XMPI_OK;
    for (int i = 0; i < mapping->ranks; i++)
        tried[i] = mapping->stays[i] ? mapping->at[i] : -1;
    xmpi_status_t status = xmpi_places_map(&r->places, r->room, tried, error);
    if (status == XMPI_OK)
        status = keep_most(r, tried);
    double cost = status == XMPI_OK ? xmpi_places_cost(&r->places, tried) : before;
    if (cost < before) {
        *after = cost;
        memcpy(to, tried, (size_t)mapping->ranks * sizeof *to);
    }
    return status;
}

xmpi_status_t xmpi_mapping_regroup(const xmpi_mapping_t *mapping, int *to, xmpi_mapped_t *mapped,
                                   xmpi_error_t *error)
{
    regroup_t r = {.mapping = mapping, .room = calloc((size_t)mapping->nodes + 1, sizeof *r.room)};
    int *tried = malloc(((size_t)mapping->ranks + 1) * sizeof *tried);
    *mapped = (xmpi_mapped_t){0};
    xmpi_status_t status =
        mapping->traffic != NULL
            ? xmpi_places_make(&r.places, mapping, error)
            : xmpi_error_set(error, XMPI_ERR_INPUT, "who talks to whom is not known");
    if (status == XMPI_OK && (r.room == NULL || tried == NULL))
        status = XMPI_ERR_MEMORY;
    if (status == XMPI_OK) {
        count_room(&r);
        mapped->before = xmpi_places_cost(&r.places, mapping->at);
        status = find(&r, to, tried, mapped->before, &mapped->after, error);
    }
    for (int i = 0; i < mapping->ranks && status == XMPI_OK; i++)
        mapped->moves += to[i] != mapping->at[i];
    xmpi_places_free(&r.places);
    free(r.room);
    free(r.group);
    free(r.overlap);
    free(tried);
    if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to map %d processes", mapping->ranks);
    return status;
}
