/* SPDX-License-Identifier: BSD-3-Clause
 * Remapping: what the policies map and migrate share. */
#include "decide/planning/remap.h"

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

/* --- plans -------------------------------------------------------------------------------------
 */

/* Lists of numbers, one for each node: NEXT leads from one to the next, -1 ends. malloc. */
typedef struct {
    int *first, *next;
} lists_t;

static bool lists_make(lists_t *lists, int nodes, int numbers)
{
    lists->first = malloc(((size_t)nodes + 1) * sizeof *lists->first);
    lists->next = malloc(((size_t)numbers + 1) * sizeof *lists->next);
    for (int i = 0; lists->first != NULL && i < nodes; i++)
        lists->first[i] = -1;
    return lists->first != NULL && lists->next != NULL;
}

static void lists_free(lists_t *lists)
{
    free(lists->first);
    free(lists->next);
}

static void put(lists_t *lists, int node, int number)
{
    lists->next[number] = lists->first[node];
    lists->first[node] = number;
}

/* -1: there is none any more. */
static int take(lists_t *lists, int node)
{
    int number = lists->first[node];
    if (number >= 0)
        lists->first[node] = lists->next[number];
    return number;
}

/* The last ones come first out of a list. */
static void list_idle(const xmpi_remap_t *r, lists_t *idle)
{
    const xmpi_resources_t *resources = r->view->resources;
    for (int shared = 1; shared >= 0; shared--)
        for (int i = resources->pes - 1; i >= 0; i--)
            if (resources->pe[i].shared == shared && xmpi_pe_usable(resources, i))
                put(idle, r->nodes.of_pe[i], i);
}

static void list_left(const xmpi_remap_t *r, lists_t *left)
{
    for (int i = r->mapping.ranks - 1; i >= 0; i--)
        if (r->view->movable && r->to[i] != r->at[i])
            put(left, r->at[i], i);
}

/* Of the processes that nobody goes to, each is one that leaves for one that comes. */
static void name_leavers(xmpi_plan_t *plan, bool *kept)
{
    int leaver = 0;
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin == XMPI_STAYS)
            kept[plan->place[i].from] = true;
    for (int i = 0; i < plan->places; i++) {
        if (plan->place[i].origin == XMPI_STAYS)
            continue;
        while (kept[leaver])
            leaver++;
        plan->place[i].from = leaver++;
    }
}

static xmpi_status_t go(const xmpi_remap_t *r, lists_t *left, lists_t *idle, xmpi_plan_t *plan,
                        xmpi_error_t *error)
{
    list_idle(r, idle);
    list_left(r, left);
    for (int i = 0; i < plan->places; i++) {
        if (r->to[i] == r->at[i])
            continue;
        xmpi_place_t *place = &plan->place[i];
        int other = take(left, r->to[i]);
        if (other >= 0) {
            place->from = other;
            continue;
        }
        place->origin = XMPI_TAKES_OVER;
        place->pe = take(idle, r->to[i]);
        if (place->pe < 0)
            return xmpi_error_set(error, XMPI_ERR_INTERNAL,
                                  "plan: there is no place for rank %d on its node", i);
    }
    return XMPI_OK;
}

xmpi_status_t xmpi_remap_plan(const xmpi_remap_t *r, xmpi_plan_t *plan, xmpi_error_t *error)
{
    lists_t left, idle;
    memset(plan, 0, sizeof *plan);
    if (memcmp(r->to, r->at, (size_t)r->mapping.ranks * sizeof *r->to) == 0)
        return XMPI_OK;
    bool *kept = calloc((size_t)r->mapping.ranks + 1, sizeof *kept);
    bool made = lists_make(&left, r->mapping.nodes, r->mapping.ranks);
    made = lists_make(&idle, r->mapping.nodes, r->view->resources->pes) && made && kept != NULL;
    xmpi_status_t status = made ? xmpi_moves_none(r->view, plan, error)
                                : xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to plan moves");
    plan->moves = r->view->movable;
    if (status == XMPI_OK) {
        status = go(r, &left, &idle, plan, error);
        name_leavers(plan, kept);
    }
    if (status != XMPI_OK)
        xmpi_plan_free(plan);
    lists_free(&left);
    lists_free(&idle);
    free(kept);
    return status;
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
