/* SPDX-License-Identifier: BSD-3-Clause
 * Graph: what Scotch maps, and how it is asked to. */
#include "decide/mapping/graph.h"

#include <stdlib.h>
#include <string.h>

/* What Scotch adds up, weights times costs, stays below 2^30: those of trees are at most 2^8. */
static const double weights_most = 1 << 22;

static double total_of(const xmpi_traffic_t *both, int ranks, const int *rank)
{
    double sum = 0;
    for (int i = 0; i < ranks; i++)
        for (int64_t k = both->first[rank[i]]; k < both->first[rank[i] + 1]; k++)
            sum += (double)both->talk[k].bytes;
    return sum;
}

/* VERTEX: of each rank its vertex, or -1. */
static void add_edges(xmpi_graph_t *graph, const xmpi_traffic_t *both, int ranks, const int *rank,
                      const int *vertex)
{
    double sum = total_of(both, ranks, rank), scale = sum > weights_most ? weights_most / sum : 1;
    SCOTCH_Num edges = 0;
    for (int i = 0; i < ranks; i++) {
        graph->first[i] = edges;
        for (int64_t k = both->first[rank[i]]; k < both->first[rank[i] + 1]; k++) {
            int other = vertex[both->talk[k].peer];
            SCOTCH_Num weight = (SCOTCH_Num)((double)both->talk[k].bytes * scale + 0.5);
            if (other < 0 || weight == 0) /* the same from the other side */
                continue;
            graph->edge[edges] = other;
            graph->weight[edges++] = weight;
        }
    }
    for (int i = ranks; i <= graph->vertices; i++)
        graph->first[i] = edges;
}

static int64_t edges_of(const xmpi_traffic_t *both, int ranks, const int *rank)
{
    int64_t edges = 0;
    for (int i = 0; i < ranks; i++)
        edges += both->first[rank[i] + 1] - both->first[rank[i]];
    return edges;
}

xmpi_status_t xmpi_graph_make(xmpi_graph_t *graph, const xmpi_traffic_t *both, int ranks,
                              const int *rank, int filling, xmpi_error_t *error)
{
    size_t edges = (size_t)edges_of(both, ranks, rank) + 1, n = (size_t)(ranks + filling) + 1;
    int *vertex = malloc(((size_t)both->ranks + 1) * sizeof *vertex);
    *graph = (xmpi_graph_t){.vertices = ranks + filling,
                            .first = calloc(n, sizeof *graph->first),
                            .edge = calloc(edges, sizeof *graph->edge),
                            .weight = calloc(edges, sizeof *graph->weight)};
    bool there = vertex != NULL && graph->first != NULL && graph->edge != NULL &&
                 graph->weight != NULL && edges < INT32_MAX;
    for (int i = 0; there && i < both->ranks; i++)
        vertex[i] = -1;
    for (int i = 0; there && i < ranks; i++)
        vertex[rank[i]] = i;
    if (there)
        add_edges(graph, both, ranks, rank, vertex);
    free(vertex);
    return there ? XMPI_OK
                 : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a graph of %d processes",
                                  ranks);
}

void xmpi_graph_free(xmpi_graph_t *graph)
{
    free(graph->first);
    free(graph->edge);
    free(graph->weight);
    memset(graph, 0, sizeof *graph);
}

/* --- Scotch -------------------------------------------------------------------------------------
 */

/* What one mapping needs, made in this order; those that are not there yet are NULL. */
typedef struct {
    const xmpi_scotch_t *scotch;
    SCOTCH_Context *context;
    SCOTCH_Graph *graph, *bound;
    SCOTCH_Strat *strategy;
} mapper_t;

static void mapper_free(mapper_t *m)
{
    const xmpi_scotch_t *s = m->scotch;
    if (m->strategy != NULL)
        s->SCOTCH_stratExit(m->strategy);
    if (m->bound != NULL)
        s->SCOTCH_graphExit(m->bound);
    if (m->graph != NULL)
        s->SCOTCH_graphExit(m->graph);
    if (m->context != NULL)
        s->SCOTCH_contextExit(m->context);
    s->SCOTCH_memFree(m->strategy);
    s->SCOTCH_memFree(m->bound);
    s->SCOTCH_memFree(m->graph);
    s->SCOTCH_memFree(m->context);
}

/* Whether the object that INIT is to make usable was made; what was not is none. */
#define MADE(object, alloc, init)                                                                  \
    (((object) = (alloc)()) != NULL &&                                                             \
     ((init)(object) == 0 || (s->SCOTCH_memFree(object), (object) = NULL, false)))

/* With default threads the result depends on their number. */
static bool mapper_make(mapper_t *m, const xmpi_graph_t *graph, int parts)
{
    const xmpi_scotch_t *s = m->scotch;
    const SCOTCH_Num flags = SCOTCH_STRATSPEED | SCOTCH_STRATRECURSIVE | SCOTCH_STRATBALANCE;
    return MADE(m->context, s->SCOTCH_contextAlloc, s->SCOTCH_contextInit) &&
           s->SCOTCH_contextOptionSetNum(m->context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) == 0 &&
           s->SCOTCH_contextOptionSetNum(m->context, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, 1) == 0 &&
           s->SCOTCH_contextThreadSpawn(m->context, 1, NULL) == 0 &&
           MADE(m->graph, s->SCOTCH_graphAlloc, s->SCOTCH_graphInit) &&
           MADE(m->bound, s->SCOTCH_graphAlloc, s->SCOTCH_graphInit) &&
           MADE(m->strategy, s->SCOTCH_stratAlloc, s->SCOTCH_stratInit) &&
           s->SCOTCH_graphBuild(m->graph, 0, graph->vertices, graph->first, NULL, NULL, NULL,
                                graph->first[graph->vertices], graph->edge, graph->weight) == 0 &&
           s->SCOTCH_contextBindGraph(m->context, m->graph, m->bound) == 0 &&
           s->SCOTCH_stratGraphMapBuild(m->strategy, flags, parts, 0) == 0;
}

static bool any_fixed(const xmpi_graph_t *graph, const int *part)
{
    for (int i = 0; i < graph->vertices; i++)
        if (part[i] >= 0)
            return true;
    return false;
}

/* PART as for graph_split and graph_place, before it is made exact. */
static xmpi_status_t map(const xmpi_graph_t *graph, const xmpi_scotch_t *scotch, SCOTCH_Arch *arch,
                         int parts, int *part, xmpi_error_t *error)
{
    mapper_t m = {.scotch = scotch};
    bool done = mapper_make(&m, graph, parts);
    if (done) {
        scotch->SCOTCH_contextRandomReset(m.context);
        done = (any_fixed(graph, part) ? scotch->SCOTCH_graphMapFixed : scotch->SCOTCH_graphMap)(
                   m.bound, arch, m.strategy, part) == 0;
    }
    mapper_free(&m);
    return done ? XMPI_OK
                : xmpi_error_set(error, XMPI_ERR_INTERNAL,
                                 "Scotch has not mapped %d processes on %d places", graph->vertices,
                                 parts);
}

/* --- exactly ------------------------------------------------------------------------------------
 */

/* Scotch may put more into a part than it was asked to. FIXED vertices stay where they are; of the
 * others those that come last go where there is room. ROOM: of each part; what is left afterwards,
 * nothing where all is exact. */
static void make_exact(const xmpi_graph_t *graph, const int *fixed, int parts, int *room, int *part)
{
    int next = 0;
    for (int i = 0; i < graph->vertices; i++)
        if (fixed[i] >= 0) {
            part[i] = fixed[i];
            room[part[i]]--;
        }
    for (int i = 0; i < graph->vertices; i++) {
        if (fixed[i] >= 0)
            continue;
        bool fits = part[i] >= 0 && part[i] < parts && room[part[i]] > 0;
        if (fits)
            room[part[i]]--;
        else
            part[i] = -1;
    }
    for (int i = 0; i < graph->vertices; i++) {
        if (part[i] >= 0)
            continue;
        while (next < parts - 1 && room[next] <= 0)
            next++;
        part[i] = next;
        room[next]--;
    }
}

/* Maps on ARCH (which it was possible to MAKE), exactly; without edges any mapping is as good. */
static xmpi_status_t map_exactly(const xmpi_graph_t *graph, const xmpi_scotch_t *scotch,
                                 SCOTCH_Arch *arch, bool made, int parts, int *room, int *part,
                                 xmpi_error_t *error)
{
    size_t bytes = (size_t)graph->vertices * sizeof *part;
    int *fixed = malloc(bytes + 1);
    if (fixed == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to map %d processes",
                              graph->vertices);
    memcpy(fixed, part, bytes);
    xmpi_status_t status =
        !made ? xmpi_error_set(error, XMPI_ERR_INTERNAL, "Scotch cannot describe %d places", parts)
        : graph->first[graph->vertices] == 0 ? XMPI_OK
                                             : map(graph, scotch, arch, parts, part, error);
    if (status == XMPI_OK)
        make_exact(graph, fixed, parts, room, part);
    free(fixed);
    return status;
}

static xmpi_status_t lacks_scotch(xmpi_error_t *error)
{
    return xmpi_error_set(error, XMPI_ERR_INPUT, "processes cannot be mapped without Scotch");
}

static void free_arch(const xmpi_scotch_t *s, SCOTCH_Arch *arch)
{
    if (arch != NULL)
        s->SCOTCH_archExit(arch);
    s->SCOTCH_memFree(arch);
}

xmpi_status_t xmpi_graph_split(const xmpi_graph_t *graph, const xmpi_scotch_t *scotch,
                               const int size[2], int *part, xmpi_error_t *error)
{
    const xmpi_scotch_t *s = scotch;
    SCOTCH_Arch *arch = NULL;
    int room[2] = {size[0], size[1]};
    if (s == NULL)
        return lacks_scotch(error);
    if (size[0] == 0 || size[1] == 0) {
        for (int i = 0; i < graph->vertices; i++)
            part[i] = size[0] == 0;
        return XMPI_OK;
    }
    bool made = MADE(arch, s->SCOTCH_archAlloc, s->SCOTCH_archInit) &&
                s->SCOTCH_archCmpltw(arch, 2, size) == 0;
    xmpi_status_t status = map_exactly(graph, s, arch, made, 2, room, part, error);
    free_arch(s, arch);
    return status;
}

xmpi_status_t xmpi_graph_place(const xmpi_graph_t *graph, const xmpi_scotch_t *scotch,
                               const xmpi_tree_t *tree, const int *leaf, int *place,
                               xmpi_error_t *error)
{
    const xmpi_scotch_t *s = scotch;
    SCOTCH_Arch *whole = NULL, *sub = NULL;
    int parts = graph->vertices;
    if (s == NULL)
        return lacks_scotch(error);
    int *room = malloc(((size_t)parts + 1) * sizeof *room);
    if (room == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to map %d processes", parts);
    for (int i = 0; i < parts; i++)
        room[i] = 1;
    bool all = parts == tree->leaves; /* ascending: place i is leaf i */
    bool made = MADE(whole, s->SCOTCH_archAlloc, s->SCOTCH_archInit) &&
                s->SCOTCH_archTleaf(whole, tree->levels, tree->width, tree->cost) == 0 &&
                (all || (MADE(sub, s->SCOTCH_archAlloc, s->SCOTCH_archInit) &&
                         s->SCOTCH_archSub(sub, whole, parts, leaf) == 0));
    xmpi_status_t status =
        map_exactly(graph, s, all ? whole : sub, made, parts, room, place, error);
    free_arch(s, sub);
    free_arch(s, whole);
    free(room);
    return status;
}
