/* SPDX-License-Identifier: BSD-3-Clause
 * Checking a change of layout by an iteration in both. */
#include "program/check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/check/compare.h"
#include "act/check/streams.h"
#include "act/data/digest.h"
#include "act/data/row_file.h"
#include "act/machine/memory.h"
#include "act/startover/trial.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "observe/monitor.h"
#include "observe/wait.h"
#include "program/life/told.h"
#include "program/check/check_report.h"
#include "program/members/members.h"
#include "program/members/steer.h"
#include "program/members/steer_close.h"
#include "trace/trace.h"

static const char run_again[] =
    "an iteration that was run a second time, to check a change (XMPI_CHECK)";
static const char run_elsewhere[] =
    "an iteration that was run a second time, in another layout, to check a change (XMPI_CHECK)";

static xmpi_checking_t *checking(xmpi_context_t *context)
{
    return &context->progress.check;
}

static xmpi_block_t own_block(const xmpi_context_t *context)
{
    return context->shared.layout.member[xmpi_world.rank].block;
}

bool xmpi_check_under_way(const xmpi_context_t *context)
{
    return context->progress.check.phase != XMPI_CHECKING_IDLE;
}

/* --- the first iteration -------------------------------------------------------------------------
 */

/* Static variables that the runtime keeps right. */
static int list_own(xmpi_own_t *own)
{
    int *variable[XMPI_TOLD_MAX], n = xmpi_told_variables(variable);
    for (int i = 0; i < n; i++)
        own[i] = (xmpi_own_t){variable[i], sizeof(int)};
    return n;
}

static bool must_try(const xmpi_context_t *context)
{
    return context->progress.check.tries;
}

/* Of WANTED bytes as many as a check may take. */
static int64_t granted(const xmpi_context_t *context, int64_t wanted)
{
    int64_t limit = xmpi_memory_limit(wanted, context->shared.settings.memory_limit << 20,
                                      context->shared.layout.members);
    return wanted < limit ? wanted : limit;
}

static void note_outside(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    if (xmpi_outside_note(context->shared.settings.trace, &check->outside) != XMPI_OK)
        snprintf(check->why, sizeof check->why, "no memory for a list of open files");
}

/* WHY the check cannot be made, empty when it can. */
static void take_copy(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    const char *file = xmpi_row_files_first(&context->registry);
    if (file != NULL) {
        snprintf(check->why, sizeof check->why,
                 "the iteration changes rows in a file of the program's, %s", file);
        return;
    }
    int64_t bytes = context->shared.resizable
                        ? xmpi_trial_bytes(&context->start)
                        : xmpi_copy_bytes(&context->registry, own_block(context)) +
                              xmpi_kept_bytes(&context->registry, own_block(context));
    if (context->shared.resizable) {
        int enough = bytes <= granted(context, bytes), all = 0;
        PMPI_Allreduce(&enough, &all, 1, MPI_INT, MPI_MIN, xmpi_world.comm);
        if (!all || xmpi_trial_note(&context->start, xmpi_world.comm) != XMPI_OK)
            snprintf(check->why, sizeof check->why, "no memory for a copy of the state");
    } else if (bytes > granted(context, bytes) ||
               xmpi_copy_make(&context->registry, own_block(context), &check->start) != XMPI_OK)
        snprintf(check->why, sizeof check->why, "no memory for a copy of %" PRId64 " MiB",
                 bytes >> 20);
    else
        note_outside(context);
}

void xmpi_check_begin(xmpi_context_t *context, xmpi_layout_t *next)
{
    xmpi_check_t *check = &context->check;
    check->next = *next;
    *next = (xmpi_layout_t){0};
    check->why[0] = '\0';
    take_copy(context);
}

/* --- the end of the first iteration --------------------------------------------------------------
 */

/* The first of the members that has a WHY tells all; whether there is one. */
static bool agree_on(MPI_Comm comm, int rank, char *why)
{
    enum { NOBODY = 1 << 30 };
    int mine = why[0] != '\0' ? rank : NOBODY, least;
    PMPI_Allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, comm);
    if (least == NOBODY)
        return false;
    PMPI_Bcast(why, XMPI_CHECK_WHY_MAX, MPI_CHAR, least, comm);
    return true;
}

/* The state is what the iteration has begun with, and the copy "result" what it came to. */
static void turn_back(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    xmpi_status_t status =
        xmpi_copy_exchange(&context->registry, own_block(context), &check->start);
    if (status != XMPI_OK) {
        snprintf(check->why, sizeof check->why, "%s",
                 status == XMPI_ERR_MEMORY ? "no memory for a copy of its live variables"
                                           : "the iteration registers or frees arrays");
        return;
    }
    check->result = check->start;
    memset(&check->start, 0, sizeof check->start);
    /* what the way back would not bring: ghost rows may be older than what their owners have */
    if (xmpi_kept_note(&context->registry, own_block(context), &check->result, &check->kept) !=
        XMPI_OK)
        snprintf(check->why, sizeof check->why, "no memory for a copy of the rows of others");
}

static void free_copies(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    xmpi_trial_forget(&context->start);
    xmpi_copy_free(&check->start);
    xmpi_copy_free(&check->result);
    xmpi_kept_free(&check->kept);
    xmpi_outside_free(&check->outside);
    xmpi_memory_free(&check->memory);
}

/* The change that was to be checked does not take place, and WHY. */
static void drop(xmpi_context_t *context, const char *why)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    xmpi_check_t *check = &context->check;
    if (context->calling.joiners > 0)
        xmpi_call_cancel(&context->calling);
    xmpi_shared_forget(&context->shared, &check->next);
    xmpi_layout_free(&check->next);
    free_copies(context);
    checking(context)->phase = XMPI_CHECKING_IDLE;
    r->done = false;
    snprintf(r->reason, sizeof r->reason, "%s", why);
    if (xmpi_leads())
        xmpi_trace_reconfiguration(&context->trace, &context->shared, r);
    memset(r, 0, sizeof *r);
}

/* The change comes without a check. */
static xmpi_check_step_t leave_unchecked(xmpi_context_t *context, const char *why)
{
    xmpi_check_tell(context, XMPI_NOT_CHECKED, why, context->check.next.members);
    xmpi_check_say_unchecked(context, why);
    checking(context)->phase = XMPI_CHECKING_IDLE;
    free_copies(context);
    return XMPI_CHECK_CHANGE;
}

/* Which live variables are equal on all members: others are a member's own, and another layout has
 * others. Of one member alone that cannot be told before there are more. */
static const void *copied_value(const void *context, const xmpi_live_t *live)
{
    const xmpi_copy_t *copy = context;
    return xmpi_copy_live(copy, live);
}

static void find_alike(xmpi_context_t *context)
{
    xmpi_copy_t *result = &context->check.result;
    result->alike = calloc((size_t)context->registry.lives + 1, sizeof *result->alike);
    if (result->alike == NULL)
        xmpi_misuse("no memory to compare live variables");
    xmpi_digest_alike(&context->registry, copied_value, result, xmpi_world.comm, result->alike);
}

/* What nobody has registered, as it is after the first iteration. Where it was shown that there is
 * nothing the check goes on without it, and does not take much for it. */
static void note_memory(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    xmpi_own_t own[XMPI_TOLD_MAX];
    int n = list_own(own);
    size_t most = (size_t)granted(context, must_try(context) ? INT64_MAX : 16 << 20);
    check->noted_at = context->point_site;
    if (xmpi_memory_note(&context->registry, own, n, context->point_frame, most, &check->memory) !=
            XMPI_OK &&
        must_try(context))
        snprintf(check->why, sizeof check->why, "no memory for a copy of its static data");
}

/* The repetition: what it prints was printed, and random numbers come again; those of a program
 * that starts over are where its start has left them. */
static void repeat(xmpi_context_t *context)
{
    context->progress.iteration--;
    checking(context)->iterations++;
    checking(context)->began = xmpi_trace_clock();
    if (!context->shared.resizable)
        xmpi_outside_rewind(&context->check.outside);
}

static xmpi_check_step_t change(xmpi_context_t *context)
{
    checking(context)->phase = XMPI_CHECKING_OTHER;
    context->progress.under_way.iteration = context->progress.iteration - 1;
    if (!context->shared.resizable)
        find_alike(context);
    repeat(context);
    return XMPI_CHECK_CHANGE;
}

static xmpi_check_step_t first_over(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    char changed[XMPI_CHECK_WHY_MAX];
    MPI_Comm world = xmpi_world.comm;
    if (context->shared.resizable && check->why[0] == '\0')
        xmpi_trial_has_read(&context->start, check->why, sizeof check->why);
    if (context->shared.resizable) /* the rest is done where it has started (startover.c) */
        return agree_on(world, xmpi_world.rank, check->why) ? leave_unchecked(context, check->why)
                                                            : change(context);
    if (check->why[0] == '\0' && xmpi_outside_changed(&check->outside, changed, sizeof changed))
        snprintf(check->why, sizeof check->why, "%s", changed);
    if (check->why[0] == '\0')
        note_memory(context);
    if (agree_on(world, xmpi_world.rank, check->why))
        return leave_unchecked(context, check->why);
    turn_back(context);
    if (agree_on(world, xmpi_world.rank, check->why)) {
        if (check->result.made)
            xmpi_copy_exchange(&context->registry, own_block(context), &check->result);
        return leave_unchecked(context, check->why);
    }
    if (checking(context)->phase == XMPI_CHECKING_NEXT || !must_try(context))
        return change(context);
    checking(context)->phase = XMPI_CHECKING_AGAIN;
    repeat(context);
    xmpi_streams_drop(run_again);
    return XMPI_CHECK_GO_ON;
}

/* --- the end of the second iteration in the old layout -------------------------------------------
 */

static void add_seconds(xmpi_context_t *context)
{
    checking(context)->seconds += xmpi_trace_clock() - checking(context)->began;
}

/* Puts the memory that nobody has registered back to what it was after the first iteration, where
 * the frames are the same ones. Bytes; NAME is of the first. */
static size_t put_memory_back(xmpi_context_t *context, char *name, int size)
{
    *name = '\0';
    if (context->check.noted_at != context->point_site)
        return 0;
    return xmpi_memory_put_back(&context->check.memory, name, size);
}

/* What an iteration has come to is no matter of the state alone: after a change, which shows only
 * to those that have the state, it may come to anything. OTHER: a variable that is another one by
 * now, too, of the stack or static, which may be the cause of it or follow from it; empty: none. */
static xmpi_check_step_t refuse(xmpi_context_t *context, const xmpi_difference_t *difference,
                                const char *other)
{
    char why[XMPI_CHECK_WHY_MAX + XMPI_CHECK_PLACE], place[XMPI_CHECK_PLACE];
    xmpi_check_place(difference, place, sizeof place);
    snprintf(why, sizeof why,
             "the iteration gives another result when it is repeated (%s%s%s was %s, then %s): it "
             "keeps state that nobody registered%s%s%s, draws at random, or asks the clock; what "
             "of that lies in memory from malloc this "
             "check has changed once more",
             difference->name, place, place[0] != '\0' ? "," : "", difference->before,
             difference->after, *other != '\0' ? " (" : "", other,
             *other != '\0' ? " has changed as well)" : "");
    xmpi_check_tell(context, XMPI_CHECKED_DIFFERENT, why, context->check.next.members);
    xmpi_check_pin(context, why);
    drop(context, "an iteration gives another result when it is repeated");
    xmpi_steer_pinned(context, NULL);
    xmpi_check_end_if_asked(context, xmpi_world.comm);
    return XMPI_CHECK_GO_ON;
}

/* It repeats. What it has begun with is no more, as there is one copy only: the change is checked
 * by the next iteration, which begins with what the copy has. */
static void go_on(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    check->start = check->result;
    memset(&check->result, 0, sizeof check->result);
    xmpi_kept_free(&check->kept);
    xmpi_memory_free(&check->memory);
    note_outside(context);
    checking(context)->phase = XMPI_CHECKING_NEXT;
    checking(context)->iteration = context->progress.iteration;
}

static xmpi_check_step_t again_over(xmpi_context_t *context)
{
    char name[128];
    xmpi_check_t *check = &context->check;
    xmpi_block_t block = own_block(context);
    xmpi_difference_t difference;
    xmpi_compared_t compared = {
        .registry = &context->registry, .copy = &check->result, .block = block, .takes_part = true};
    xmpi_streams_restore();
    add_seconds(context);
    size_t bytes = put_memory_back(context, name, sizeof name);
    if (bytes > 0)
        snprintf(check->why, sizeof check->why,
                 "%zu bytes of %s are others after each iteration, and nobody registered them",
                 bytes, name);
    bool same = xmpi_check_compare(&compared, context->shared.settings.check_tolerance,
                                   xmpi_world.comm, &difference);
    bool kept = same && agree_on(xmpi_world.comm, xmpi_world.rank, check->why);
    xmpi_copy_restore(&context->registry, block, &check->result);
    if (!same)
        return refuse(context, &difference, bytes > 0 ? name : "");
    if (kept)
        return leave_unchecked(context, check->why);
    go_on(context);
    return XMPI_CHECK_GO_ON;
}

/* --- the change ----------------------------------------------------------------------------------
 */

void xmpi_check_changed(xmpi_context_t *context)
{
    if (checking(context)->phase != XMPI_CHECKING_OTHER)
        return;
    checking(context)->began = xmpi_trace_clock(); /* the change itself is not the check's */
    xmpi_streams_drop(run_elsewhere);
}

void xmpi_check_called_off(xmpi_context_t *context)
{
    if (checking(context)->phase != XMPI_CHECKING_OTHER)
        return;
    checking(context)->phase = XMPI_CHECKING_IDLE;
    if (!context->shared.resizable)
        xmpi_copy_restore(&context->registry, own_block(context), &context->check.result);
    context->progress.iteration++;
    free_copies(context);
}

void xmpi_check_started(xmpi_context_t *context)
{
    if (checking(context)->phase != XMPI_CHECKING_OTHER)
        return;
    checking(context)->phase = XMPI_CHECKING_IDLE;
    checking(context)->iterations = 1;
    checking(context)->seconds = context->start.trial_seconds;
    xmpi_check_tell(context, XMPI_CHECKED_EQUAL, "", context->shared.layout.members);
    free_copies(context);
}

void xmpi_check_differs(xmpi_context_t *context, int members)
{
    checking(context)->seconds += context->start.trial_seconds;
    xmpi_check_tell(context, XMPI_CHECKED_DIFFERENT, context->start.why, members);
    xmpi_check_pin(context, context->start.why);
    xmpi_check_end_if_asked(context, xmpi_world.comm);
    xmpi_steer_pinned(context, NULL);
}

/* --- the outcome ---------------------------------------------------------------------------------
 */

static const void *own_value(const void *context, const xmpi_live_t *live)
{
    return *(const bool *)context ? live->address : NULL;
}

/* After a layout of one member all its live variables were alike: those are compared that are so
 * now. */
static void find_alike_now(xmpi_context_t *context, bool member)
{
    xmpi_check_t *check = &context->check;
    bool *alike = calloc((size_t)context->registry.lives + 1, sizeof *alike);
    if (alike == NULL)
        xmpi_misuse("no memory to compare live variables");
    xmpi_digest_alike(&context->registry, own_value, &member, check->together, alike);
    free(check->result.alike);
    check->result.alike = alike;
}

/* All that took part in the change say it together. ENDED: the caller has left the loop. */
static xmpi_check_outcome_t judge(xmpi_context_t *context, bool member, bool ended)
{
    xmpi_check_t *check = &context->check;
    xmpi_check_outcome_t outcome = {.same = true};
    int said[2] = {member && ended, member && !ended};
    xmpi_wait_barrier(check->together); /* those that leave sleep until the iteration is over */
    PMPI_Allreduce(MPI_IN_PLACE, said, 2, MPI_INT, MPI_MAX, check->together);
    if (said[0] && said[1])
        xmpi_misuse("%s: only some members leave the loop in an iteration that XMPI_CHECK runs a "
                    "second time",
                    context->loop);
    outcome.ended = said[0];
    xmpi_compared_t compared = {.registry = &context->registry,
                                .copy = &check->result,
                                .takes_part = member,
                                .joined = check->joined};
    if (member)
        compared.block = own_block(context);
    if (check->before.members == 1)
        find_alike_now(context, member);
    outcome.same = xmpi_check_compare(&compared, context->shared.settings.check_tolerance,
                                      check->together, &outcome.difference);
    return outcome;
}

/* Nobody has to do with one another any more on account of the check. */
static void part(xmpi_context_t *context)
{
    checking(context)->phase = XMPI_CHECKING_IDLE;
    free_copies(context);
    xmpi_layout_free(&context->check.before);
    PMPI_Comm_disconnect(&context->check.together);
}

static xmpi_check_step_t other_over(xmpi_context_t *context)
{
    xmpi_streams_restore();
    xmpi_check_outcome_t outcome = judge(context, true, false);
    add_seconds(context);
    if (!outcome.same) {
        xmpi_check_report(context, &outcome);
        return XMPI_CHECK_BACK;
    }
    xmpi_check_tell(context, XMPI_CHECKED_EQUAL, "", context->shared.layout.members);
    part(context);
    xmpi_members_end_groups(context);
    return XMPI_CHECK_GO_ON;
}

xmpi_check_step_t xmpi_check_step(xmpi_context_t *context)
{
    xmpi_monitor.on = false;
    xmpi_check_step_t step = XMPI_CHECK_GO_ON;
    switch (checking(context)->phase) {
    case XMPI_CHECKING_FIRST:
    case XMPI_CHECKING_NEXT:
        step = first_over(context);
        break;
    case XMPI_CHECKING_AGAIN:
        step = again_over(context);
        break;
    case XMPI_CHECKING_OTHER:
        step = other_over(context);
        break;
    default:
        break;
    }
    xmpi_monitor.on = step == XMPI_CHECK_GO_ON;
    return step;
}

/* It has nothing to say; nor can it steer or write a trace meanwhile, as others may lead now. */
bool xmpi_check_held(xmpi_context_t *context)
{
    if (checking(context)->phase != XMPI_CHECKING_OTHER || context->check.together == MPI_COMM_NULL)
        return false;
    xmpi_steer_close(context);
    xmpi_trace_close(&context->trace);
    xmpi_monitor.on = false;
    xmpi_check_outcome_t outcome = judge(context, false, false);
    if ((!outcome.same || outcome.ended) && context->shared.settings.check == XMPI_CHECK_ABORT)
        xmpi_wait_barrier(context->check.together); /* the leader ends the job */
    if (!outcome.same && !outcome.ended)
        return true;
    part(context);
    return false;
}

/* --- back ----------------------------------------------------------------------------------------
 */

static void describe_way_back(xmpi_context_t *context, const xmpi_layout_t *next)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    int now = context->shared.layout.members;
    memset(r, 0, sizeof *r);
    r->iteration = context->progress.iteration;
    r->from = now;
    r->to = next->members;
    snprintf(r->kind, sizeof r->kind, "%s",
             r->to > now   ? "grow"
             : r->to < now ? "shrink"
                           : "rebalance");
    snprintf(r->reason, sizeof r->reason, "a check has found a difference");
}

/* The members have the data of the first iteration again, in the new layout. */
static void take_result(xmpi_context_t *context)
{
    char name[128];
    put_memory_back(context, name, sizeof name);
    xmpi_copy_restore(&context->registry, own_block(context), &context->check.result);
}

xmpi_outcome_t xmpi_check_go_back(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    xmpi_layout_t next = check->before;
    bool member = xmpi_layout_rank(&context->shared.layout, context->process) >= 0;
    xmpi_pack_t lives = check->result.lives;
    xmpi_kept_t kept = check->kept;
    check->before = (xmpi_layout_t){0};
    if (member)
        take_result(context);
    check->result.lives = (xmpi_pack_t){0};
    check->kept = (xmpi_kept_t){0};
    free_copies(context);
    checking(context)->phase = XMPI_CHECKING_IDLE;
    describe_way_back(context, &next);
    xmpi_outcome_t outcome = xmpi_members_change(context, &next, &context->registry);
    if (outcome == XMPI_DONE && !check->joined) {
        xmpi_registry_get_lives(&lives, &context->registry, NULL);
        xmpi_kept_put_back(&context->registry, own_block(context), &kept);
    }
    xmpi_pack_free(&lives);
    xmpi_kept_free(&kept);
    xmpi_layout_free(&next);
    part(context);
    if (outcome != XMPI_LEFT)
        xmpi_members_end_groups(context);
    xmpi_steer_pinned(context, NULL);
    return outcome == XMPI_CALLED_OFF && !member ? XMPI_LEFT : outcome;
}

/* --- the end of the loop
 * -------------------------------------------------------------------------- */

/* The loop has ended in the new layout, though it went on in the old one, where nobody can go back
 * to any more. */
static void end_in_other(xmpi_context_t *context)
{
    xmpi_check_outcome_t outcome = judge(context, true, true);
    add_seconds(context);
    outcome.same = false;
    xmpi_check_report(context, &outcome);
    part(context);
    xmpi_members_end_groups(context);
}

void xmpi_check_loop_end(xmpi_context_t *context)
{
    int phase = checking(context)->phase;
    xmpi_streams_restore();
    if (phase == XMPI_CHECKING_FIRST || phase == XMPI_CHECKING_NEXT)
        drop(context, "the loop ended before the change was checked");
    else if (phase == XMPI_CHECKING_AGAIN)
        xmpi_misuse("%s: iteration %" PRId64 ": the loop ends when the iteration is run a second "
                    "time, and went on before: it counts in memory that nobody has registered, so "
                    "that it cannot be checked (XMPI_CHECK=off)",
                    context->loop, checking(context)->iteration);
    else if (phase == XMPI_CHECKING_OTHER)
        end_in_other(context);
}
