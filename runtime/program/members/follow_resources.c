/* SPDX-License-Identifier: BSD-3-Clause
 * What the program may use, while it runs. */
#include "program/members/follow_resources.h"

#include <stdio.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/scheduler/availability.h"
#include "files/machine_file.h"
#include "program/members/job_log.h"
#include "sources/sources.h"
#include "trace/trace.h"

/* The anchor has the spawners, or what the program keeps on rank 0. */
static void tell_stuck(const xmpi_shared_t *shared)
{
    const xmpi_resources_t *resources = &shared->resources;
    int pe = resources->anchor >= 0 ? xmpi_resources_pe_of(resources, resources->anchor) : -1;
    if (pe >= 0 && resources->pe[pe].withdrawn)
        fprintf(stderr, "xmpi: node %s is withdrawn, but process %d has to stay %s\n",
                resources->pe[pe].node, resources->anchor,
                resources->can_spawn ? "where processes are spawned; start with spares "
                                       "(XMPI_BACKEND=pool) so that it can leave"
                                     : "with what the program keeps on rank 0 (a file, results)");
}

void xmpi_availability_note(xmpi_context_t *context, const char *source,
                            const xmpi_availability_t *change)
{
    if (change->added + change->returned + change->withdrawn == 0)
        return;
    xmpi_trace_resources(&context->trace, &context->shared, context->progress.iteration, source,
                         change);
    xmpi_job_say(context, "%s: processing elements: %d added, %d returned, %d withdrawn", source,
                 change->added, change->returned, change->withdrawn);
    if (change->withdrawn > 0)
        tell_stuck(&context->shared);
}

/* Whether processes share PEs where there are not enough: they do where a policy sees to it, in a
 * loop whose processes can be had on any. */
static void set_sharing(xmpi_context_t *context)
{
    xmpi_shared_t *shared = &context->shared;
    shared->resources.shares = shared->resources.can_spawn && shared->movable &&
                               xmpi_policy_uses(context->policy, XMPI_OF_AVAILABILITY);
}

xmpi_status_t xmpi_availability_room(xmpi_context_t *context, xmpi_error_t *error)
{
    xmpi_shared_t *shared = &context->shared;
    set_sharing(context);
    if (shared->resources.can_spawn &&
        xmpi_availability_make_room(&shared->resources, shared->layout.members) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of nodes");
    return XMPI_OK;
}

static xmpi_status_t follow(xmpi_context_t *context, const xmpi_source_t *source,
                            xmpi_error_t *error)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_resources_t now = {0};
    xmpi_availability_t change;
    double deadline = xmpi_trace_clock() + shared->settings.grace;
    set_sharing(context);
    xmpi_status_t status = source->read(&shared->settings, &now, error);
    if (status == XMPI_OK)
        status = xmpi_availability_follow(&shared->resources, &now, deadline, &change, error);
    xmpi_resources_free(&now);
    if (status == XMPI_OK)
        status = xmpi_availability_room(context, error);
    if (status == XMPI_OK)
        xmpi_availability_note(context, source->name, &change);
    return status;
}

void xmpi_availability_poll(xmpi_context_t *context)
{
    const xmpi_source_t *source = xmpi_source_of(&context->shared.settings);
    xmpi_source_mark_t mark;
    xmpi_error_t error;
    xmpi_resources_wake(&context->shared.resources, xmpi_trace_clock());
    if (source->mark == NULL)
        return;
    source->mark(&context->shared.settings, &mark);
    if (memcmp(&mark, &context->progress.source_mark, sizeof mark) == 0)
        return;
    context->progress.source_mark = mark;
    if (follow(context, source, &error) != XMPI_OK)
        fprintf(stderr, "xmpi: %s; the processing elements stay as they were\n", error.text);
}
