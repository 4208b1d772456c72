/* SPDX-License-Identifier: BSD-3-Clause
 * The layout that a plan leads to. */
#include "act/members/lay_out.h"

/* Who the process of a place is: one that is there, or a new entry of the process table. */
static int process_of(xmpi_shared_t *shared, const xmpi_place_t *place)
{
    if (place->origin == XMPI_STAYS)
        return shared->layout.member[place->from].process;
    const xmpi_pe_t *pe = &shared->resources.pe[place->pe];
    return pe->parked ? pe->process : xmpi_shared_new_process(shared, place->pe);
}

static xmpi_status_t next_layout(xmpi_shared_t *shared, const xmpi_plan_t *plan,
                                 xmpi_layout_t *next)
{
    xmpi_status_t status = xmpi_layout_alloc(next, shared->layout.domain, plan->places);
    for (int i = 0; i < plan->places && status == XMPI_OK; i++) {
        next->member[i].block = plan->place[i].block;
        next->member[i].process = process_of(shared, &plan->place[i]);
        if (next->member[i].process < 0)
            status = XMPI_ERR_MEMORY;
    }
    if (status == XMPI_OK)
        xmpi_shared_group_joiners(shared, next);
    return status;
}

xmpi_status_t xmpi_shared_lay_out(xmpi_shared_t *shared, const xmpi_plan_t *plan,
                                  xmpi_layout_t *next, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_plan_check(plan, &shared->layout, &shared->resources, error);
    if (status == XMPI_OK && next_layout(shared, plan, next) != XMPI_OK)
        status = xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for %d members", plan->places);
    if (status != XMPI_OK)
        xmpi_shared_forget(shared, next);
    return status;
}
