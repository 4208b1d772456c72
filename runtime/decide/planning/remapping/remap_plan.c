/* SPDX-License-Identifier: BSD-3-Clause
 * The plan that a remapping comes to. */
#include "decide/planning/remapping/remap_plan.h"

#include <stdlib.h>
#include <string.h>

#include "decide/planning/remapping/cores.h"
#include "decide/planning/moves.h"

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

/* Of a node of which it is known what its cores are behind nothing is taken here. */
static xmpi_status_t go(const xmpi_remap_t *r, lists_t *left, lists_t *idle, xmpi_plan_t *plan,
                        xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_remap_cores(r, plan, error);
    if (status != XMPI_OK)
        return status;
    list_idle(r, idle);
    list_left(r, left);
    for (int i = 0; i < plan->places; i++) {
        xmpi_place_t *place = &plan->place[i];
        if (r->to[i] == r->at[i] || place->origin != XMPI_STAYS || place->from != i)
            continue;
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
