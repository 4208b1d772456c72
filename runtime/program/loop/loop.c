/* SPDX-License-Identifier: BSD-3-Clause
 * The adaptive loop: the pipeline observe, decide, act at the end of every sampling interval. */
#include "program/loop/loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/data/digest.h"
#include "act/data/row_file.h"
#include "act/world/world.h"
#include "base/floating.h"
#include "base/misuse.h"
#include "decide/policies/catalogue.h"
#include "observe/monitor.h"
#include "program/check/check.h"
#include "program/check/check_report.h"
#include "program/checkpoint/checkpoint.h"
#include "program/life/told.h"
#include "program/loop/begin_end.h"
#include "program/loop/first_layout.h"
#include "program/loop/deciding/interval.h"
#include "program/loop/opening.h"
#include "program/loop/deciding/verdict.h"
#include "program/members/ahead.h"
#include "program/members/job_log.h"
#include "program/members/members.h"
#include "program/members/out_of_core.h"
#include "program/members/park.h"
#include "program/members/steer.h"
#include "program/members/steer_close.h"
#include "trace/trace.h"

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
        xmpi_interval_count_talk(context);
    context->progress.settling = r->done;
    memset(r, 0, sizeof *r);
    xmpi_interval_cost(context);
    xmpi_interval_start(context);
}

/* What only this process knows of why a change was called off: its disk did not take its data. */
static void say_own_reason(const xmpi_context_t *context)
{
    const xmpi_execution_t *execution = &context->execution;
    bool disk = context->registry.outofcore != NULL || xmpi_row_files_first(&context->registry);
    if (execution->failed != XMPI_ERR_INPUT || !disk)
        return;
    if (xmpi_world.state == XMPI_STATE_JOINING)
        fprintf(stderr, "xmpi: a process that was to join: %s\n", execution->error.text);
    else
        fprintf(stderr, "xmpi: rank %d: %s\n", xmpi_world.rank, execution->error.text);
}

/* A joiner meets the others, which wait for it at the point that they had reached. */
static void join(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    while (!xmpi_loop_is_elsewhere(context, context->loop)) {
        bool meets =
            xmpi_call_ready(&context->greeting, &context->line, &context->ports, &context->broken);
        if (meets &&
            xmpi_members_change(context, &context->next, &context->registry) == XMPI_DONE) {
            context->gone = false;
            xmpi_loop_resume(context);
            xmpi_check_changed(context);
            return;
        }
        if (meets)
            say_own_reason(context);
        xmpi_leave(context); /* called off; it is here again when it has been called again */
    }
    /* It had parked here, and the others are at a later loop: it goes there as a joiner. */
    context->gone = true;
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
    xmpi_loop_choose_weights(context);
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
    if (xmpi_leads())
        xmpi_trace_pinned(&context->trace, &context->shared, context->progress.iteration, why);
    xmpi_steer_pinned(context, why);
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
    char why[512] = "a process had no room for its new data";
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
            (context->shared.movable || context->shared.resizable ||
             context->execution.failed == XMPI_ERR_PROCESS))
            snprintf(why, sizeof why, "%s", context->execution.error.text);
        say_own_reason(context);
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
    xmpi_interval_cost(context);
    xmpi_interval_account(context);
    bool change = xmpi_verdict(context, &next);
    if (context->saves_now)
        xmpi_checkpoint_take(context);
    context->progress.intervals++;
    if (change && xmpi_check_under_way(context)) {
        xmpi_check_begin(context, &next);
        xmpi_interval_start(context);
        change = false;
    } else if (change)
        change = reconfigure(context, &next);
    else
        xmpi_loop_resume(context);
    xmpi_layout_free(&next);
    return change;
}

/* Before the first iteration. */
static bool open_loop(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    xmpi_layout_t next = {0};
    xmpi_monitor.on = false;
    bool change = xmpi_opening(context, &next);
    if (change && xmpi_check_under_way(context)) {
        xmpi_check_begin(context, &next);
        change = false;
    } else if (change) {
        change = reconfigure(context, &next);
        xmpi_layout_free(&next);
        return change;
    }
    xmpi_interval_start(context);
    xmpi_layout_free(&next);
    return false;
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

/* At a point of a check; whether the caller's layout has changed. */
static bool check(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    bool change = false;
    switch (xmpi_check_step(context)) {
    case XMPI_CHECK_CHANGE:
        xmpi_interval_cost(context);
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
    xmpi_out_of_core_check(context);
    bool opens = context->opens && !context->in_loop;
    context->opens = false;
    if (context->in_loop)
        xmpi_interval_iterated(context);
    else if (xmpi_checkpoint_first(context)) {
        xmpi_loop_resume(context);
        return true;
    }
    context->in_loop = true;
    if (context->pinned)
        return false;
    if (opens)
        return open_loop(context);
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
