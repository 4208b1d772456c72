/* SPDX-License-Identifier: BSD-3-Clause
 * Plan: the next layout, and where each of its members comes from. */
#include "decide/plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include "decide/partition/partition.h"

xmpi_status_t xmpi_plan_alloc(xmpi_plan_t *plan, int places)
{
    memset(plan, 0, sizeof *plan);
    if (places == 0)
        return XMPI_OK;
    plan->place = calloc((size_t)places, sizeof *plan->place);
    if (plan->place == NULL)
        return XMPI_ERR_MEMORY;
    plan->places = places;
    return XMPI_OK;
}

void xmpi_plan_free(xmpi_plan_t *plan)
{
    free(plan->place);
    memset(plan, 0, sizeof *plan);
}

xmpi_status_t xmpi_plan_divide(xmpi_plan_t *plan, int64_t domain, const double *prefix,
                               const double *speeds)
{
    xmpi_block_t *blocks = calloc((size_t)plan->places, sizeof *blocks);
    if (blocks == NULL)
        return XMPI_ERR_MEMORY;
    xmpi_status_t status =
        prefix == NULL
            ? xmpi_partition_proportional(domain, plan->places, speeds, blocks)
            : xmpi_partition_weighted(domain, prefix, plan->places, speeds, blocks, NULL);
    for (int i = 0; i < plan->places && status == XMPI_OK; i++)
        plan->place[i].block = blocks[i];
    free(blocks);
    return status;
}

bool xmpi_plan_changes_processes(const xmpi_plan_t *plan)
{
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin != XMPI_STAYS || plan->place[i].from != i)
            return true;
    return false;
}

int xmpi_plan_joiners(const xmpi_plan_t *plan)
{
    int n = 0;
    for (int i = 0; i < plan->places; i++)
        n += plan->place[i].origin != XMPI_STAYS;
    return n;
}

/* Whether somebody has another rank. */
static bool exchanges_ranks(const xmpi_plan_t *plan)
{
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin == XMPI_STAYS && plan->place[i].from != i)
            return plan->moves;
    return false;
}

/* What the places before have taken: flags of each PE and of each old rank, and the last of these.
 */
typedef struct {
    char *pe, *rank; /* malloc */
    int last_from;
} taken_t;

static xmpi_status_t place_check(const xmpi_plan_t *plan, int i, const xmpi_layout_t *layout,
                                 const xmpi_resources_t *resources, taken_t *taken,
                                 xmpi_error_t *error)
{
    const xmpi_place_t *place = &plan->place[i];
    if (place->origin != XMPI_NEW) {
        bool wrong = place->from < 0 || place->from >= layout->members ||
                     (plan->moves ? taken->rank[place->from] : place->from <= taken->last_from);
        if (wrong)
            return xmpi_error_set(error, XMPI_ERR_INTERNAL, "plan: place %d comes from rank %d", i,
                                  place->from);
        taken->last_from = place->from;
        taken->rank[place->from] = 1;
    }
    if (place->origin == XMPI_STAYS)
        return XMPI_OK;
    if (place->pe < 0 || place->pe >= resources->pes || taken->pe[place->pe] ||
        !xmpi_pe_usable(resources, place->pe))
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "plan: place %d cannot be had on PE %d", i,
                              place->pe);
    taken->pe[place->pe] = 1;
    return XMPI_OK;
}

static bool anchor_stays(const xmpi_plan_t *plan, const xmpi_layout_t *layout, int anchor)
{
    for (int i = 0; i < plan->places; i++)
        if (plan->place[i].origin == XMPI_STAYS &&
            layout->member[plan->place[i].from].process == anchor)
            return true;
    return anchor < 0;
}

static xmpi_status_t places_check(const xmpi_plan_t *plan, const xmpi_layout_t *layout,
                                  const xmpi_resources_t *resources, taken_t *taken,
                                  xmpi_block_t *blocks, xmpi_error_t *error)
{
    for (int i = 0; i < plan->places; i++) {
        xmpi_status_t status = place_check(plan, i, layout, resources, taken, error);
        if (status != XMPI_OK)
            return status;
        blocks[i] = plan->place[i].block;
    }
    if (taken->last_from < 0)
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "plan: no member stays to hand over");
    if (xmpi_plan_joiners(plan) > 0 && plan->places > resources->max_members)
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "plan: %d members where %d are allowed",
                              plan->places, resources->max_members);
    if (!anchor_stays(plan, layout, resources->anchor))
        return xmpi_error_set(error, XMPI_ERR_INTERNAL, "plan: process %d may not leave",
                              resources->anchor);
    return XMPI_OK;
}

typedef xmpi_status_t blocks_check_t(int64_t domain, int n, const xmpi_block_t *blocks,
                                     xmpi_error_t *error);

static xmpi_status_t check(const xmpi_plan_t *plan, const xmpi_layout_t *layout,
                           const xmpi_resources_t *resources, blocks_check_t *check_blocks,
                           xmpi_error_t *error)
{
    taken_t taken = {.pe = calloc((size_t)resources->pes + 1, 1),
                     .rank = calloc((size_t)layout->members + 1, 1),
                     .last_from = -1};
    xmpi_block_t *blocks = calloc((size_t)plan->places + 1, sizeof *blocks);
    xmpi_status_t status = taken.pe == NULL || taken.rank == NULL || blocks == NULL
                               ? xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to check a plan")
                               : places_check(plan, layout, resources, &taken, blocks, error);
    if (status == XMPI_OK && !plan->sizes)
        status = check_blocks(layout->domain, plan->places, blocks, error);
    free(blocks);
    free(taken.rank);
    free(taken.pe);
    return status == XMPI_ERR_INPUT ? XMPI_ERR_INTERNAL : status;
}

xmpi_status_t xmpi_plan_check(const xmpi_plan_t *plan, const xmpi_layout_t *layout,
                              const xmpi_resources_t *resources, xmpi_error_t *error)
{
    return check(plan, layout, resources, xmpi_blocks_cover, error);
}

xmpi_status_t xmpi_plan_check_in_loop(const xmpi_plan_t *plan, const xmpi_layout_t *layout,
                                      const xmpi_resources_t *resources, xmpi_error_t *error)
{
    return check(plan, layout, resources, xmpi_blocks_check, error);
}

const char *xmpi_plan_kind(const xmpi_plan_t *plan, const xmpi_layout_t *layout)
{
    if (plan->places > layout->members)
        return "grow";
    if (plan->places < layout->members)
        return "shrink";
    return xmpi_plan_joiners(plan) > 0 || exchanges_ranks(plan) ? "exchange" : "rebalance";
}
