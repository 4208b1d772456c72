/* SPDX-License-Identifier: BSD-3-Clause
 * Changing the members: calling those that join, and carrying the change out. */
#include "program/members.h"

#include <stdlib.h>

#include "misuse.h"

bool xmpi_members_announce(xmpi_context_t *context, bool change, xmpi_layout_t *next)
{
    xmpi_pack_t pack = {0};
    xmpi_reconfiguration_t *under_way = &context->progress.under_way;
    bool leads = context->world.rank == 0;
    if (change) {
        xmpi_shared_put(&pack, &context->shared);
        xmpi_layout_put(&pack, next);
        xmpi_pack_put(&pack, under_way, sizeof *under_way);
    }
    int64_t size = (int64_t)pack.size;
    PMPI_Bcast(&size, 1, MPI_INT64_T, 0, context->world.comm);
    if (size == 0)
        return false;
    if (!leads) {
        pack.data = malloc((size_t)size);
        pack.size = (size_t)size;
    }
    if (pack.data == NULL || pack.status != XMPI_OK)
        xmpi_misuse("no memory for a layout");
    PMPI_Bcast(pack.data, (int)size, MPI_BYTE, 0, context->world.comm);
    if (!leads) {
        xmpi_shared_get(&pack, &context->shared);
        xmpi_layout_get(&pack, next);
        xmpi_pack_get(&pack, under_way, sizeof *under_way);
    }
    xmpi_pack_free(&pack);
    return true;
}

xmpi_status_t xmpi_members_call(xmpi_context_t *context, const xmpi_layout_t *next,
                                const xmpi_command_line_t *command, xmpi_order_t when,
                                xmpi_calling_t *calling, xmpi_error_t *error)
{
    xmpi_change_t change;
    double start = xmpi_clock_wall();
    if (xmpi_change_make(&context->shared.layout, next, &change) != XMPI_OK)
        xmpi_misuse("no memory for a list of %d members", next->members);
    xmpi_status_t status = xmpi_call(&change, next, &context->shared, &context->registry,
                                     &context->world, command, calling, error);
    if (status == XMPI_OK)
        xmpi_call_join(&context->shared, &context->world, when, calling);
    else
        xmpi_shared_forget(&context->shared, next);
    xmpi_change_free(&change);
    context->progress.under_way.processes = xmpi_clock_wall() - start;
    context->progress.under_way.seconds = context->progress.under_way.processes;
    return status;
}

static void account(xmpi_context_t *context, const xmpi_cost_t *cost, double seconds)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    r->seconds += seconds;
    r->processes += cost->join;
    r->redistribution = cost->move;
    r->bytes = cost->bytes;
    r->messages = cost->messages;
    r->done = true;
    if (r->to > r->from)
        context->progress.refusals = 0;
    context->progress.reconfigurations++;
    context->progress.reconfiguration_seconds += r->seconds;
}

xmpi_outcome_t xmpi_members_change(xmpi_context_t *context, xmpi_layout_t *next,
                                   const xmpi_port_t *ports, xmpi_registry_t *registry)
{
    xmpi_parts_t parts = {.shared = &context->shared,
                          .world = &context->world,
                          .registry = registry,
                          .progress = &context->progress,
                          .progress_size = sizeof context->progress,
                          .process = context->process};
    xmpi_cost_t cost = {0};
    double start = xmpi_clock_wall();
    registry->strategy = context->shared.settings.move;
    registry->memory_limit = context->shared.settings.memory_limit << 20;
    xmpi_outcome_t outcome = xmpi_execute(&parts, next, ports, &cost);
    if (outcome == XMPI_DONE) {
        account(context, &cost, xmpi_clock_wall() - start);
        context->state = XMPI_STATE_RUNNING;
    }
    return outcome;
}
