/* SPDX-License-Identifier: BSD-3-Clause
 * Observe and decide: what the leader makes of the samples of an interval, for all. */
#include "program/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collective.h"
#include "decide/appointments.h"
#include "decide/interval.h"
#include "misuse.h"
#include "observe/wait.h"
#include "program/ahead.h"
#include "program/availability.h"
#include "program/members.h"
#include "program/prediction.h"
#include "program/steer.h"

enum { KEEP, CHANGE, SEND_WEIGHTS };

/* What the leader tells the others. Plain data. */
typedef struct {
    int what;
    int64_t interval;   /* iterations of the next one */
    int64_t considered; /* iteration of the last decision */
} verdict_t;

static bool leads(const xmpi_context_t *context)
{
    return context->world.rank == 0;
}

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

/* --- the leader ----------------------------------------------------------------------------------
 */

/* Iterations that are still to come, -1 when that is not known. */
static int64_t remaining(const xmpi_context_t *context)
{
    int64_t bound = context->progress.bound;
    int64_t left = bound - context->progress.iteration;
    return bound <= 0 ? -1 : left > 0 ? left : 0;
}

/* What the leader decides from. */
typedef struct {
    const xmpi_sample_t *samples;
    const double *prefix; /* NULL: the weights are not here */
    xmpi_predictor_t predictor;
    bool predicts; /* there is one */
    int64_t next;  /* iterations of the next interval */
} evidence_t;

static xmpi_view_t view_of(xmpi_context_t *context, evidence_t *evidence, xmpi_decision_t *decision)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    xmpi_policy_state_t *policy = &context->progress.policy;
    return (xmpi_view_t){.layout = &context->shared.layout,
                         .resources = &context->shared.resources,
                         .samples = evidence->samples,
                         .history = &context->shared.history,
                         .weighted = context->weighing != XMPI_LB_ROWS,
                         .prefix = evidence->prefix,
                         .loop = context->progress.loop,
                         .from_iteration = context->progress.considered,
                         .iteration = context->progress.iteration,
                         .imbalance_threshold = settings->imbalance,
                         .placement = settings->placement,
                         .schedule = &context->shared.schedule,
                         .seed = (uint64_t)settings->seed,
                         .remaining = remaining(context),
                         .predictor = evidence->predicts ? &evidence->predictor : NULL,
                         .may_grow = context->progress.iteration >= policy->may_grow_from,
                         .least_members =
                             evidence->predicts
                                 ? xmpi_policy_least_members(&evidence->predictor,
                                                             (double)settings->memory * (1 << 20))
                                 : 0,
                         .now = xmpi_trace_clock(),
                         .started = context->shared.started,
                         .loop_started = context->progress.loop_started,
                         .cost = context->progress.cost,
                         .goal = settings->goal,
                         .tolerance = settings->tolerance,
                         .constraint = settings->constraint,
                         .state = policy,
                         .decision = decision,
                         .wanted = context->wanted,
                         .wanted_class = context->wanted_class};
}

static void describe(xmpi_context_t *context, const xmpi_plan_t *plan, xmpi_reconfiguration_t *r)
{
    r->iteration = context->progress.iteration;
    strcpy(r->kind, xmpi_plan_kind(plan, &context->shared.layout));
    r->from = context->shared.layout.members;
    r->to = plan->places;
    snprintf(r->reason, sizeof r->reason, "%s", plan->reason);
    xmpi_steer_decided(context, r->reason);
}

/* Whoever cannot have processes asks again after 1, 2, 4, ... intervals. */
static void wait_before_growing(xmpi_context_t *context)
{
    const xmpi_progress_t *progress = &context->progress;
    xmpi_policy_state_t *policy = &context->progress.policy;
    int doublings = policy->refusals < 20 ? policy->refusals++ : 20;
    policy->may_grow_from = progress->iteration + progress->interval * ((int64_t)1 << doublings);
}

void xmpi_verdict_called_off(xmpi_context_t *context, const char *why)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    snprintf(r->reason, sizeof r->reason, "%s", why);
    r->done = false;
    wait_before_growing(context);
    xmpi_steer_decided(context, why);
    xmpi_prediction_called_off(context);
    fprintf(stderr,
            "xmpi: iteration %" PRId64 ": no %s from %d to %d: %s; the program goes on as before\n",
            r->iteration, r->kind, r->from, r->to, why);
    xmpi_trace_reconfiguration(&context->trace, &context->shared, r);
}

/* The next layout of a plan that can be followed. */
static xmpi_status_t lay_out(xmpi_context_t *context, const xmpi_plan_t *plan, xmpi_layout_t *next,
                             xmpi_error_t *error)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_status_t status = xmpi_plan_check(plan, &shared->layout, &shared->resources, error);
    if (status == XMPI_OK) {
        status = next_layout(shared, plan, next);
        xmpi_error_set(error, status, "no memory for %d members", plan->places);
    }
    if (status == XMPI_OK)
        status = xmpi_layout_widen(next, xmpi_registry_widest_halo(&context->registry), error);
    return status;
}

/* How a change that is ahead gets on: whether it comes now. */
static bool comes_now(xmpi_context_t *context, xmpi_layout_t *next)
{
    xmpi_error_t error = {""};
    if (!xmpi_ahead_stands(context)) {
        xmpi_ahead_cancel(context);
        xmpi_verdict_called_off(context, "a node is withdrawn");
        return false;
    }
    xmpi_call_state_t state = xmpi_ahead_look(context, next, &error);
    if (state == XMPI_CALL_FAILED)
        xmpi_verdict_called_off(context, error.text);
    return state == XMPI_CALL_READY;
}

/* The change to NEXT comes only when its processes have been got in the background, which begins
 * here where that is wanted. When it cannot be begun there is no change. */
static int put_ahead(xmpi_context_t *context, xmpi_layout_t *next)
{
    xmpi_error_t error = {""};
    if (context->shared.settings.background == 0 ||
        xmpi_members_joiners(&context->shared.layout, next) == 0)
        return CHANGE;
    if (xmpi_ahead_start(context, next, &error) != XMPI_OK) {
        xmpi_verdict_called_off(context, error.text);
        xmpi_shared_forget(&context->shared, next);
    }
    return KEEP;
}

/* Before anything is expected of the next interval. */
static void trace_interval(xmpi_context_t *context, const xmpi_sample_t *samples, const char *kept)
{
    const xmpi_progress_t *progress = &context->progress;
    bool expected = progress->expected_iterations == samples[0].iterations;
    xmpi_trace_interval(&context->trace, &context->shared, progress->intervals, progress->iteration,
                        samples, progress->cost, kept, expected ? &progress->expected : NULL);
}

/* A change that is wanted begins, if it can be made. */
static int begin(xmpi_context_t *context, xmpi_status_t status, const xmpi_error_t *error,
                 xmpi_layout_t *next)
{
    if (status == XMPI_OK) {
        xmpi_trace_plan(&context->trace, &context->shared, &context->progress.under_way, next);
        return put_ahead(context, next);
    }
    xmpi_verdict_called_off(context, error->text);
    xmpi_shared_forget(&context->shared, next);
    return KEEP;
}

/* Whether there is to be another layout, and which; or whether that depends on weights which are
 * not here yet. */
static int decide(xmpi_context_t *context, evidence_t *evidence, xmpi_layout_t *next)
{
    xmpi_decision_t decision = {.chosen = -1};
    xmpi_policy_state_t before = context->progress.policy;
    evidence->predictor.at.prefix = evidence->prefix;
    xmpi_view_t view = view_of(context, evidence, &decision);
    xmpi_plan_t plan = {0};
    xmpi_error_t error = {""};
    xmpi_status_t status = xmpi_policy_decide(context->policy, &view, &plan, &error);
    if (status == XMPI_NEEDS_WEIGHTS && evidence->prefix == NULL) {
        context->progress.policy = before; /* it is asked anew */
        return SEND_WEIGHTS;
    }
    if (decision.alternatives > 0)
        xmpi_trace_decision(&context->trace, &context->shared, context->progress.iteration,
                            &decision);
    if (!before.unreachable && context->progress.policy.unreachable)
        fprintf(stderr, "xmpi: iteration %" PRId64 ": %s\n", context->progress.iteration,
                decision.unreachable);
    bool wanted = status != XMPI_OK || plan.places > 0;
    if (wanted)
        describe(context, &plan, &context->progress.under_way);
    if (wanted && status == XMPI_OK)
        status = lay_out(context, &plan, next, &error);
    if (!wanted)
        xmpi_steer_kept(context, plan.reason);
    trace_interval(context, evidence->samples, wanted ? "" : plan.reason);
    xmpi_prediction_expect(context, view.predictor, &plan, evidence->next);
    xmpi_plan_free(&plan);
    return wanted ? begin(context, status, &error, next) : KEEP;
}

/* Takes the samples in; whether they are worth a decision. Without memory the old history stays. */
static bool take_in(xmpi_context_t *context, const xmpi_sample_t *samples)
{
    xmpi_shared_t *shared = &context->shared;
    if (context->interval == 0 && context->progress.intervals == 0 &&
        !xmpi_interval_is_telling(samples))
        return false;
    xmpi_history_add(&shared->history, &shared->layout, &shared->resources, samples,
                     (int)shared->settings.window, shared->settings.interference);
    return true;
}

/* Nodes of a machine file may have to be left in time. */
static double longest_interval(const xmpi_settings_t *settings)
{
    return settings->machines[0] != '\0' ? settings->grace / 3 : 0;
}

int64_t xmpi_verdict_until_due(const xmpi_context_t *context, int64_t interval)
{
    const xmpi_progress_t *progress = &context->progress;
    int64_t ahead =
        xmpi_appointment_ahead(&context->shared.schedule, progress->loop, progress->iteration);
    return ahead > 0 && ahead < interval ? ahead : interval;
}

static int64_t next_interval(const xmpi_context_t *context, const xmpi_sample_t *samples)
{
    xmpi_interval_t interval = {.samples = samples,
                                .members = context->shared.layout.members,
                                .cost = context->interval_cost,
                                .threshold = context->shared.settings.imbalance,
                                .longest = longest_interval(&context->shared.settings)};
    return xmpi_verdict_until_due(context, context->interval > 0 ? context->interval
                                                                 : xmpi_interval_next(&interval));
}

/* Nodes are left at the ends of intervals. */
static void warn_of_grace(const xmpi_context_t *context, const xmpi_sample_t *samples)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    if (context->interval > 0 && context->progress.intervals == 0 &&
        settings->machines[0] != '\0' && samples[0].wall > settings->grace)
        fprintf(stderr,
                "xmpi: XMPI_INTERVAL=%" PRId64 " takes %.3g s, longer than the %.3g s in which a "
                "withdrawn node is to be left (XMPI_GRACE)\n",
                context->interval, samples[0].wall, settings->grace);
}

static verdict_t judge(xmpi_context_t *context, evidence_t *evidence, xmpi_layout_t *next)
{
    const xmpi_sample_t *samples = evidence->samples;
    xmpi_availability_poll(context);
    warn_of_grace(context, samples);
    xmpi_steer_follow(context);
    verdict_t verdict = {.what = KEEP, .considered = context->progress.considered};
    verdict.interval = evidence->next = next_interval(context, samples);
    xmpi_members_turn_away(context);
    bool telling = take_in(context, samples);
    bool now = xmpi_ahead(context) && comes_now(context, next);
    if (now || xmpi_ahead(context)) {
        verdict.what = now ? CHANGE : KEEP;
        trace_interval(context, samples, now ? "" : "processes are being got");
    } else if (telling) {
        evidence->predicts = xmpi_prediction_make(context, samples, &evidence->predictor);
        verdict.what = decide(context, evidence, next);
        context->wanted = verdict.what == SEND_WEIGHTS ? context->wanted : 0;
        verdict.considered = context->progress.iteration;
    } else {
        trace_interval(context, samples, "too short to decide on");
    }
    if (verdict.what != SEND_WEIGHTS)
        xmpi_steer_tell(context, samples, verdict.interval);
    return verdict;
}

/* --- all -----------------------------------------------------------------------------------------
 */

/* Everybody does it, as everybody may lead. The first interval says little: memory and caches are
 * cold in it. */
static void add_first(xmpi_progress_t *progress, const xmpi_sample_t *sample)
{
    if (progress->reconfigurations > 0 || progress->intervals == 0)
        return;
    progress->first_seconds += sample->wall;
    progress->first_iterations += sample->iterations;
}

static xmpi_sample_t *gather_samples(xmpi_context_t *context)
{
    xmpi_progress_t *progress = &context->progress;
    xmpi_sample_t mine, *samples = NULL;
    if (leads(context)) {
        samples = calloc((size_t)context->shared.layout.members, sizeof *samples);
        if (samples == NULL)
            xmpi_misuse("no memory for %d samples", context->shared.layout.members);
    }
    xmpi_monitor_sample(&context->monitor, progress->iteration - progress->measured_from, &mine);
    add_first(progress, &mine);
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, samples, sizeof mine, MPI_BYTE, 0,
                context->world.comm);
    xmpi_prediction_collect(context, &mine);
    return samples;
}

/* The decision depends on the weights of all rows. */
static void decide_with_weights(xmpi_context_t *context, evidence_t *evidence, verdict_t *verdict,
                                xmpi_layout_t *next)
{
    double *prefix = xmpi_weights_gather(context->weighing, &context->weights, &context->registry,
                                         &context->shared.layout, &context->world);
    if (leads(context) && prefix == NULL) {
        xmpi_verdict_called_off(context, "a process had no memory for the weights of the rows");
        verdict->what = KEEP;
    } else if (leads(context)) {
        evidence->prefix = prefix;
        verdict->what = decide(context, evidence, next);
        xmpi_steer_tell(context, evidence->samples, verdict->interval);
    }
    free(prefix);
    PMPI_Bcast(verdict, sizeof *verdict, MPI_BYTE, 0, context->world.comm);
}

/* What all wait for once the last one is there, so that waiting for that one is not in it; twice,
 * as samples come to the leader on the way that its verdict goes. A single one may have been
 * disturbed. */
static void count_cost(xmpi_context_t *context, double seconds)
{
    static const double share_of_newest = 0.25;
    double cost = 2 * seconds, *mean = &context->interval_cost;
    *mean = *mean == 0 ? cost : *mean + share_of_newest * (fmin(cost, 4 * *mean) - *mean);
}

bool xmpi_verdict(xmpi_context_t *context, xmpi_layout_t *next)
{
    verdict_t verdict;
    if (context->sleeps) /* so that nobody spins in what follows */
        xmpi_wait_barrier(context->world.comm);
    xmpi_sample_t *samples = gather_samples(context);
    double start = xmpi_clock_wall();
    evidence_t evidence = {.samples = samples};
    if (leads(context))
        verdict = judge(context, &evidence, next);
    PMPI_Bcast(&verdict, sizeof verdict, MPI_BYTE, 0, context->world.comm);
    if (verdict.what == KEEP && leads(context))
        count_cost(context, xmpi_clock_wall() - start);
    if (verdict.what == SEND_WEIGHTS)
        decide_with_weights(context, &evidence, &verdict, next);
    if (evidence.predicts)
        xmpi_predictor_free(&evidence.predictor);
    free(samples);
    context->progress.interval = verdict.interval;
    context->progress.considered = verdict.considered;
    if (verdict.what == CHANGE)
        xmpi_members_announce(context, true, next);
    return verdict.what == CHANGE;
}
