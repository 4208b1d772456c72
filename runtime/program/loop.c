/* SPDX-License-Identifier: BSD-3-Clause
 * The adaptive loop: the pipeline observe, decide, act at the end of every sampling interval. */
#include "program/loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/call.h"
#include "act/execute.h"
#include "program/lifecycle.h"
#include "program/misuse.h"

static bool leads(const xmpi_context_t *context)
{
    return context->world.rank == 0;
}

/* Units of work of one iteration: the elements of the distributed arrays that the member owns. */
static int64_t work_of_iteration(const xmpi_context_t *context)
{
    int64_t rows = context->shared.layout.member[context->world.rank].block.count, length = 0;
    for (int i = 0; i < context->registry.arrays; i++)
        if (context->registry.array[i].scheme == XMPI_GEN_DISTRIBUTED)
            length += context->registry.array[i].row_length;
    return rows * (length > 0 ? length : 1);
}

static void start_interval(xmpi_context_t *context)
{
    context->loop_work = work_of_iteration(context);
    context->progress.interval_start = context->progress.iteration;
    xmpi_monitor_start(&context->monitor);
}

/* --- the first layout: that of the program's own formula ------------------------------------ */

static xmpi_block_t own_block(const xmpi_context_t *context)
{
    xmpi_block_t block;
    if (!xmpi_registry_value(&context->registry, XMPI_GEN_COUNT, &block.count) ||
        !xmpi_registry_value(&context->registry, XMPI_GEN_DISPL, &block.displ))
        xmpi_misuse("%s: the loop has no range: write #pragma xmpi domain(n) range(count, displ) "
                    "before the statement that computes it",
                    context->loop);
    return block;
}

static void check_arrays(const xmpi_context_t *context)
{
    for (int i = 0; i < context->registry.arrays; i++) {
        const xmpi_array_t *array = &context->registry.array[i];
        if (array->slot == NULL)
            xmpi_misuse("%s: the array %s is not described", context->loop, array->name);
        if (array->scheme == XMPI_GEN_DISTRIBUTED && array->rows != context->registry.domain)
            xmpi_misuse("%s: the array %s has %" PRId64 " rows, the domain %" PRId64,
                        context->loop, array->name, array->rows, context->registry.domain);
    }
}

static void first_layout(xmpi_context_t *context)
{
    xmpi_layout_t *layout = &context->shared.layout;
    xmpi_block_t mine = own_block(context);
    xmpi_block_t *blocks = calloc((size_t)layout->members, sizeof *blocks);
    xmpi_error_t error;
    if (blocks == NULL)
        xmpi_misuse("no memory for a list of %d members", layout->members);
    PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, blocks, sizeof mine, MPI_BYTE,
                   context->world.comm);
    layout->domain = context->registry.domain;
    if (xmpi_blocks_check(layout->domain, layout->members, blocks, &error) != XMPI_OK)
        xmpi_misuse("%s: %s", context->loop, error.text);
    for (int i = 0; i < layout->members; i++)
        layout->member[i].block = blocks[i];
    free(blocks);
}

void xmpi_loop_begin(xmpi_context_t *context, const char *where, int64_t interval)
{
    context->loop = where;
    context->interval = interval > 0 ? interval : context->shared.settings.interval;
    check_arrays(context);
    if (context->state == XMPI_JOINING)
        return;
    first_layout(context);
    memset(&context->progress, 0, sizeof context->progress);
    context->progress.loop_started = xmpi_trace_clock();
    if (leads(context))
        xmpi_trace_start(&context->trace, &context->shared, where, context->monitor.counter.event,
                         context->interval);
    start_interval(context);
}

/* --- act ------------------------------------------------------------------------------------- */

static xmpi_parts_t parts_of(xmpi_context_t *context)
{
    return (xmpi_parts_t){.shared = &context->shared,
                          .world = &context->world,
                          .registry = &context->registry,
                          .progress = &context->progress,
                          .progress_size = sizeof context->progress,
                          .process = context->process};
}

/* A new leader goes on with the trace; the interval begins anew for all. */
static void resume(xmpi_context_t *context)
{
    xmpi_error_t error;
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    context->state = XMPI_RUNNING;
    context->in_loop = true;
    if (leads(context) &&
        xmpi_trace_open(&context->trace, &context->shared, false, &error) != XMPI_OK)
        fprintf(stderr, "xmpi: %s; the trace stops here\n", error.text);
    if (leads(context) && r->done)
        xmpi_trace_reconfiguration(&context->trace, &context->shared, r);
    memset(r, 0, sizeof *r);
    start_interval(context);
}

/* Accounts for a reconfiguration, and whoever leads now puts it into the trace. */
static void account(xmpi_context_t *context, const xmpi_cost_t *cost, double seconds)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    r->seconds += seconds;
    r->processes += cost->join;
    r->redistribution = cost->move;
    r->bytes = cost->bytes;
    r->messages = cost->messages;
    r->done = true;
    context->progress.reconfigurations++;
    context->progress.reconfiguration_seconds += r->seconds;
}

/* A joiner meets the others, which wait for it at the point that they had reached. */
static void join(xmpi_context_t *context)
{
    xmpi_parts_t parts = parts_of(context);
    xmpi_cost_t cost = {0};
    double start = xmpi_clock_wall();
    while (xmpi_execute(&parts, &context->next, &context->port, &cost) != XMPI_DONE) {
        xmpi_leave(context); /* called off; it is here again when it has been called again */
        start = xmpi_clock_wall();
    }
    xmpi_pack_free(&context->snapshot);
    account(context, &cost, xmpi_clock_wall() - start);
    resume(context);
}

/* The next layout of the plan, with the processes that were called for it. */
static xmpi_status_t next_layout(const xmpi_context_t *context, const xmpi_plan_t *plan,
                                 const xmpi_called_t *called, xmpi_layout_t *next)
{
    int n = 0;
    xmpi_status_t status =
        xmpi_layout_alloc(next, context->shared.layout.domain, plan->places);
    for (int i = 0; i < plan->places && status == XMPI_OK; i++) {
        const xmpi_place_t *place = &plan->place[i];
        next->member[i].block = place->block;
        next->member[i].process = place->origin == XMPI_STAYS
                                      ? context->shared.layout.member[place->from].process
                                      : called[n++].process;
    }
    return status;
}

/* What the leader has ready for the change that it announces. */
typedef struct {
    xmpi_layout_t next;
    xmpi_called_t *called;
    xmpi_port_t *ports;
} prepared_t;

static xmpi_status_t call_joiners(xmpi_context_t *context, const xmpi_plan_t *plan,
                                  prepared_t *prepared, xmpi_error_t *error)
{
    xmpi_change_t change = {0};
    xmpi_status_t status = xmpi_call(plan, &context->shared, &context->world, prepared->called,
                                     error);
    if (status != XMPI_OK)
        return status;
    status = next_layout(context, plan, prepared->called, &prepared->next);
    if (status == XMPI_OK)
        status = xmpi_change_make(&context->shared.layout, &prepared->next, &change);
    if (status == XMPI_OK && !xmpi_change_all_initial(&change, &context->shared))
        xmpi_join_open(change.joiners, prepared->ports);
    if (status == XMPI_OK)
        status = xmpi_call_join(&context->shared, &prepared->next, change.joiners,
                                &context->registry, &context->world, prepared->called,
                                prepared->ports);
    xmpi_change_free(&change);
    if (status == XMPI_OK)
        return XMPI_OK;
    xmpi_call_dismiss(&context->shared, &context->world, prepared->called,
                      xmpi_plan_joiners(plan));
    return xmpi_error_set(error, status, "no memory to call %d processes",
                          xmpi_plan_joiners(plan));
}

static xmpi_status_t prepare(xmpi_context_t *context, const xmpi_plan_t *plan,
                             prepared_t *prepared, xmpi_error_t *error)
{
    size_t joiners = (size_t)xmpi_plan_joiners(plan);
    xmpi_status_t status =
        xmpi_plan_check(plan, &context->shared.layout, &context->shared.resources, error);
    if (status != XMPI_OK)
        return status;
    prepared->called = calloc(joiners + 1, sizeof *prepared->called);
    prepared->ports = calloc(joiners + 1, sizeof *prepared->ports);
    if (prepared->called == NULL || prepared->ports == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to call %zu processes", joiners);
    return call_joiners(context, plan, prepared, error);
}

/* --- decide: the leader, for all --------------------------------------------------------------- */

static xmpi_view_t view_of(const xmpi_context_t *context, const xmpi_sample_t *samples)
{
    return (xmpi_view_t){.layout = &context->shared.layout,
                         .resources = &context->shared.resources,
                         .samples = samples,
                         .from_iteration = context->progress.interval_start,
                         .iteration = context->progress.iteration,
                         .imbalance_threshold = context->shared.settings.imbalance,
                         .schedule = &context->shared.schedule,
                         .seed = (uint64_t)context->shared.settings.seed};
}

static void describe(const xmpi_context_t *context, const xmpi_plan_t *plan,
                     xmpi_reconfiguration_t *r)
{
    r->iteration = context->progress.iteration;
    strcpy(r->kind, xmpi_plan_kind(plan, &context->shared.layout));
    r->from = context->shared.layout.members;
    r->to = plan->places;
    snprintf(r->reason, sizeof r->reason, "%s", plan->reason);
}

static void report_called_off(xmpi_context_t *context, const char *why)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    snprintf(r->reason, sizeof r->reason, "%s", why);
    r->done = false;
    fprintf(stderr, "xmpi: iteration %" PRId64 ": no %s from %d to %d: %s; the program goes on as before\n",
            r->iteration, r->kind, r->from, r->to, why);
    xmpi_trace_reconfiguration(&context->trace, &context->shared, r);
}

/* Decides and gets the processes; whether there is a change to carry out. */
static bool decide(xmpi_context_t *context, const xmpi_sample_t *samples, prepared_t *prepared)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    xmpi_view_t view = view_of(context, samples);
    xmpi_plan_t plan = {0};
    xmpi_error_t error = {""};
    xmpi_trace_interval(&context->trace, &context->shared, context->progress.intervals,
                        context->progress.iteration, samples);
    xmpi_status_t status = context->policy->decide(&view, &plan, &error);
    bool wanted = status != XMPI_OK || plan.places > 0;
    if (wanted) {
        double start = xmpi_clock_wall();
        describe(context, &plan, r);
        if (status == XMPI_OK)
            status = prepare(context, &plan, prepared, &error);
        r->processes = xmpi_clock_wall() - start;
        r->seconds = r->processes;
    }
    xmpi_plan_free(&plan);
    if (status != XMPI_OK)
        report_called_off(context, error.text);
    return wanted && status == XMPI_OK;
}

/* Tells everybody the next layout, and the processes that belong to it; whether there is one. */
static bool announce(xmpi_context_t *context, bool change, xmpi_layout_t *next)
{
    xmpi_pack_t pack = {0};
    MPI_Comm comm = context->world.comm;
    if (change) {
        xmpi_shared_put(&pack, &context->shared);
        xmpi_layout_put(&pack, next);
        xmpi_pack_put(&pack, &context->progress.under_way, sizeof context->progress.under_way);
    }
    int64_t size = (int64_t)pack.size;
    PMPI_Bcast(&size, 1, MPI_INT64_T, 0, comm);
    if (size == 0)
        return false;
    if (!leads(context)) {
        pack.data = malloc((size_t)size);
        pack.size = (size_t)size;
    }
    if (pack.data == NULL)
        xmpi_misuse("no memory for a layout");
    PMPI_Bcast(pack.data, (int)size, MPI_BYTE, 0, comm);
    if (!leads(context)) {
        xmpi_shared_get(&pack, &context->shared);
        xmpi_layout_get(&pack, next);
        xmpi_pack_get(&pack, &context->progress.under_way, sizeof context->progress.under_way);
    }
    xmpi_pack_free(&pack);
    return true;
}

/* Carries the change out, and leaves when this process is not in the next layout. Whether the
 * caller's layout has changed. */
static bool carry_out(xmpi_context_t *context, prepared_t *prepared)
{
    xmpi_parts_t parts = parts_of(context);
    xmpi_cost_t cost = {0};
    double start = xmpi_clock_wall();
    switch (xmpi_execute(&parts, &prepared->next, prepared->ports, &cost)) {
    case XMPI_DONE:
        account(context, &cost, xmpi_clock_wall() - start);
        resume(context);
        return true;
    case XMPI_LEFT:
        xmpi_leave(context);
        join(context); /* it was called again */
        return true;
    default:
        if (leads(context))
            report_called_off(context, "a process had no memory for its new data");
        resume(context);
        return false;
    }
}

/* --- observe ----------------------------------------------------------------------------------- */

static xmpi_sample_t *gather_samples(xmpi_context_t *context)
{
    const xmpi_progress_t *progress = &context->progress;
    xmpi_sample_t mine, *samples = NULL;
    if (leads(context)) {
        samples = calloc((size_t)context->shared.layout.members, sizeof *samples);
        if (samples == NULL)
            xmpi_misuse("no memory for %d samples", context->shared.layout.members);
    }
    xmpi_monitor_sample(&context->monitor, progress->iteration - progress->interval_start, &mine);
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, samples, sizeof mine, MPI_BYTE, 0,
                context->world.comm);
    return samples;
}

/* The end of a sampling interval. */
static bool interval_end(xmpi_context_t *context)
{
    prepared_t prepared = {0};
    bool change = false;
    context->monitor.on = false;
    xmpi_sample_t *samples = gather_samples(context);
    if (leads(context))
        change = decide(context, samples, &prepared);
    free(samples);
    context->progress.intervals++;
    change = announce(context, change, &prepared.next);
    if (change)
        change = carry_out(context, &prepared);
    else
        resume(context);
    xmpi_layout_free(&prepared.next);
    free(prepared.called);
    free(prepared.ports);
    return change;
}

bool xmpi_loop_point(xmpi_context_t *context)
{
    xmpi_progress_t *progress = &context->progress;
    if (context->state == XMPI_JOINING) {
        join(context);
        return true;
    }
    if (!context->in_loop) { /* nothing has been iterated yet */
        context->in_loop = true;
        return false;
    }
    progress->iteration++;
    context->monitor.counter.registered += context->loop_work;
    if (progress->iteration - progress->interval_start < context->interval)
        return false;
    return interval_end(context);
}

void xmpi_loop_end(xmpi_context_t *context)
{
    const xmpi_progress_t *progress = &context->progress;
    if (context->state == XMPI_JOINING)
        xmpi_misuse("%s: a joining process left the loop without an iteration", context->loop);
    int iterated = context->in_loop;
    context->monitor.on = false;
    context->in_loop = false;
    if (leads(context)) /* the last iteration has no point behind it */
        xmpi_trace_end(&context->trace, &context->shared, progress->iteration + iterated,
                       xmpi_trace_clock() - progress->loop_started, progress->reconfigurations,
                       progress->reconfiguration_seconds);
    context->loop = NULL;
}
