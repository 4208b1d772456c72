/* SPDX-License-Identifier: BSD-3-Clause
 * Cores of a remapping. */
#include "decide/planning/remapping/cores.h"

#include <stdlib.h>
#include <string.h>

#include "decide/mapping/cores.h"

/* All ranks and PEs by node, and one node of them. The arrays are malloc. */
typedef struct {
    const xmpi_remap_t *remap;
    int *ranks_from, *rank; /* of each node, and one more: where its ranks begin in RANK, then */
    int *pes_from, *pe;     /* the same of PEs */
    int *rank_at;           /* of each PE: the rank that is there, -1: none */
    int *number;            /* of each PE: which of its node it is */
    const xmpi_pe_t **core; /* of each PE of the node: the one whose core it stands for */
    bool *free;             /* of each PE of the node */
    int *at;                /* of each rank of the node: the number of its PE on the node */
} cores_t;

/* LIST has the numbers from 0 to N - 1 by their node OF[i], in their order. */
static void list_by_node(int nodes, int n, const int *of, int *from, int *list)
{
    for (int i = 0; i < n; i++)
        from[of[i] + 1]++;
    for (int i = 0; i < nodes; i++)
        from[i + 1] += from[i];
    for (int i = n - 1; i >= 0; i--)
        list[--from[of[i] + 1]] = i;
    memmove(from, from + 1, (size_t)nodes * sizeof *from);
    from[nodes] = n;
}

static bool cores_make(cores_t *c, const xmpi_remap_t *r)
{
    size_t nodes = (size_t)r->mapping.nodes + 2, ranks = (size_t)r->mapping.ranks + 1,
           pes = (size_t)r->view->resources->pes + 1;
    *c = (cores_t){.remap = r,
                   .ranks_from = calloc(nodes, sizeof *c->ranks_from),
                   .rank = calloc(ranks, sizeof *c->rank),
                   .pes_from = calloc(nodes, sizeof *c->pes_from),
                   .pe = calloc(pes, sizeof *c->pe),
                   .rank_at = calloc(pes, sizeof *c->rank_at),
                   .number = calloc(pes, sizeof *c->number),
                   .core = calloc(pes, sizeof *c->core),
                   .free = calloc(pes, sizeof *c->free),
                   .at = calloc(ranks, sizeof *c->at)};
    if (c->ranks_from == NULL || c->rank == NULL || c->pes_from == NULL || c->pe == NULL ||
        c->rank_at == NULL || c->number == NULL || c->core == NULL || c->free == NULL ||
        c->at == NULL)
        return false;
    list_by_node(r->mapping.nodes, r->mapping.ranks, r->to, c->ranks_from, c->rank);
    list_by_node(r->mapping.nodes, r->view->resources->pes, r->nodes.of_pe, c->pes_from, c->pe);
    for (size_t i = 0; i < pes; i++)
        c->rank_at[i] = -1;
    for (int i = 0; i < r->view->resources->pes; i++)
        c->number[c->pe[i]] = i - c->pes_from[r->nodes.of_pe[c->pe[i]]];
    for (int i = 0; i < r->mapping.ranks; i++)
        if (r->pe[i] >= 0)
            c->rank_at[r->pe[i]] = i;
    return true;
}

static void cores_free(cores_t *c)
{
    free(c->ranks_from);
    free(c->rank);
    free(c->pes_from);
    free(c->pe);
    free(c->rank_at);
    free(c->number);
    free(c->core);
    free(c->free);
    free(c->at);
}

/* Processes on places that are shared are bound to cores from the first on again. Whether it makes
 * a difference which PE one has. */
static bool describe(const cores_t *c, const int *pe, int pes)
{
    const xmpi_resources_t *resources = c->remap->view->resources;
    int whole = 0, others = 0;
    bool differ = false;
    for (int i = 0; i < pes; i++)
        if (!resources->pe[pe[i]].shared)
            c->core[whole++] = &resources->pe[pe[i]];
    for (int i = 0; i < whole; i++)
        differ = differ ||
                 memcmp(c->core[i]->inside, c->core[0]->inside, sizeof c->core[i]->inside) != 0;
    const xmpi_pe_t **core = differ ? malloc(((size_t)pes + 1) * sizeof *core) : NULL;
    if (core == NULL)
        return false;
    for (int i = 0, k = 0; i < pes; i++)
        core[i] = c->core[resources->pe[pe[i]].shared ? others++ % whole : k++];
    memcpy(c->core, core, (size_t)pes * sizeof *core);
    free(core);
    return true;
}

/* Which PEs are free for as many as COME: in a movable loop those of ranks that leave; idle ones
 * where these do not suffice, no more than needed then. */
static bool count_free(const cores_t *c, int node, const int *pe, int pes, int come)
{
    const xmpi_remap_t *r = c->remap;
    const xmpi_resources_t *resources = r->view->resources;
    int left = 0;
    for (int i = 0; i < pes; i++) {
        int rank = c->rank_at[pe[i]];
        c->free[i] = r->view->movable && rank >= 0 && r->to[rank] != node;
        left += c->free[i];
    }
    for (int shared = 0; shared < 2 && left < come; shared++) {
        int idle = 0;
        for (int i = 0; i < pes; i++)
            idle += resources->pe[pe[i]].shared == shared && xmpi_pe_usable(resources, pe[i]);
        int most = left > 0 && idle > come - left ? come - left : idle;
        for (int i = 0; i < pes && most > 0; i++)
            if (resources->pe[pe[i]].shared == shared && xmpi_pe_usable(resources, pe[i])) {
                c->free[i] = true;
                left++;
                most--;
            }
    }
    return left >= come;
}

/* The ranks of NODE: how many come; 0 where of one that stays nobody knows its PE, too. */
static int locate(const cores_t *c, int node)
{
    const xmpi_remap_t *r = c->remap;
    int come = 0;
    for (int i = c->ranks_from[node]; i < c->ranks_from[node + 1]; i++) {
        int rank = c->rank[i], pe = r->pe[rank], *at = &c->at[i - c->ranks_from[node]];
        bool stays = r->at[rank] == node;
        if (stays && pe < 0)
            return 0;
        *at = stays ? c->number[pe] : -1;
        come += !stays;
    }
    return come;
}

/* Rank RANK goes to PE: it takes the process of the rank that leaves there, or a new one. */
static void go_to(const cores_t *c, int rank, int pe, xmpi_plan_t *plan)
{
    xmpi_place_t *place = &plan->place[rank];
    if (c->rank_at[pe] >= 0) {
        place->from = c->rank_at[pe];
        return;
    }
    place->origin = XMPI_TAKES_OVER;
    place->pe = pe;
}

static xmpi_status_t seat(const cores_t *c, int node, xmpi_plan_t *plan, xmpi_error_t *error)
{
    const xmpi_remap_t *r = c->remap;
    const int *pe = c->pe + c->pes_from[node], *rank = c->rank + c->ranks_from[node];
    int pes = c->pes_from[node + 1] - c->pes_from[node],
        ranks = c->ranks_from[node + 1] - c->ranks_from[node], come = locate(c, node);
    if (come == 0 || !count_free(c, node, pe, pes, come) || !describe(c, pe, pes))
        return XMPI_OK;
    const xmpi_mapped_cores_t cores = {.cores = pes,
                                       .core = c->core,
                                       .free = c->free,
                                       .ranks = ranks,
                                       .rank = rank,
                                       .traffic = r->mapping.traffic,
                                       .scotch = r->mapping.scotch};
    xmpi_status_t status = xmpi_mapping_cores(&cores, c->at, error);
    for (int i = 0; i < ranks && status == XMPI_OK; i++)
        if (r->at[rank[i]] != node)
            go_to(c, rank[i], pe[c->at[i]], plan);
    return status;
}

xmpi_status_t xmpi_remap_cores(const xmpi_remap_t *remap, xmpi_plan_t *plan, xmpi_error_t *error)
{
    cores_t cores;
    xmpi_status_t status = XMPI_OK;
    if (remap->mapping.traffic == NULL || remap->mapping.scotch == NULL)
        return XMPI_OK;
    if (!cores_make(&cores, remap))
        status = xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to map %d processes",
                                remap->mapping.ranks);
    for (int i = 0; i < remap->mapping.nodes && status == XMPI_OK; i++)
        status = seat(&cores, i, plan, error);
    cores_free(&cores);
    return status;
}
