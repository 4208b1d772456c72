/* SPDX-License-Identifier: BSD-3-Clause */
#include "program/loop/begin_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "act/world/world.h"
#include "base/floating.h"
#include "base/misuse.h"
#include "decide/planning/appointments.h"
#include "decide/policies/catalogue.h"
#include "observe/monitor.h"
#include "program/check/check.h"
#include "program/checkpoint/checkpoint.h"
#include "program/life/configure.h"
#include "program/loop/final_data.h"
#include "program/loop/first_layout.h"
#include "program/loop/deciding/interval.h"
#include "program/loop/pin.h"
#include "program/loop/deciding/prediction.h"
#include "program/loop/deciding/verdict.h"
#include "program/members/ahead.h"
#include "program/members/job_log.h"
#include "program/members/members.h"
#include "program/members/out_of_core.h"
#include "program/members/steer.h"
#include "program/traffic/matrix.h"
#include "trace/trace.h"

void xmpi_loop_choose_weights(xmpi_context_t *context)
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

/* To write there would destroy what runs now. */
static void check_variables(const xmpi_context_t *context, const void *frame)
{
    const char *name = frame != NULL ? xmpi_registry_find_dead(&context->registry, frame) : NULL;
    if (name != NULL)
        xmpi_misuse("%s: %s was registered in a variable of a function that has returned; register "
                    "one that lives as long as the loop",
                    context->loop, name);
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

/* Such a policy decides nothing here, which nobody would see. */
static void check_moves(const xmpi_context_t *context)
{
    const xmpi_policy_t *policy = context->policy;
    if (policy == NULL)
        return;
    if ((policy->needs & XMPI_OF_MOVES) != 0 && !context->shared.movable)
        fprintf(stderr,
                "xmpi: %s: the policy %s moves processes of movable loops (#pragma xmpi loop "
                "movable); members and rows of this one stay as they are\n",
                context->loop, policy->name);
    else if (policy->move == NULL && context->shared.movable)
        fprintf(stderr,
                "xmpi: %s: the policy %s adds and removes members, which a movable loop keeps: it "
                "decides nothing here (migrate, map, spread, swap and balance move processes)\n",
                context->loop, policy->name);
}

/* Nor does what only other policies go by. */
static void check_goal(const xmpi_context_t *context)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    if (settings->goal_text[0] != '\0' && xmpi_settings_given(settings, "XMPI_GOAL") &&
        context->policy != NULL && (context->policy->needs & XMPI_OF_GOAL) == 0)
        fprintf(stderr,
                "xmpi: %s: the policy %s does not work towards the goal (XMPI_POLICY=amp does); "
                "xmpi-share goes by it\n",
                context->loop, context->policy->name);
}

const char *xmpi_loop_name(const char *where)
{
    size_t length = strlen(where);
    return length < XMPI_LOOP_NAME_MAX ? where : where + length - (XMPI_LOOP_NAME_MAX - 1);
}

bool xmpi_loop_is_elsewhere(const xmpi_context_t *context, const char *where)
{
    const char *loop = context->resume.on ? context->resume.loop : context->shared.loop;
    return (xmpi_world.state == XMPI_STATE_JOINING || context->resume.on) &&
           strcmp(loop, xmpi_loop_name(where)) != 0;
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
    xmpi_interval_weigh(context);
    context->loop_ended = 0;
    context->progress.pass++;
    xmpi_checkpoint_again(context);
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

void xmpi_loop_set_interval(xmpi_context_t *context, int64_t interval)
{
    bool chosen = xmpi_settings_given(&context->shared.settings, "XMPI_INTERVAL");
    context->interval = interval > 0 && !chosen ? interval : context->shared.settings.interval;
}

/* A checkpoint of another loop, which was to be gone on from here, is none of this one. */
static void check_resumed(const xmpi_context_t *context, const char *where)
{
    if (xmpi_loop_is_elsewhere(context, where))
        xmpi_misuse("%s: the checkpoint set-%09" PRId64 " cannot be taken (XMPI_RESTART): it is of "
                    "the loop %s, which this one comes before",
                    where, context->resume.set, context->resume.loop);
}

/* Nothing of the loop has been done yet. */
static void begin_progress(xmpi_context_t *context, int64_t every, const char *clause)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    context->progress = (xmpi_progress_t){.loop = context->progress.loop + 1,
                                          .pass = 1,
                                          .every = every,
                                          .source_mark = context->progress.source_mark,
                                          .steering = context->progress.steering};
    context->progress.bound = settings->iterations > 0 ? settings->iterations : context->bound;
    context->bound = 0; /* of this loop only */
    snprintf(context->progress.clause, sizeof context->progress.clause, "%s",
             clause != NULL ? clause : "");
    context->progress.loop_started = context->progress.cost_until = xmpi_trace_clock();
    xmpi_interval_spent(context);
    context->progress.interval =
        xmpi_appointment_until(&context->shared.schedule, context->progress.loop, 0,
                               context->interval > 0 ? context->interval : 1);
}

/* The leader makes sure that what was asked for can be, and traces that the loop begins. */
static void begin_leading(xmpi_context_t *context)
{
    if (!xmpi_leads())
        return;
    check_bound(context);
    if (!context->pinned) {
        check_moves(context);
        check_goal(context);
    }
    xmpi_trace_start(&context->trace, &context->shared, context->loop, xmpi_monitor.counter.event,
                     context->interval, context->progress.bound);
}

/* WHY begins with what joins it to the line about the loop. */
static void say_pinned(xmpi_context_t *context, const char *why)
{
    const char *reason = why + strspn(why, ",: ");
    if (xmpi_leads())
        xmpi_trace_pinned(&context->trace, &context->shared, 0, reason);
    xmpi_job_say(context, "the loop keeps its processes%s", why);
    xmpi_steer_pinned(context, reason);
}

/* The loop WHERE is reached, which is not the one that there is. */
static void begin_anew(xmpi_context_t *context, const char *where, int64_t interval,
                       const char *clause)
{
    char why[512];
    xmpi_loop_close(context);
    choose_policy(context, clause);
    snprintf(context->shared.loop, sizeof context->shared.loop, "%s", xmpi_loop_name(where));
    context->pinned = xmpi_pin_reason(context, why, sizeof why);
    context->laid_out = !context->pinned;
    if (context->laid_out)
        xmpi_first_layout(context);
    begin_progress(context, interval, clause);
    xmpi_leader_begin(&context->shared.leader);
    xmpi_prediction_open(context);
    begin_leading(context);
    xmpi_job_say(context, "%s: the loop begins", context->loop);
    if (context->pinned)
        say_pinned(context, why);
    xmpi_interval_count_talk(context);
    xmpi_checkpoint_begin(context);
    xmpi_interval_start(context);
}

void xmpi_loop_begin(xmpi_context_t *context, const char *where, int64_t interval,
                     const void *frame)
{
    XMPI_OWN_FLOATING;
    const char *clause = context->policy_clause;
    const bool again = xmpi_world.state == XMPI_STATE_RUNNING && is_entered_again(context, where);
    context->loop = where;
    context->counted = false;
    context->last_loop = where;
    context->policy_clause = NULL;
    xmpi_loop_set_interval(context, interval);
    if (context->registry.frame > 0)
        xmpi_registry_sort(&context->registry);
    check_arrays(context);
    check_variables(context, frame);
    xmpi_loop_choose_weights(context);
    context->laid_out = true; /* of what others have told, or the last time */
    if (xmpi_world.state == XMPI_STATE_JOINING)
        return;
    check_resumed(context, where);
    xmpi_out_of_core_follow(context);
    if (again)
        begin_again(context);
    else
        begin_anew(context, where, interval, clause);
}

/* How well a goal was met, in a line: in seconds as it was asked for. The loop took SECONDS, which
 * would have been FIXED without any change (0: not known). */
static void report_goal(const xmpi_context_t *context, double seconds, double fixed)
{
    const xmpi_progress_t *progress = &context->progress;
    const xmpi_goal_t *asked = &context->shared.settings.goal;
    double since = xmpi_goal_since(asked, context->shared.started, progress->loop_started);
    double done = context->loop_ended - since;
    double goal = context->shared.leader.policy.finish - since;
    if (context->shared.leader.policy.finish <= 0)
        return;
    fprintf(stderr, "xmpi: %s: done %.4g s after the %s, the goal was %.4g s (%+.1f %%)",
            context->loop, done, asked->kind == XMPI_GOAL_SECONDS ? "start" : "begin of the loop",
            goal, 100 * (done - goal) / goal);
    if (fixed > 0 && progress->reconfigurations > 0)
        fprintf(stderr, "; %.4g s in the loop, %.4g s without adaptation as predicted", seconds,
                fixed);
    fprintf(stderr, "; cost %.4g\n", progress->cost);
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

/* What the iterations since the program was started would have taken without any change; 0 when
 * that cannot be told. */
static double static_seconds(const xmpi_progress_t *progress)
{
    int64_t made = progress->iteration - progress->from;
    return xmpi_baseline_seconds(&progress->baseline) * (double)made;
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
    xmpi_out_of_core_check(context);
    xmpi_check_loop_end(context);
    if (context->in_loop && !context->hand.used) /* the last iteration has no point behind it */
        xmpi_interval_iterated(context);
    xmpi_monitor.on = false;
    context->in_loop = false;
    context->repeats.said = false; /* of this loop only */
    context->least_rows = 0;
    context->doubted = NULL;
    xmpi_checkpoint_end(context);
    xmpi_final_data(context);
    xmpi_matrix_end(context);
    xmpi_interval_cost(context);
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
    const char *next = context->loop; /* the one that begins, if any */
    context->loop = context->shared.loop;
    if (xmpi_ahead(context)) {
        xmpi_ahead_cancel(context);
        xmpi_verdict_called_off(context, "the loop ended before the new processes were ready");
    }
    xmpi_prediction_close(context);
    double seconds = context->loop_ended - progress->loop_started;
    double fixed = static_seconds(progress);
    if (xmpi_leads())
        report_goal(context, seconds, fixed);
    if (xmpi_leads())
        xmpi_trace_end(&context->trace, &context->shared, progress->from, progress->iteration,
                       seconds, progress->reconfigurations, progress->reconfiguration_seconds,
                       progress->cost, fixed, &progress->nodes);
    xmpi_steer_end(context, seconds, fixed);
    context->loop = next;
    context->loop_ended = 0;
}
