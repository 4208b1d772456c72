/* SPDX-License-Identifier: BSD-3-Clause
 * Steering the job. */
#define _GNU_SOURCE
#include "program/members/steer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/world/world.h"
#include "control/address.h"
#include "control/directory.h"
#include "decide/policies/catalogue.h"
#include "decide/scheduler/availability.h"
#include "decide/leader/outlook.h"
#include "observe/monitor.h"
#include "program/members/ahead.h"
#include "program/members/follow_resources.h"
#include "program/members/job_log.h"
#include "program/members/members.h"
#include "program/members/nodes.h"
#include "sources/sources.h"
#include "trace/trace.h"

/* Seconds between two tellings: people and scripts need no more. */
#define TELL_EVERY 0.1

/* Who tells or follows: the leader, when there is an endpoint. */
static bool steers(const xmpi_context_t *context)
{
    return context->endpoint != NULL && xmpi_leads();
}

/* --- telling ---------------------------------------------------------------------------------- */

static void tell_member(const xmpi_shared_t *shared, int rank, const xmpi_sample_t *samples,
                        xmpi_job_member_t *member)
{
    const xmpi_member_t *m = &shared->layout.member[rank];
    const xmpi_pe_t *pe = &shared->resources.pe[shared->process[m->process].pe];
    const xmpi_door_t *door = &shared->process[m->process].door;
    *member = (xmpi_job_member_t){.process = m->process,
                                  .pe = shared->process[m->process].pe,
                                  .pid = door->home == xmpi_door_home() ? door->pid : 0,
                                  .count = m->block.count,
                                  .displ = m->block.displ,
                                  .computation = samples != NULL ? samples[rank].computation : 0};
    strcpy(member->node, xmpi_node_of_process(shared, m->process));
    strcpy(member->class_name, shared->resources.class_name[pe->class_index]);
}

static double efficiency(const xmpi_sample_t *samples, int members)
{
    double computation = 0, wall = 0;
    for (int i = 0; i < members; i++) {
        computation += samples[i].computation;
        wall += samples[i].wall;
    }
    return wall > 0 ? computation / wall : 0;
}

/* The job without its members. */
static void describe(const xmpi_context_t *context, xmpi_job_t *job)
{
    const xmpi_progress_t *progress = &context->progress;
    const xmpi_settings_t *settings = &context->shared.settings;
    memset(job, 0, sizeof *job);
    snprintf(job->program, sizeof job->program, "%s", program_invocation_short_name);
    snprintf(job->loop, sizeof job->loop, "%s", context->loop != NULL ? context->loop : "");
    snprintf(job->policy, sizeof job->policy, "%.60s", settings->policy);
    const xmpi_source_t *source = xmpi_source_of(settings);
    if (source->allocation != NULL)
        snprintf(job->allocation, sizeof job->allocation, "%.60s", source->allocation());
    if (!xmpi_trace_is_broken(&context->trace))
        snprintf(job->trace, sizeof job->trace, "%.250s", settings->trace);
    snprintf(job->decision, sizeof job->decision, "%s", progress->steering.decision);
    if (context->pinned)
        snprintf(job->keeps, sizeof job->keeps, "%s", context->keeps);
    job->movable = context->shared.movable;
    job->log = progress->steering.log;
    job->pid = getpid();
    job->iteration = progress->iteration;
    job->from = progress->from;
    job->iterations = progress->bound > 0 ? progress->bound : -1;
    job->seconds = context->loop != NULL ? xmpi_trace_clock() - progress->loop_started : 0;
    job->cost = progress->cost;
    job->nodes = progress->nodes;
    job->reconfigurations = progress->reconfigurations;
    job->checks_equal = progress->check.results[XMPI_CHECKED_EQUAL];
    job->checks_different = progress->check.results[XMPI_CHECKED_DIFFERENT];
    job->checks_missed = progress->check.results[XMPI_NOT_CHECKED];
    job->reconfiguration_seconds = progress->reconfiguration_seconds;
    job->max_members = context->shared.resources.max_members;
    job->efficiency = context->efficiency;
    job->iteration_seconds = context->iteration_seconds;
}

static void add_members(const xmpi_context_t *context, const xmpi_sample_t *samples,
                        xmpi_job_t *job)
{
    int members = context->shared.layout.members;
    job->member = calloc((size_t)members, sizeof *job->member);
    job->members = job->member != NULL ? members : 0;
    for (int i = 0; i < job->members; i++)
        tell_member(&context->shared, i, samples, &job->member[i]);
}

/* The processing elements that a member could go to, with what is known of their speeds. */
static void add_idle(const xmpi_shared_t *shared, xmpi_job_t *job)
{
    const xmpi_resources_t *resources = &shared->resources;
    const xmpi_history_t *history = &shared->leader.history;
    job->pes = resources->pes;
    for (int i = 0; i < resources->pes; i++) {
        if (!xmpi_pe_usable(resources, i) || job->idles++ >= XMPI_JOB_IDLES)
            continue;
        const xmpi_pe_t *pe = &resources->pe[i];
        xmpi_job_idle_t *idle = &job->idle[job->idles - 1];
        double error;
        idle->pe = i;
        strcpy(idle->node, pe->node);
        strcpy(idle->class_name, resources->class_name[pe->class_index]);
        idle->speed = i < history->pes ? xmpi_history_speed(history, i, &error) : 0;
        idle->age = i < history->pes ? history->speed[i].age : 0;
    }
}

/* There is no decision after the end of the loop, nor without a policy, nor where nothing changes.
 */
static void foresee(const xmpi_context_t *context, int64_t next, xmpi_job_t *job)
{
    const xmpi_shared_t *shared = &context->shared;
    xmpi_outlook_t outlook = {.policy = context->policy,
                              .schedule = &shared->schedule,
                              .resources = &shared->resources,
                              .iteration = job->iteration,
                              .next = job->iteration + next,
                              .may_grow_from = context->shared.leader.policy.may_grow_from,
                              .kept = context->kept};
    if (context->pinned)
        return;
    if (xmpi_ahead(context))
        outlook.joiners = xmpi_members_joiners(&shared->layout, &context->ahead.next);
    if (job->iterations >= 0 && outlook.next >= job->iterations)
        return;
    xmpi_outlook(&outlook, job->outlook, sizeof job->outlook);
    job->next_decision = job->outlook[0] != '\0' ? outlook.next : 0;
}

/* Whether something has been said since the job was told last. */
static bool has_news(const xmpi_context_t *context)
{
    return context->progress.steering.log.lines != context->told_lines;
}

static void publish(xmpi_context_t *context, const xmpi_sample_t *samples, int64_t next)
{
    xmpi_job_t job;
    context->told_lines = context->progress.steering.log.lines;
    describe(context, &job);
    foresee(context, next, &job);
    add_members(context, samples, &job);
    add_idle(&context->shared, &job);
    xmpi_endpoint_publish(context->endpoint, &job);
    free(job.member);
}

void xmpi_steer_tell(xmpi_context_t *context, const xmpi_sample_t *samples, int64_t next)
{
    double now = xmpi_trace_clock();
    if (!steers(context) || (now - context->told < TELL_EVERY && !has_news(context)))
        return;
    context->told = now;
    context->efficiency = efficiency(samples, context->shared.layout.members);
    if (samples[0].iterations > 0)
        context->iteration_seconds = samples[0].wall / (double)samples[0].iterations;
    publish(context, samples, next);
}

void xmpi_steer_changed(xmpi_context_t *context)
{
    if (steers(context) && has_news(context))
        publish(context, NULL, context->progress.interval);
}

static void add_errors(const xmpi_model_t *model, xmpi_job_t *job)
{
    for (int i = 0; i < XMPI_PHASES; i++)
        if (model->error[i].n > 0)
            job->error[job->errors++] = (xmpi_job_error_t){xmpi_phase_name((xmpi_phase_t)i),
                                                           100 * xmpi_error_mean(&model->error[i]),
                                                           (int64_t)model->error[i].n};
}

void xmpi_steer_end(xmpi_context_t *context, double seconds, double static_seconds)
{
    xmpi_job_t job;
    int64_t made = context->progress.iteration - context->progress.from;
    if (!steers(context))
        return;
    xmpi_job_say(context, "the loop has ended");
    describe(context, &job);
    add_members(context, NULL, &job);
    add_errors(&context->shared.leader.model, &job);
    job.over = true;
    job.seconds = seconds;
    job.iteration_seconds = made > 0 ? job.seconds / (double)made : 0;
    job.static_seconds = static_seconds;
    xmpi_endpoint_publish(context->endpoint, &job);
    xmpi_endpoint_go_on(context->endpoint); /* who asks now hears that it is over */
    free(job.member);
}

/* --- life ------------------------------------------------------------------------------------- */

/* The socket is removed at the end, wherever the program is then. As it was when the whole path is
 * none of a socket. */
static void make_whole(xmpi_settings_t *settings)
{
    size_t folder = strlen(settings->folder), name = strlen(settings->control);
    if (settings->control[0] == '/' || folder == 0 || folder + 1 + name >= XMPI_ADDRESS_MAX)
        return;
    memmove(settings->control + folder + 1, settings->control, name + 1);
    memcpy(settings->control, settings->folder, folder);
    settings->control[folder] = '/';
}

/* "on" becomes the path that all leaders to come will use. */
static xmpi_status_t find_path(xmpi_settings_t *settings, xmpi_error_t *error)
{
    char path[XMPI_ADDRESS_MAX];
    xmpi_error_t ignored;
    if (strcmp(settings->control, "on") != 0) {
        make_whole(settings);
        /* The folder may be missing where this process runs; a path elsewhere does not need it. */
        xmpi_address_folder(path, sizeof path, &ignored);
        return XMPI_OK;
    }
    xmpi_status_t status = xmpi_address_of((long)getpid(), path, sizeof path, error);
    if (status == XMPI_OK)
        strcpy(settings->control, path);
    return status;
}

/* The number of the job, by which its socket is called, whoever made that; else its leader's. */
static long number_of(const xmpi_settings_t *settings, const xmpi_entry_t *self)
{
    const char *name = strrchr(settings->control, '/');
    char *end = NULL;
    long number = name != NULL ? strtol(name + 1, &end, 10) : 0;
    return number > 0 && strcmp(end, ".sock") == 0 ? number : self->pid;
}

/* The folder becomes the path that all leaders to come will write, by the host of the first one,
 * and the number of the job. */
static xmpi_status_t find_entry(xmpi_settings_t *settings, const xmpi_entry_t *self,
                                xmpi_error_t *error)
{
    char path[XMPI_TEXT_MAX];
    size_t length = strlen(settings->jobs);
    if (length > 4 && strcmp(settings->jobs + length - 4, ".job") == 0)
        return XMPI_OK;
    xmpi_settings_path(settings, settings->jobs, path);
    xmpi_status_t status = xmpi_directory_check(path, error);
    if (status == XMPI_OK &&
        snprintf(settings->jobs, sizeof settings->jobs, "%s/%s-%ld.job", path, self->host,
                 number_of(settings, self)) >= (int)sizeof settings->jobs)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "XMPI_JOBS: too long");
    return status;
}

/* Without it the job goes on, and is found on its leader's node alone. */
static void enter_directory(xmpi_settings_t *settings)
{
    xmpi_error_t error = {"the host has no name"};
    xmpi_entry_t self;
    if (settings->jobs[0] == '\0')
        return;
    if (xmpi_directory_self(settings->control, program_invocation_short_name, &self) &&
        find_entry(settings, &self, &error) == XMPI_OK &&
        xmpi_directory_put(settings->jobs, &self, &error) == XMPI_OK)
        return;
    fprintf(stderr, "xmpi: warning: xmpictl finds this job on its leader's node only: %s\n",
            error.text);
    settings->jobs[0] = '\0';
}

void xmpi_steer_open(xmpi_context_t *context)
{
    xmpi_settings_t *settings = &context->shared.settings;
    xmpi_error_t error;
    xmpi_job_t job;
    if (!xmpi_leads() || context->endpoint != NULL || strcmp(settings->control, "off") == 0)
        return;
    xmpi_status_t status = find_path(settings, &error);
    xmpi_job_say(context, "process %d leads", context->process);
    describe(context, &job);
    add_members(context, NULL, &job);
    add_idle(&context->shared, &job);
    if (status == XMPI_OK)
        status = xmpi_endpoint_open(settings->control, &job, &context->progress.steering.waiting,
                                    &context->endpoint, &error);
    free(job.member);
    if (status == XMPI_OK) {
        enter_directory(settings);
        return;
    }
    fprintf(stderr, "xmpi: warning: xmpictl cannot reach this job: %s\n", error.text);
    strcpy(settings->control, "off");
}

/* --- following -------------------------------------------------------------------------------- */

/* (The loop may be another one than when it was accepted.) */
static xmpi_status_t check_number(const xmpi_shared_t *shared, const xmpi_request_t *request,
                                  xmpi_error_t *error)
{
    return xmpi_request_check_number(request, shared->movable, shared->layout.members, error);
}

static xmpi_status_t change_members(xmpi_context_t *context, const xmpi_request_t *request,
                                    xmpi_error_t *error)
{
    xmpi_shared_t *shared = &context->shared;
    const char *name = request->class_name[0] != '\0' ? request->class_name : "any";
    int class_index = xmpi_resources_class(&shared->resources, name);
    if (class_index == -2)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "there is no class \"%.64s\"", name);
    xmpi_availability_t change;
    bool shrinks = request->kind == XMPI_REQUEST_SHRINK;
    xmpi_status_t status =
        shrinks
            ? xmpi_availability_shrink(&shared->resources, &shared->layout,
                                       xmpi_availability_placement(&shared->settings), class_index,
                                       request->processes, xmpi_trace_clock(), &change, error)
            : xmpi_availability_grow(&shared->resources, &shared->layout, class_index,
                                     request->processes, &change, error);
    bool asked = status != XMPI_OK && !shrinks &&
                 xmpi_availability_ask(context, class_index, request->processes,
                                       xmpi_resources_usable(&shared->resources, class_index));
    if (status == XMPI_OK || asked)
        context->progress.steering.told = 0;
    if (status != XMPI_OK) /* who joins later is told of then */
        return asked ? XMPI_OK : status;
    xmpi_availability_note(context, "xmpictl", &change);
    context->progress.steering.wanted = shrinks ? 0 : request->processes;
    context->progress.steering.wanted_class = class_index;
    return XMPI_OK;
}

/* Asks for nodes for MORE members, which the processing elements that rest are not enough for. */
static bool ask_for_more(xmpi_context_t *context, int more)
{
    xmpi_resources_t all;
    if (xmpi_availability_all(&context->shared.resources, &all) != XMPI_OK)
        return false;
    int there = xmpi_resources_usable(&all, XMPI_ANY_CLASS);
    xmpi_resources_free(&all);
    return xmpi_availability_ask(context, XMPI_ANY_CLASS, more, there);
}

/* Neither more nor fewer members, nor processing elements for more. */
static xmpi_status_t set_members(xmpi_context_t *context, const xmpi_request_t *request,
                                 xmpi_error_t *error)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_steering_t *steering = &context->progress.steering;
    xmpi_availability_t change;
    int more = 0;
    steering->coming = 0; /* those before were another number */
    xmpi_status_t status = xmpi_availability_have(
        &shared->resources, &shared->layout, xmpi_availability_placement(&shared->settings),
        request->processes, xmpi_trace_clock(), &more, &change, error);
    bool asked = status == XMPI_ERR_INPUT && more > 0 && ask_for_more(context, more);
    if (status == XMPI_OK || asked)
        steering->told = request->processes;
    if (status != XMPI_OK) /* who joins later is told of then */
        return asked ? XMPI_OK : status;
    xmpi_availability_note(context, "xmpictl", &change);
    steering->wanted = more > 0 ? more : 0;
    steering->wanted_class = XMPI_ANY_CLASS;
    return XMPI_OK;
}

static xmpi_status_t wish_move(xmpi_context_t *context, const xmpi_request_t *request,
                               xmpi_error_t *error)
{
    bool moves = request->kind == XMPI_REQUEST_MOVE;
    if (!moves && !context->shared.movable && !context->shared.resizable)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "swap is for movable and resizable loops");
    if (context->pinned)
        return xmpi_error_set(error, XMPI_ERR_INPUT, "this loop keeps its processes");
    context->progress.steering.wished =
        (xmpi_wished_move_t){.kind = moves ? XMPI_WISHED_MOVE : XMPI_WISHED_SWAP,
                             .asks = request->asks,
                             .rank = request->rank,
                             .other = request->other};
    return XMPI_OK;
}

static xmpi_status_t change_node(xmpi_context_t *context, const xmpi_request_t *request,
                                 xmpi_error_t *error)
{
    xmpi_resources_t *resources = &context->shared.resources;
    xmpi_availability_t change;
    xmpi_nodes_name(&context->shared); /* who has come meanwhile leaves as well */
    xmpi_status_t status =
        request->kind == XMPI_REQUEST_WITHDRAW
            ? xmpi_availability_withdraw(resources, request->text,
                                         xmpi_trace_clock() + context->shared.settings.grace,
                                         &change, error)
            : xmpi_availability_offer(resources, request->text, &change, error);
    if (status == XMPI_OK)
        status = xmpi_availability_room(context, error);
    if (status == XMPI_OK)
        xmpi_availability_note(context, "xmpictl", &change);
    return status;
}

/* The file begins anew; a trace that ends says so. */
static xmpi_status_t change_trace(xmpi_context_t *context, const xmpi_request_t *request,
                                  xmpi_error_t *error)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_trace_close(&context->trace);
    strcpy(shared->settings.trace, request->text);
    xmpi_status_t status = xmpi_trace_open(&context->trace, shared, true, error);
    if (status != XMPI_OK)
        shared->settings.trace[0] = '\0';
    else if (request->text[0] != '\0')
        xmpi_trace_start(&context->trace, shared, context->loop, xmpi_monitor.counter.event,
                         context->interval, context->progress.bound);
    return status;
}

static xmpi_status_t change_policy(xmpi_context_t *context, const xmpi_request_t *request,
                                   xmpi_error_t *error)
{
    xmpi_settings_t *settings = &context->shared.settings;
    xmpi_status_t status = xmpi_settings_change(settings, "XMPI_POLICY", request->text, error);
    if (status == XMPI_OK)
        context->policy = xmpi_policy_find(settings->policy);
    return status;
}

static xmpi_status_t follow(xmpi_context_t *context, const xmpi_request_t *request,
                            xmpi_error_t *error)
{
    switch (request->kind) {
    case XMPI_REQUEST_GROW:
    case XMPI_REQUEST_SHRINK:
        return check_number(&context->shared, request, error) == XMPI_OK
                   ? change_members(context, request, error)
                   : XMPI_ERR_INPUT;
    case XMPI_REQUEST_MEMBERS:
        return check_number(&context->shared, request, error) == XMPI_OK
                   ? set_members(context, request, error)
                   : XMPI_ERR_INPUT;
    case XMPI_REQUEST_MOVE:
    case XMPI_REQUEST_SWAP:
        return wish_move(context, request, error);
    case XMPI_REQUEST_WITHDRAW:
    case XMPI_REQUEST_OFFER:
        return change_node(context, request, error);
    case XMPI_REQUEST_POLICY:
        return change_policy(context, request, error);
    case XMPI_REQUEST_GOAL:
        return xmpi_settings_change(&context->shared.settings, "XMPI_GOAL", request->text, error);
    case XMPI_REQUEST_MATRIX:
        context->asked_matrix = true;
        return XMPI_OK;
    default:
        return change_trace(context, request, error);
    }
}

/* Whether what comes of a request is a decision on members. */
static bool is_planned(const xmpi_context_t *context, const xmpi_request_t *request)
{
    if (request->kind == XMPI_REQUEST_MEMBERS)
        return request->processes != context->shared.layout.members;
    if (request->kind == XMPI_REQUEST_WITHDRAW)
        return xmpi_node_has_members(&context->shared, request->text);
    return request->kind == XMPI_REQUEST_GROW || request->kind == XMPI_REQUEST_SHRINK ||
           request->kind == XMPI_REQUEST_MOVE || request->kind == XMPI_REQUEST_SWAP;
}

static void tell_followed(xmpi_context_t *context, const xmpi_request_t *request)
{
    int coming = context->progress.steering.coming;
    bool may_ask = request->kind == XMPI_REQUEST_GROW || request->kind == XMPI_REQUEST_MEMBERS;
    if (may_ask && coming > 0)
        xmpi_job_done(context, "nodes are asked for; %d members join when they have come", coming);
    else if (is_planned(context, request))
        return; /* the decision tells */
    else if (request->kind == XMPI_REQUEST_MEMBERS)
        xmpi_job_done(context, "there are %d members", request->processes);
    else
        xmpi_job_done(context, "%s%s%s", xmpi_request_name(request->kind),
                      request->text[0] != '\0' ? " " : "", request->text);
}

static void refuse(xmpi_context_t *context, const xmpi_request_t *request, const char *why)
{
    xmpi_job_requested(context, request->number);
    fprintf(stderr, "xmpi: iteration %" PRId64 ": a request is not followed: %s\n",
            context->progress.iteration, why);
    xmpi_job_refused(context, why);
}

void xmpi_steer_pinned(xmpi_context_t *context, const char *why)
{
    xmpi_request_t request;
    context->pinned = true;
    if (why != NULL)
        snprintf(context->keeps, sizeof context->keeps, "%s", why);
    if (!steers(context))
        return;
    publish(context, NULL, 0); /* so that none comes behind those that wait */
    while (xmpi_endpoint_take(context->endpoint, &request))
        if (request.kind != XMPI_REQUEST_WORTH) /* who asks for that hears of it */
            refuse(context, &request, "this loop keeps its processes and blocks");
    xmpi_steer_changed(context);
}

void xmpi_steer_follow(xmpi_context_t *context)
{
    xmpi_request_t request;
    xmpi_error_t error;
    const xmpi_steering_t *steering = &context->progress.steering;
    if (!steers(context))
        return;
    xmpi_endpoint_go_on(context->endpoint); /* it leads still */
    /* One wish for members in an interval: each has a class of its own. */
    while (steering->wanted == 0 && steering->wished.kind == XMPI_WISHED_NOTHING &&
           xmpi_endpoint_take(context->endpoint, &request)) {
        if (request.kind == XMPI_REQUEST_WORTH) { /* a question that comes again and again */
            context->asked_worth = true;
            continue;
        }
        if (follow(context, &request, &error) != XMPI_OK) {
            refuse(context, &request, error.text);
            continue;
        }
        xmpi_job_requested(context, request.number);
        tell_followed(context, &request);
    }
}
