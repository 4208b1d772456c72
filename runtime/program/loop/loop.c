/* SPDX-License-Identifier: BSD-3-Clause
 * The adaptive loop: the pipeline observe, decide, act at the end of every sampling interval. */
#include "program/loop/loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/digest.h"
#include "act/world/requests.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "decide/planning/appointments.h"
#include "base/floating.h"
#include "decide/policies/catalogue.h"
#include "observe/counter/counter.h"
#include "observe/monitor.h"
#include "observe/peers/peers.h"
#include "program/life/configure.h"
#include "program/members/follow_resources.h"
#include "program/members/ahead.h"
#include "program/check/check.h"
#include "program/checkpoint/checkpoint.h"
#include "program/check/check_report.h"
#include "program/loop/final_data.h"
#include "program/traffic/matrix.h"
#include "program/loop/first_layout.h"
#include "program/loop/pin.h"
#include "program/members/park.h"
#include "program/members/members.h"
#include "program/loop/prediction.h"
#include "program/members/job_log.h"
#include "program/members/steer.h"
#include "program/life/told.h"
#include "program/loop/verdict.h"
#include "base/misuse.h"
#include "program/members/steer_close.h"
#include "trace/trace.h"

/* Units of work of one iteration: the elements of the distributed arrays that the member owns, or
 * the weights of its rows. */
static double work_of_iteration(const xmpi_context_t *context)
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

/* From here on ranks mean other processes, or move other rows. */
static void count_talk(xmpi_context_t *context)
{
    xmpi_peers_begin();
    context->progress.talked_from = context->progress.iteration;
}

static void start_interval(xmpi_context_t *context)
{
    context->loop_work = work_of_iteration(context);
    context->progress.interval_start = context->progress.measured_from =
        context->progress.iteration;
    xmpi_monitor_start(&xmpi_monitor);
}

/* Weights may have changed since the interval began: its work is taken for half the old and half
 * the new. */
static void account_for_weights(xmpi_context_t *context)
{
    int64_t iterations = context->progress.iteration - context->progress.measured_from;
    if (context->weighing != XMPI_LB_WEIGHT)
        return;
    double more = (work_of_iteration(context) - context->loop_work) / 2;
    xmpi_counter_register(&xmpi_monitor.counter, more * (double)iterations);
}

static void choose_weights(xmpi_context_t *context)
{
    xmpi_error_t error;
    xmpi_status_t status = xmpi_weights_choose(context->shared.settings.lb, &context->weights,
                                               &context->registry, &context->weighing, &error);
    if (status != XMPI_OK && xmpi_world.state == XMPI_STATE_RUNNING && xmpi_leads())
        fprintf(stderr, "xmpi: %s: %s; until then all rows count alike\n", context->loop,
                error.text);
}

static void check_arrays(const xmpi_context_t *context)
{
    for (int i = 0; i < context->registry.arrays; i++) {
        const xmpi_array_t *array = &context->registry.array[i];
        if (array->slot == NULL)
            xmpi_misuse("%s: the array %s is not described", context->loop, array->name);
        if (array->scheme != XMPI_GEN_REPLICATED && array->rows != context->registry.domain)
            xmpi_misuse("%s: the array %s has %" PRId64 " rows, the domain %" PRId64, context->loop,
                        array->name, array->rows, context->registry.domain);
    }
}

/* A policy that works towards the end of the loop has to know of one. */
static void check_bound(const xmpi_context_t *context)
{
    bool needed = context->policy != NULL && (context->policy->needs & XMPI_OF_BOUND) != 0;
    if (needed && context->progress.bound == 0)
        fprintf(stderr,
                "xmpi: %s: nothing says how many iterations the loop makes, so that the goal "
                "cannot be worked towards; set XMPI_ITERATIONS\n",
                context->loop);
}

/* The name of the loop as everybody has it; of a long one its end, which has the line. */
const char *xmpi_loop_name(const char *where)
{
    size_t length = strlen(where);
    return length < XMPI_LOOP_NAME_MAX ? where : where + length - (XMPI_LOOP_NAME_MAX - 1);
}

bool xmpi_loop_is_elsewhere(const xmpi_context_t *context, const char *where)
{
    return xmpi_world.state == XMPI_STATE_JOINING &&
           strcmp(context->shared.loop, xmpi_loop_name(where)) != 0;
}

void xmpi_loop_follow(const xmpi_context_t *context, int kind)
{
    const xmpi_layout_t *layout = &context->shared.layout;
    if (xmpi_world.state != XMPI_STATE_RUNNING || context->last_loop == NULL ||
        layout->domain != context->registry.domain)
        return;
    const xmpi_block_t *block = &layout->member[xmpi_world.rank].block;
    if (kind == XMPI_GEN_COUNT || kind == XMPI_GEN_DISPL)
        xmpi_registry_refresh(&context->registry, kind,
                              kind == XMPI_GEN_COUNT ? block->count : block->displ);
}

/* The loop that was the last one, inside another loop of the program's, goes on where it was. */
static bool is_entered_again(const xmpi_context_t *context, const char *where)
{
    return context->last_loop != NULL && strcmp(context->last_loop, where) == 0 &&
           context->shared.layout.domain == context->registry.domain &&
           xmpi_layout_in_order(&context->shared.layout);
}

static void begin_again(xmpi_context_t *context)
{
    context->loop_work = work_of_iteration(context);
    context->loop_ended = 0;
    xmpi_monitor.on = true;
}

/* Everybody comes to the same settings, as all have had the same and see the same pragma. */
static void choose_policy(xmpi_context_t *context, const char *clause)
{
    xmpi_shared_t *shared = &context->shared;
    xmpi_error_t error;
    xmpi_status_t status = xmpi_settings_of_loop(&shared->settings, clause, &error);
    if (status == XMPI_OK && clause != NULL)
        status = xmpi_configure_check_costs(shared, &error);
    if (status != XMPI_OK)
        xmpi_misuse("%s: policy(...) of the pragma: %s", context->loop, error.text);
    context->policy = xmpi_policy_find(shared->settings.policy);
}

void xmpi_loop_begin(xmpi_context_t *context, const char *where, int64_t interval)
{
    XMPI_OWN_FLOATING;
    const char *clause = context->policy_clause;
    char why[512];
    bool again = xmpi_world.state == XMPI_STATE_RUNNING && is_entered_again(context, where);
    context->loop = where;
    context->last_loop = where;
    context->policy_clause = NULL;
    bool chosen = xmpi_settings_given(&context->shared.settings, "XMPI_INTERVAL");
    context->interval = interval > 0 && !chosen ? interval : context->shared.settings.interval;
    if (context->registry.frame > 0)
        xmpi_registry_sort(&context->registry);
    check_arrays(context);
    choose_weights(context);
    context->laid_out = true; /* of what others have told, or the last time */
    if (xmpi_world.state == XMPI_STATE_JOINING)
        return;
    if (again) {
        begin_again(context);
        return;
    }
    xmpi_loop_close(context);
    choose_policy(context, clause);
    snprintf(context->shared.loop, sizeof context->shared.loop, "%s", xmpi_loop_name(where));
    context->pinned = xmpi_pin_reason(context, why, sizeof why);
    context->laid_out = !context->pinned;
    if (context->laid_out)
        xmpi_first_layout(context);
    context->progress = (xmpi_progress_t){.loop = context->progress.loop + 1,
                                          .source_mark = context->progress.source_mark,
                                          .steering = context->progress.steering};
    context->progress.bound = context->shared.settings.iterations > 0
                                  ? context->shared.settings.iterations
                                  : context->bound;
    context->bound = 0; /* of this loop only */
    context->progress.loop_started = context->progress.cost_until = xmpi_trace_clock();
    context->progress.interval =
        xmpi_appointment_until(&context->shared.schedule, context->progress.loop, 0,
                               context->interval > 0 ? context->interval : 1);
    xmpi_leader_begin(&context->shared.leader);
    xmpi_prediction_open(context);
    if (xmpi_leads())
        check_bound(context);
    if (xmpi_leads())
        xmpi_trace_start(&context->trace, &context->shared, where, xmpi_monitor.counter.event,
                         context->interval, context->progress.bound);
    xmpi_job_say(context, "%s: the loop begins", context->loop);
    if (xmpi_leads() && context->pinned)
        xmpi_trace_pinned(&context->trace, &context->shared, 0, why + strspn(why, ",: "));
    if (context->pinned)
        xmpi_job_say(context, "the loop keeps its processes%s", why);
    count_talk(context);
    xmpi_checkpoint_begin(context);
    start_interval(context);
}

/* What the PEs of the members have cost since it was added up last. Everybody does it, as everybody
 * may lead. */
static void add_cost(xmpi_context_t *context)
{
    xmpi_progress_t *progress = &context->progress;
    const xmpi_shared_t *shared = &context->shared;
    double now = xmpi_trace_clock(), per_hour = 0;
    for (int i = 0; i < shared->layout.members; i++)
        per_hour += xmpi_shared_pe(shared, i)->cost;
    progress->cost += per_hour * (now - progress->cost_until) / 3600;
    progress->cost_until = now;
}

/* --- act ------------------------------------------------------------------------------------- */

/* A new leader goes on with the trace; the interval begins anew for all. */
void xmpi_loop_resume(xmpi_context_t *context)
{
    xmpi_error_t error;
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    context->in_loop = true;
    if (context->shared.movable || context->shared.resizable)
        xmpi_told_forget();
    xmpi_told_refresh(xmpi_world.rank, xmpi_world.size);
    if (xmpi_leads() &&
        xmpi_trace_open(&context->trace, &context->shared, false, &error) != XMPI_OK)
        fprintf(stderr, "xmpi: %s; the trace stops here\n", error.text);
    if (!xmpi_leads() &&
        (context->shared.movable || context->shared.resizable)) { /* it may have led until now */
        xmpi_steer_close(context);
        xmpi_trace_close(&context->trace);
    }
    if (xmpi_leads()) /* a policy that was chosen while others led */
        context->policy = xmpi_policy_find(context->shared.settings.policy);
    xmpi_steer_open(context);
    if (xmpi_leads() && r->done) {
        xmpi_trace_reconfiguration(&context->trace, &context->shared, r);
        xmpi_leader_changed(&context->shared.leader, &r->predicted, r->processes,
                            r->redistribution);
        xmpi_job_done(context, "%s: %d members instead of %d, in %.3g s", r->kind, r->to, r->from,
                      r->seconds);
    }
    xmpi_steer_changed(context);
    if (r->done)
        count_talk(context);
    context->progress.settling = r->done;
    memset(r, 0, sizeof *r);
    add_cost(context);
    start_interval(context);
}

/* A joiner meets the others, which wait for it at the point that they had reached. */
static void join(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    while (!xmpi_loop_is_elsewhere(context, context->loop)) {
        if (xmpi_call_ready(&context->greeting, &context->line, &context->ports,
                            &context->broken) &&
            xmpi_members_change(context, &context->next, &context->registry) == XMPI_DONE) {
            xmpi_loop_resume(context);
            xmpi_check_changed(context);
            return;
        }
        xmpi_leave(context); /* called off; it is here again when it has been called again */
    }
    /* It had parked here, and the others are at a later loop: it goes there as a joiner. */
    xmpi_pack_t reading = context->snapshot;
    xmpi_registry_get_lives(&reading, &context->registry, NULL);
}

void xmpi_loop_take_over(xmpi_context_t *context)
{
    context->loop = context->last_loop = context->shared.loop;
    context->interval = context->shared.settings.interval;
    context->laid_out = true;
    context->pinned = false;
    context->loop_ended = 0;
    context->registry.domain = context->next.domain;
    join(context);
}

/* What must be equal on all members is not: the program is not what it was taken for. */
static void disagree(xmpi_context_t *context, char *why, size_t size)
{
    char which[256] = "a value is not the same on all members";
    if (context->shared.resizable)
        snprintf(which, sizeof which, "%.255s", context->execution.error.text);
    else
        xmpi_digest_find(&context->registry, xmpi_world.comm, which, sizeof which);
    snprintf(why, size,
             "%s, though the loop takes it to be alike on all members, and keeps its processes and "
             "blocks from now on",
             which);
    context->pinned = true;
    if (xmpi_leads())
        xmpi_trace_pinned(&context->trace, &context->shared, context->progress.iteration, why);
}

void xmpi_loop_called_off(xmpi_context_t *context, const char *why)
{
    xmpi_check_called_off(context);
    if (xmpi_leads())
        xmpi_verdict_called_off(context, why);
    xmpi_loop_resume(context);
}

/* After a step of a change: resumes, or leaves when this process is not in the next layout. Whether
 * the caller's layout has changed. */
static bool conclude(xmpi_context_t *context, xmpi_outcome_t outcome)
{
    char why[512] = "a process had no memory for its new data";
    switch (outcome) {
    case XMPI_UNDER_WAY:
        return false;
    case XMPI_STARTS: /* the rest is done where it has started (program/loop/startover.c) */
        return true;
    case XMPI_DONE:
        xmpi_loop_resume(context);
        xmpi_check_changed(context);
        return true;
    case XMPI_LEFT:
        if (xmpi_check_held(context))
            return conclude(context, xmpi_check_go_back(context));
        if (context->hand.used) { /* it goes on to the end of the program by itself */
            xmpi_world.state = XMPI_STATE_REMOVED;
            return true;
        }
        if (context->shared.resizable) /* the rest is done where it may start over */
            return true;
        xmpi_leave(context);
        if (context->shared.movable)
            xmpi_loop_take_over(context);
        else
            join(context); /* it was called again */
        return xmpi_world.state == XMPI_STATE_RUNNING;
    default:
        if (context->execution.error.text[0] != '\0' &&
            (context->shared.movable || context->shared.resizable))
            snprintf(why, sizeof why, "%s", context->execution.error.text);
        if (context->execution.unequal)
            disagree(context, why, sizeof why);
        xmpi_loop_called_off(context, why);
        if (context->execution.unequal)
            xmpi_check_end_if_asked(context, xmpi_world.comm);
        return false;
    }
}

/* From the next layout to having it, or to going on as before. */
static bool reconfigure(xmpi_context_t *context, xmpi_layout_t *next)
{
    xmpi_error_t error;
    xmpi_saving_let_go(&context->saving);
    if (xmpi_members_call(context, next, NULL, XMPI_ORDER_JOIN, &error) == XMPI_OK)
        return conclude(context, xmpi_members_change(context, next, &context->registry));
    xmpi_loop_called_off(context, error.text);
    return false;
}

/* --- the end of an interval ------------------------------------------------------------------ */

static bool interval_end(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    xmpi_layout_t next = {0};
    xmpi_monitor.on = false;
    add_cost(context);
    account_for_weights(context);
    bool change = xmpi_verdict(context, &next);
    if (context->saves_now)
        xmpi_checkpoint_take(context);
    context->progress.intervals++;
    if (change && xmpi_check_under_way(context)) {
        xmpi_check_begin(context, &next);
        start_interval(context);
        change = false;
    } else if (change)
        change = reconfigure(context, &next);
    else
        xmpi_loop_resume(context);
    xmpi_layout_free(&next);
    return change;
}

/* While constant arrays move: all ask in the same iterations, a few times in an interval, whether
 * the change can be finished. There is no other decision until then. */
static bool go_on(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    const xmpi_progress_t *progress = &context->progress;
    int64_t period = progress->interval < 10 ? 1 : progress->interval / 10;
    xmpi_execute_drive(&context->execution);
    if ((progress->iteration - progress->interval_start) % period != 0)
        return false;
    return conclude(context, xmpi_members_ask(context, false));
}

/* The first iteration after a change is over: what setup did is not to be taken for what iterations
 * do. An interval of one iteration has no other. */
static void settle(xmpi_context_t *context)
{
    context->progress.settling = false;
    if (context->progress.interval < 2)
        return;
    context->progress.measured_from = context->progress.iteration;
    xmpi_monitor_start(&xmpi_monitor);
}

static void iterated(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    context->progress.iteration++;
    xmpi_counter_register(&xmpi_monitor.counter, context->loop_work);
    xmpi_monitor_iteration(&xmpi_monitor);
    if (context->progress.settling)
        settle(context);
}

/* At a point of a check; whether the caller's layout has changed. */
static bool check(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    bool change = false;
    switch (xmpi_check_step(context)) {
    case XMPI_CHECK_CHANGE:
        add_cost(context);
        change = reconfigure(context, &context->check.next);
        xmpi_layout_free(&context->check.next);
        return change;
    case XMPI_CHECK_BACK:
        return conclude(context, xmpi_check_go_back(context));
    default:
        return false;
    }
}

bool xmpi_loop_counts_only(const xmpi_context_t *context)
{
    const xmpi_progress_t *progress = &context->progress;
    return context->in_loop && !context->execution.under_way && !xmpi_check_under_way(context) &&
           (context->pinned ||
            progress->iteration + 1 - progress->interval_start < progress->interval);
}

bool xmpi_loop_point(xmpi_context_t *context)
{
    xmpi_progress_t *progress = &context->progress;
    if (xmpi_world.state == XMPI_STATE_JOINING) {
        join(context);
        return xmpi_world.state == XMPI_STATE_RUNNING;
    }
    if (context->in_loop)
        iterated(context);
    else if (xmpi_checkpoint_first(context)) {
        xmpi_loop_resume(context);
        return true;
    }
    context->in_loop = true;
    if (context->pinned)
        return false;
    if (context->execution.under_way)
        return go_on(context);
    if (xmpi_check_under_way(context))
        return check(context);
    if (progress->iteration - progress->interval_start < progress->interval) {
        xmpi_ahead_tend(context);
        return false;
    }
    return interval_end(context);
}

/* How well a goal was met, in a line. */
static void report_goal(const xmpi_context_t *context, double seconds)
{
    const xmpi_progress_t *progress = &context->progress;
    const xmpi_policy_state_t *policy = &context->shared.leader.policy;
    double goal = policy->finish - progress->loop_started;
    if (policy->finish <= 0)
        return;
    fprintf(stderr,
            "xmpi: %s: %.4g s, the goal was %.4g s (%+.1f %%), without a change of members %.4g s; "
            "cost %.4g\n",
            context->loop, seconds, goal, 100 * (seconds - goal) / goal, policy->static_seconds,
            progress->cost);
}

/* Nothing that anybody has to be told of at once: the change is not needed any more. */
static void give_up(xmpi_context_t *context)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    xmpi_members_ask(context, true);
    r->done = false;
    snprintf(r->reason, sizeof r->reason, "the loop ended before its data had moved");
    if (xmpi_leads())
        xmpi_trace_reconfiguration(&context->trace, &context->shared, r);
}

/* What ITERATIONS would have taken without any change; 0 when that cannot be told. */
static double static_seconds(const xmpi_progress_t *progress, int64_t iterations)
{
    return progress->first_iterations > 0
               ? progress->first_seconds * (double)iterations / (double)progress->first_iterations
               : 0;
}

void xmpi_loop_end(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    if (xmpi_loop_is_elsewhere(context, context->loop)) {
        context->in_loop = false;
        return;
    }
    if (xmpi_world.state == XMPI_STATE_JOINING)
        xmpi_misuse("%s: a joining process left the loop without an iteration", context->loop);
    if (context->execution.under_way)
        give_up(context);
    xmpi_check_loop_end(context);
    if (context->in_loop && !context->hand.used) /* the last iteration has no point behind it */
        iterated(context);
    xmpi_monitor.on = false;
    context->in_loop = false;
    context->repeats.said = false; /* of this loop only */
    context->doubted = NULL;
    xmpi_checkpoint_end(context);
    xmpi_final_data(context);
    xmpi_matrix_end(context);
    add_cost(context);
    context->loop_ended = xmpi_trace_clock();
    if (context->registry.frame == 0) /* else it may be entered again */
        xmpi_loop_close(context);
    context->loop = NULL;
}

void xmpi_loop_close(xmpi_context_t *context)
{
    const xmpi_progress_t *progress = &context->progress;
    if (context->loop_ended <= 0 || xmpi_world.state == XMPI_STATE_PLAIN)
        return;
    if (xmpi_ahead(context)) {
        xmpi_ahead_cancel(context);
        xmpi_verdict_called_off(context, "the loop ended before the new processes were ready");
    }
    xmpi_prediction_close(context);
    double seconds = context->loop_ended - progress->loop_started;
    double fixed = static_seconds(progress, progress->iteration);
    if (xmpi_leads())
        report_goal(context, seconds);
    if (xmpi_leads())
        xmpi_trace_end(&context->trace, &context->shared, progress->iteration, seconds,
                       progress->reconfigurations, progress->reconfiguration_seconds,
                       progress->cost, fixed);
    xmpi_steer_end(context, progress->iteration, fixed);
    context->loop_ended = 0;
}

/* The layout NEXT in which the members stay and have the blocks that they tell. */
static void lay_out_told(xmpi_context_t *context, xmpi_layout_t *next)
{
    xmpi_error_t error;
    xmpi_block_t *blocks = xmpi_first_blocks(context);
    if (xmpi_members_lay_out_blocks(&context->shared, blocks, next, &error) != XMPI_OK)
        xmpi_misuse("the layout of the program cannot be restored: %s", error.text);
    free(blocks);
}

bool xmpi_loop_restore(xmpi_context_t *context, const char *where)
{
    XMPI_OWN_FLOATING;
    xmpi_layout_t next = {0};
    xmpi_registry_t *registry = &context->registry;
    if (xmpi_world.state == XMPI_STATE_JOINING || context->pinned)
        return false;
    context->loop = where;
    lay_out_told(context, &next);
    bool change = !xmpi_layout_keeps_blocks(&next, &context->shared.layout);
    for (int i = 0; i < registry->arrays; i++) /* now, not in the background */
        registry->array[i].constant = false;
    if (change && xmpi_members_change(context, &next, registry) != XMPI_DONE)
        xmpi_misuse("%s: no memory to restore the layout of the program", where);
    xmpi_layout_free(&next);
    context->loop = NULL;
    return change;
}
