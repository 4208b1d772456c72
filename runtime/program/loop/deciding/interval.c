/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/loop/deciding/interval.h"

#include "act/data/registry.h"
#include "act/outofcore/outofcore.h"
#include "act/world/world.h"
#include "base/floating.h"
#include "observe/counter/counter.h"
#include "observe/monitor.h"
#include "observe/peers/peers.h"
#include "program/loop/deciding/prediction.h"

static double own_work(const xmpi_context_t *context)
{
    const xmpi_block_t *block = &context->shared.layout.member[xmpi_world.rank].block;
    int64_t length = 0;
    if (context->weighing != XMPI_LB_ROWS)
        return xmpi_weights_own(context->weighing, &context->weights, &context->registry, block,
                                NULL);
    for (int i = 0; i < context->registry.arrays; i++)
        if (context->registry.array[i].scheme == XMPI_GEN_DISTRIBUTED)
            length += context->registry.array[i].row_length;
    return (double)block->count * (double)(length > 0 ? length : 1);
}

void xmpi_interval_weigh(xmpi_context_t *context)
{
    context->loop_work = own_work(context);
    xmpi_prediction_weigh(context);
}

void xmpi_interval_count_talk(xmpi_context_t *context)
{
    xmpi_peers_begin();
    context->progress.talked_from = context->progress.iteration;
}

void xmpi_interval_tell_passes(xmpi_context_t *context, xmpi_sample_t *sample)
{
    const xmpi_registry_t *registry = &context->registry;
    int told = 0;
    for (int i = 0; i < registry->arrays && told < XMPI_PASSES_MAX; i++)
        if (registry->array[i].outofcore)
            sample->passes[told++] =
                xmpi_outofcore_passes(&context->outofcore, xmpi_array_pointer(&registry->array[i]));
}

static void start(xmpi_context_t *context)
{
    xmpi_sample_t before; /* of no interval */
    xmpi_interval_tell_passes(context, &before);
    xmpi_monitor_start(&xmpi_monitor);
}

void xmpi_interval_start(xmpi_context_t *context)
{
    xmpi_interval_weigh(context);
    context->progress.interval_start = context->progress.measured_from =
        context->progress.iteration;
    start(context);
}

void xmpi_interval_account(xmpi_context_t *context)
{
    int64_t iterations = context->progress.iteration - context->progress.measured_from;
    if (context->weighing != XMPI_LB_WEIGHT)
        return;
    double more = (own_work(context) - context->loop_work) / 2;
    xmpi_counter_register(&xmpi_monitor.counter, more * (double)iterations);
}

void xmpi_interval_cost(xmpi_context_t *context)
{
    xmpi_progress_t *progress = &context->progress;
    const xmpi_shared_t *shared = &context->shared;
    double now = xmpi_trace_clock(), per_hour = 0;
    for (int i = 0; i < shared->layout.members; i++)
        per_hour += xmpi_shared_pe(shared, i)->cost;
    progress->cost += per_hour * (now - progress->cost_until) / 3600;
    if (xmpi_leads())
        xmpi_node_seconds_add(&progress->nodes, &shared->resources, now - progress->cost_until,
                              progress->reconfiguration_seconds + progress->saving_seconds);
    progress->cost_until = now;
}

void xmpi_interval_spent(xmpi_context_t *context)
{
    xmpi_progress_t *progress = &context->progress;
    xmpi_node_seconds_t before = {.held = 0};
    double cost, until, now = xmpi_trace_clock();
    if (progress->steering.spent_known ||
        sscanf(context->shared.settings.spent, "%lf %lf %lf %lf %lf %lf", &before.held,
               &before.used, &before.lost, &before.given_back, &cost, &until) != 6)
        return;
    progress->steering.spent_known = true;
    progress->nodes = before;
    progress->cost = cost;
    /* Nodes were held, and nothing was done, while the program came here again. */
    xmpi_node_seconds_idle(&progress->nodes, &context->shared.resources,
                           now > until ? now - until : 0);
}

/* The first iteration after a change is over: what setup did is not to be taken for what iterations
 * do. An interval of one iteration has no other. */
static void settle(xmpi_context_t *context)
{
    context->progress.settling = false;
    if (context->progress.interval < 2)
        return;
    context->progress.measured_from = context->progress.iteration;
    start(context);
}

void xmpi_interval_iterated(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    context->progress.iteration++;
    xmpi_counter_register(&xmpi_monitor.counter, context->loop_work);
    xmpi_monitor_iteration(&xmpi_monitor);
    if (context->progress.settling)
        settle(context);
}
