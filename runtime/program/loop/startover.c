/* SPDX-License-Identifier: BSD-3-Clause
 * Loops that are resizable by starting over. What is done here is done on the stack that the
 * process was started with, while the program stands still (act/image/image.h), but for what is
 * only told. */
#define _GNU_SOURCE
#include "program/loop/startover.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "act/check/streams.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/export.h"
#include "base/floating.h"
#include "base/misuse.h"
#include "decide/policy/sizes.h"
#include "observe/clock.h"
#include "observe/wait.h"
#include "program/life/told.h"
#include "program/check/check.h"
#include "program/loop/begin_end.h"
#include "program/loop/loop.h"
#include "program/loop/movable.h"
#include "program/members/members.h"
#include "program/members/park.h"
#include "xmpi_gen.h"

static const char in_start[] = "its start with another number of members";

/* --- before main --------------------------------------------------------------------------------
 */

XMPI_EXPORT void xmpi_gen_starts_over(void)
{
    xmpi_context.start.wanted = true;
}

/* What it costs is a copy of the variables: only programs that have such a loop pay it. */
XMPI_EXPORT void xmpi_gen_restart(const void *restart)
{
    xmpi_context_t *context = &xmpi_context;
    xmpi_startover_t *start = &context->start;
    if (!start->wanted || context->image == NULL)
        return;
    ((const xmpi_restart_t *)restart)->note_reads();
    if (xmpi_startover_note(start, context->image, restart) != XMPI_OK)
        fprintf(stderr, "xmpi: no memory to note the first values of variables\n");
}

/* --- the state is told --------------------------------------------------------------------------
 */

XMPI_EXPORT void xmpi_gen_state_rows(const char *name, const void *base, int shape,
                                     unsigned long step, unsigned long bytes, long long rows,
                                     long long length, long long first, long long count,
                                     long long at, long long halo, long long behind)
{
    int64_t row_bytes = shape == XMPI_GEN_ARRAYS ? (int64_t)step
                        : shape == XMPI_GEN_FLAT ? (int64_t)step * length
                                                 : (int64_t)bytes * length;
    const xmpi_state_rows_t told = {.name = name,
                                    .shape = shape,
                                    .base = base,
                                    .row_bytes = row_bytes,
                                    .rows = rows,
                                    .own = {.count = count, .displ = first},
                                    .at = at,
                                    .before = halo,
                                    .behind = behind < 0 ? halo : behind,
                                    .around = behind >= 0};
    xmpi_state_tell_rows(&xmpi_context.start.now, &told);
}

XMPI_EXPORT void xmpi_gen_state_room(unsigned long bytes)
{
    xmpi_state_tell_room(&xmpi_context.start.now, (int64_t)bytes);
}

XMPI_EXPORT void xmpi_gen_state_same(const char *name, void *address, unsigned long size)
{
    xmpi_state_tell_same(&xmpi_context.start.now, name, address, size, xmpi_leads());
}

XMPI_EXPORT void xmpi_gen_state_root(void)
{
    xmpi_context.start.now.root = true;
}

XMPI_EXPORT void xmpi_gen_state_form(int of_rows, int kind, unsigned long bytes)
{
    const xmpi_state_form_t form = {.kind = kind, .bytes = (int64_t)bytes};
    xmpi_state_tell_form(&xmpi_context.start.now, of_rows != 0, form);
}

XMPI_EXPORT void xmpi_gen_state_own(const char *name, void *address, unsigned long n,
                                    unsigned long bytes, int type, const char *operation)
{
    xmpi_state_tell_own(&xmpi_context.start.now, name, address, n, bytes, type, operation);
}

/* --- the loop -----------------------------------------------------------------------------------
 */

static bool is_in(const xmpi_context_t *context, const char *where)
{
    return context->loop != NULL && context->shared.resizable &&
           strcmp(context->shared.loop, xmpi_loop_name(where)) == 0;
}

/* What the program reads from here on is of iterations. */
static void note_point(const xmpi_context_t *context, const char *where)
{
    if (context->start.program != NULL)
        context->start.program->at_loop(xmpi_loop_name(where));
}

static void forget_clauses(xmpi_context_t *context)
{
    context->bound = context->every = 0;
    context->policy_clause = NULL;
}

XMPI_EXPORT int xmpi_gen_due(const char *where)
{
    xmpi_context_t *context = &xmpi_context;
    if (xmpi_world.state == XMPI_STATE_PLAIN) {
        xmpi_part_check(&context->part, where);
        note_point(context, where);
        return 0;
    }
    if (!context->start.under_way && is_in(context, where) && xmpi_loop_counts_only(context)) {
        xmpi_loop_point(context);
        return 0;
    }
    xmpi_state_clear(&context->start.now);
    context->doubted = NULL; /* told anew, as the state is ... */
    forget_clauses(context); /* ... and what else the pragma says */
    return 1;
}

/* What its members tell of the state, when it begins. */
static void look_at_state(xmpi_context_t *context)
{
    xmpi_state_told_t *now = &context->start.now;
    char *wrong = context->start.why;
    snprintf(wrong, sizeof context->start.why, "%s", now->why);
    if (xmpi_rows_are_whole(now, xmpi_world.comm, now->why, sizeof now->why) && wrong[0] == '\0')
        return;
    if (wrong[0] == '\0')
        snprintf(wrong, sizeof context->start.why, "%s", now->why);
}

static void begin(xmpi_context_t *context, const char *where)
{
    const xmpi_state_told_t *now = &context->start.now;
    if (context->loop != NULL && !context->shared.movable && !context->shared.resizable)
        xmpi_misuse("%s: a resizable loop inside another adaptive loop, %s", where, context->loop);
    const char *doubted = context->doubted; /* of this loop, not of one that ends */
    xmpi_movable_end(context);
    context->doubted = doubted;
    context->shared.resizable = true;
    context->shared.rowless = now->arrays == 0;
    look_at_state(context);
    context->registry.domain = now->arrays > 0 ? now->array[0].rows : xmpi_world.size;
    double seconds = xmpi_clock_wall() - context->initialized;
    xmpi_loop_begin(context, where, context->every, NULL);
    context->progress.start_seconds = seconds;
}

/* --- starting -----------------------------------------------------------------------------------
 */

static void look(void);
static void abort_start(int number);

static struct sigaction abort_before; /* what SIGABRT did before the start */

/* What the start writes was written when the program was started first. That it aborts is one way
 * to say that it does not run with so many members. */
static void watch(void)
{
    struct sigaction action = {.sa_handler = abort_start};
    xmpi_streams_drop(in_start);
    sigaction(SIGABRT, &action, &abort_before);
    xmpi_wait_watch(look);
}

static void watch_start(const xmpi_context_t *context)
{
    context->start.program->hold_files(true);
    watch();
}

static void stop_watching(void)
{
    xmpi_wait_watch(NULL);
    sigaction(SIGABRT, &abort_before, NULL);
    xmpi_streams_restore();
}

/* Does not return: the program is at its first line. */
static void start_over(xmpi_context_t *context)
{
    watch_start(context);
    xmpi_startover_begin(&context->start);
    context->start.program->again();
}

static void finish(xmpi_context_t *context, const char *why);

/* It leaves when the others have its rows; until then it sleeps. */
static void go(xmpi_context_t *context)
{
    xmpi_told_forget();
    if (context->start.has)
        start_over(context);
    finish(context, "");
}

/* The loop goes on with this process in it. */
static void resume(xmpi_context_t *context, bool joins)
{
    context->loop = context->last_loop = context->shared.loop;
    context->registry.domain = context->shared.layout.domain;
    context->laid_out = true;
    context->pinned = false;
    context->loop_ended = 0;
    if (joins)
        xmpi_loop_set_interval(context, context->progress.every);
    xmpi_loop_resume(context);
}

/* Meets the members: whether it starts with them, or has got the program of one. Where that was
 * called off the process is here again when it has been called again. */
static bool meet(xmpi_context_t *context)
{
    xmpi_state_clear(&context->start.now);
    for (;;) {
        bool ready =
            xmpi_call_ready(&context->greeting, &context->line, &context->ports, &context->broken);
        xmpi_outcome_t outcome =
            ready ? xmpi_members_change(context, &context->next, &context->registry)
                  : XMPI_CALLED_OFF;
        if (outcome == XMPI_DONE)
            resume(context, true);
        if (outcome == XMPI_DONE || outcome == XMPI_STARTS)
            return outcome == XMPI_STARTS;
        xmpi_leave(context);
    }
}

/* A process that has been parked has a program that has run. */
static void rejoin(xmpi_context_t *context)
{
    context->image->let_go();
    xmpi_leave(context);
    if (!context->shared.resizable)
        xmpi_misuse("called to another kind of loop than the one that it has left");
    if (!meet(context))
        return;
    if (xmpi_startover_clear(&context->start) != XMPI_OK)
        xmpi_misuse("no memory to start the program over");
    start_over(context);
}

/* The program makes an iteration for the sake of a check, all of which is dropped; who leaves
 * waits for its outcome. Whether the caller is to go there. */
static bool tries(xmpi_context_t *context, xmpi_outcome_t *outcome)
{
    double now = xmpi_clock_wall();
    if (*outcome != XMPI_TRIES)
        return false;
    context->start.trial_seconds = -now;
    if (!context->start.has)
        *outcome = xmpi_members_started(context, "");
    else
        watch();
    return context->start.has;
}

/* What comes of the start: WHY it has failed here, empty where it has not. */
static void finish(xmpi_context_t *context, const char *why)
{
    bool had = context->start.had;
    int members = context->progress.under_way.to;
    if (context->start.has)
        stop_watching();
    if (context->start.tried) {
        context->start.trial_seconds += xmpi_clock_wall();
        context->started_at += context->start.trial_seconds;
    }
    xmpi_outcome_t outcome = xmpi_members_started(context, why);
    if (tries(context, &outcome))
        return;
    if (outcome == XMPI_DONE) {
        if (context->start.tried) /* the iteration of the check counts */
            context->progress.iteration++;
        resume(context, !had);
        xmpi_check_started(context);
        return;
    }
    if (outcome == XMPI_LEFT || !had) {
        rejoin(context);
        return;
    }
    bool differs = context->start.differs;
    if (xmpi_leads() && !differs)
        xmpi_sizes_refuse(&context->shared.leader.policy, members);
    xmpi_loop_called_off(context, context->execution.error.text);
    if (differs)
        xmpi_check_differs(context, members);
}

static void join(void *argument)
{
    XMPI_OWN_FLOATING;
    if (meet(argument))
        watch_start(argument);
}

void xmpi_startover_join(xmpi_context_t *context)
{
    if (xmpi_world.state != XMPI_STATE_JOINING || !context->shared.resizable)
        return;
    if (context->image == NULL || context->start.first.span == NULL)
        xmpi_misuse("called to a resizable loop by a program that is linked otherwise");
    context->image->outside(join, context);
}

/* --- the point ----------------------------------------------------------------------------------
 */

XMPI_EXPORT void xmpi_gen_resizes(void *where)
{
    XMPI_OWN_FLOATING;
    xmpi_context_t *context = &xmpi_context;
    context->leaves_loop = false;
    if (xmpi_world.state == XMPI_STATE_PLAIN)
        return;
    if (xmpi_world.state != XMPI_STATE_RUNNING)
        xmpi_misuse("%s: a process that is not a member is at a resizable loop", (char *)where);
    note_point(context, where);
    if (context->start.under_way) {
        forget_clauses(context);
        context->leaves_loop = strcmp(context->shared.loop, xmpi_loop_name(where)) != 0;
        if (!context->leaves_loop)
            finish(context, "");
        return;
    }
    if (!is_in(context, where))
        begin(context, where);
    forget_clauses(context); /* of another loop they are not */
    bool changed = xmpi_loop_point(context);
    if (context->start.under_way)
        go(context);
    else if (changed && xmpi_layout_rank(&context->shared.layout, context->process) < 0)
        rejoin(context); /* its program is elsewhere */
}

XMPI_EXPORT int xmpi_gen_leaves(void)
{
    return xmpi_context.leaves_loop;
}

/* --- a start that fails -------------------------------------------------------------------------
 */

static char failure[XMPI_STATE_WHY_MAX];

static void fail(void *argument)
{
    XMPI_OWN_FLOATING;
    xmpi_context_t *context = argument;
    context->leaves_loop = false;
    if (failure[0] != '\0')
        xmpi_startover_fail(context->execution.transit, context->execution.me);
    finish(context, failure);
}

/* Where others have failed there is nothing to wait for any more. */
static void look(void)
{
    xmpi_context_t *context = &xmpi_context;
    if (!context->start.under_way || !xmpi_startover_has_failed(context->execution.transit))
        return;
    failure[0] = '\0';
    context->image->outside(fail, context);
}

void xmpi_startover_ends(xmpi_context_t *context, const char *what)
{
    if (!context->start.under_way)
        return;
    snprintf(failure, sizeof failure, "with %d members the program does not come to the loop: %s",
             xmpi_world.size, what);
    context->image->outside(fail, context);
}

/* (abort lets its lock go before it raises the signal. This does not return, so that the signal is
 * to be let in again.) */
static void abort_start(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    xmpi_startover_ends(&xmpi_context, "it aborts");
}

XMPI_EXPORT void xmpi_gen_ends(int status)
{
    char what[64];
    snprintf(what, sizeof what, "it ends with status %d", status);
    xmpi_startover_ends(&xmpi_context, what);
}

/* In a program that xmpicc has linked this is its own (image/restart.c). */
XMPI_EXPORT __attribute__((weak)) int xmpi_gen_resized(const char *where)
{
    xmpi_gen_resizes((void *)(uintptr_t)where);
    return xmpi_gen_leaves();
}
