/* SPDX-License-Identifier: BSD-3-Clause
 * What the program may use, while it runs. */
#include "program/members/follow_resources.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/scheduler/availability.h"
#include "decide/scheduler/further.h"
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
                resources->pe[pe].node, resources->anchor, xmpi_anchor_why(resources));
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

/* PEs for N members and no more, where there are so many; MORE of them join. */
static bool have(xmpi_context_t *context, int n, int *more)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_availability_t change;
    xmpi_error_t ignored;
    return xmpi_availability_have(&shared->resources, &shared->layout,
                                  xmpi_availability_placement(&shared->settings), n,
                                  xmpi_trace_clock(), more, &change, &ignored) == XMPI_OK;
}

/* What comes when it is not asked for any more goes back, where it was told how many members the
 * program is to have. */
static void rest_what_came(xmpi_context_t *context, const xmpi_availability_t *change)
{
    const xmpi_steering_t *steering = &context->progress.steering;
    int more;
    if (steering->told > 0 && steering->coming == 0 && change->added + change->returned > 0)
        have(context, steering->told, &more);
}

/* Whether the program has NODE, as far as it knows. */
static bool is_had(const xmpi_resources_t *resources, const char *node)
{
    for (int i = 0; i < resources->pes; i++)
        if (strcmp(resources->pe[i].node, node) == 0 &&
            (resources->pe[i].process >= 0 || !resources->pe[i].returned))
            return true;
    return false;
}

/* A node that was asked for may have to be left by the time that it comes: it is none of the
 * program's, which is not there to leave it. */
static void refuse_late(xmpi_context_t *context, const xmpi_source_t *source,
                        const xmpi_resources_t *now)
{
    xmpi_error_t ignored;
    for (int i = 0; i < now->pes && source->give_back != NULL; i++) {
        const char *node = now->pe[i].node;
        bool first = i == 0 || strcmp(node, now->pe[i - 1].node) != 0;
        if (first && now->pe[i].withdrawn && !is_had(&context->shared.resources, node) &&
            source->give_back(node, &ignored) == XMPI_OK)
            xmpi_job_say(context, "%s: node %s goes back at once", source->name, node);
    }
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
    if (status == XMPI_OK)
        shared->resources.ends = now.ends;
    if (status == XMPI_OK)
        refuse_late(context, source, &now);
    xmpi_resources_free(&now);
    if (status == XMPI_OK)
        status = xmpi_availability_room(context, error);
    if (status != XMPI_OK)
        return status;
    xmpi_availability_note(context, source->name, &change);
    rest_what_came(context, &change);
    return XMPI_OK;
}

/* Whether the program has left NODE, and does not come back: a processing element of it is
 * withdrawn, and nobody is on any. */
static bool is_left(const xmpi_resources_t *resources, const char *node)
{
    bool withdrawn = false;
    for (int i = 0; i < resources->pes; i++)
        if (strcmp(resources->pe[i].node, node) == 0) {
            if (resources->pe[i].process >= 0)
                return false;
            withdrawn = withdrawn || (resources->pe[i].withdrawn && !resources->pe[i].returned);
        }
    return withdrawn;
}

static void give_back(xmpi_context_t *context, const xmpi_source_t *source, const char *node)
{
    xmpi_resources_t *resources = &context->shared.resources;
    xmpi_error_t error;
    if (source->give_back(node, &error) != XMPI_OK)
        return; /* it is asked again */
    for (int i = 0; i < resources->pes; i++)
        if (strcmp(resources->pe[i].node, node) == 0) {
            resources->pe[i].withdrawn = resources->pe[i].gone = resources->pe[i].returned = true;
            resources->pe[i].avoided = resources->pe[i].given_back = false; /* if it comes again */
        }
    xmpi_job_say(context, "%s: node %s is given back", source->name, node);
}

/* Nodes that are left go back; and where the policy takes what is idle, as many PEs as the program
 * may have still are wanted: none where it was told how many it is to have. */
static void deal(xmpi_context_t *context, const xmpi_source_t *source)
{
    const xmpi_resources_t *resources = &context->shared.resources;
    xmpi_error_t ignored;
    int given = 0;
    for (int i = 0; i < resources->pes; i++) {
        if (is_left(resources, resources->pe[i].node))
            give_back(context, source, resources->pe[i].node);
        given += !resources->pe[i].withdrawn;
    }
    int most = resources->max_is_pes ? INT_MAX : resources->max_members;
    bool told = context->progress.steering.told > 0;
    if (xmpi_policy_uses(context->policy, XMPI_OF_IDLE))
        source->ask(most > given && !told ? most - given : 0, true, &ignored);
}

/* Whether there is somebody who can be asked for nodes, and may be. */
static bool may_ask(const xmpi_settings_t *settings)
{
    return xmpi_source_of(settings)->ask != NULL && settings->nodes > 0;
}

xmpi_placement_t xmpi_availability_placement(const xmpi_settings_t *settings)
{
    return may_ask(settings) ? XMPI_PLACE_OCCUPIED : settings->placement;
}

xmpi_status_t xmpi_availability_could(const xmpi_settings_t *settings,
                                      const xmpi_resources_t *resources, xmpi_resources_t *could)
{
    xmpi_status_t status = xmpi_availability_all(resources, could);
    if (status != XMPI_OK || !may_ask(settings))
        return status;
    status = xmpi_further_nodes(could, (int)settings->nodes);
    if (status != XMPI_OK)
        xmpi_resources_free(could);
    return status;
}

bool xmpi_availability_ask(xmpi_context_t *context, int class_index, int n, int there)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_error_t ignored;
    if (!may_ask(&shared->settings) || n <= there ||
        xmpi_source_of(&shared->settings)->ask(n - there, false, &ignored) != XMPI_OK)
        return false;
    xmpi_steering_t *steering = &context->progress.steering;
    steering->coming = n;
    steering->coming_class = class_index;
    steering->coming_until = xmpi_trace_clock() + shared->settings.grace;
    return true;
}

/* Whether there is a PE for each of those who were asked for; where not all have come and it is
 * LATE, who was told how many members to have makes do with what there is. */
static bool has_come(xmpi_context_t *context, bool late)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_steering_t *steering = &context->progress.steering;
    xmpi_availability_t change;
    xmpi_error_t ignored;
    int more = 0;
    if (steering->told == 0)
        return xmpi_availability_grow(&shared->resources, &shared->layout, steering->coming_class,
                                      steering->coming, &change, &ignored) == XMPI_OK;
    bool come = have(context, steering->told, &more);
    int there = shared->layout.members + xmpi_resources_usable(&shared->resources, XMPI_ANY_CLASS);
    if (!come && late) {
        xmpi_job_say(context, "not all of the nodes that were asked for have come");
        come = have(context, there, &more);
    }
    if (come)
        steering->coming = more > 0 ? more : 0;
    return come;
}

/* Who was asked for joins when there is a PE for all of them; late, nobody else does. */
static void let_come(xmpi_context_t *context)
{
    xmpi_steering_t *steering = &context->progress.steering;
    if (steering->coming == 0 || steering->wanted > 0)
        return;
    bool late = xmpi_trace_clock() > steering->coming_until;
    bool come = has_come(context, late);
    if (come) {
        steering->wanted = steering->coming;
        steering->wanted_class = steering->coming_class;
    } else if (late) {
        xmpi_job_say(context, "the nodes that were asked for have not come");
    }
    steering->coming = come || late ? 0 : steering->coming;
}

void xmpi_availability_poll(xmpi_context_t *context)
{
    const xmpi_source_t *source = xmpi_source_of(&context->shared.settings);
    xmpi_source_mark_t mark = context->progress.source_mark;
    xmpi_error_t error;
    xmpi_resources_wake(&context->shared.resources, xmpi_trace_clock());
    if (source->mark == NULL)
        return;
    source->mark(&context->shared.settings, &mark);
    if (source->ask != NULL)
        deal(context, source);
    if (memcmp(&mark, &context->progress.source_mark, sizeof mark) != 0 &&
        follow(context, source, &error) != XMPI_OK)
        fprintf(stderr, "xmpi: %s; the processing elements stay as they were\n", error.text);
    context->progress.source_mark = mark;
    let_come(context);
}
