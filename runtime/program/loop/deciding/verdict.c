/* SPDX-License-Identifier: BSD-3-Clause
 * Observe and decide: what the leader makes of the samples of an interval, for all. */
#include "program/loop/deciding/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/members/lay_out.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "act/moving/exchange.h"
#include "decide/leader/leader.h"
#include "decide/policies/catalogue.h"
#include "libraries/glpk_library.h"
#include "libraries/scotch_library.h"
#include "base/misuse.h"
#include "observe/clock.h"
#include "observe/monitor.h"
#include "observe/wait.h"
#include "program/members/ahead.h"
#include "program/members/follow_resources.h"
#include "program/check/check_decide.h"
#include "program/checkpoint/checkpoint.h"
#include "program/loop/deciding/held.h"
#include "program/loop/deciding/interval.h"
#include "program/traffic/matrix.h"
#include "program/members/idle.h"
#include "program/members/members.h"
#include "program/loop/deciding/prediction.h"
#include "program/loop/deciding/session.h"
#include "program/loop/deciding/worth.h"
#include "program/members/job_log.h"
#include "program/members/steer.h"
#include "program/traffic/traffic.h"
#include "settings/wishes.h"
#include "trace/trace.h"

enum { KEEP, CHANGE, SEND_WEIGHTS, SEND_TRAFFIC };

/* What the leader tells the others. Plain data. */
typedef struct {
    int what;
    bool matrix;      /* somebody has asked for it */
    bool saves;       /* a checkpoint is due, before there is a change */
    bool weighs;      /* the weights of the rows are asked for, but for no decision */
    int64_t interval; /* iterations of the next one */
} verdict_t;

/* --- the leader ----------------------------------------------------------------------------------
 */

/* ANSWERS: it is the answer to the request that is decided on. */
static void call_off(xmpi_context_t *context, const char *why, bool answers)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    snprintf(r->reason, sizeof r->reason, "%s", why);
    r->done = false;
    xmpi_leader_called_off(&context->shared.leader, context->progress.iteration,
                           context->progress.interval);
    if (answers)
        xmpi_job_refused(context, why);
    char members[64] = "";
    if (r->from != r->to)
        snprintf(members, sizeof members, " from %d to %d", r->from, r->to);
    fprintf(stderr, "xmpi: iteration %" PRId64 ": no %s%s: %s; the program goes on as before\n",
            r->iteration, r->kind, members, why);
    xmpi_trace_reconfiguration(&context->trace, &context->shared, r);
}

void xmpi_verdict_called_off(xmpi_context_t *context, const char *why)
{
    call_off(context, why, true);
}

/* How a change that is ahead gets on: whether it comes now. A request that has come since is not
 * what it is for, and may be why it does not come. */
static bool comes_now(xmpi_context_t *context, xmpi_layout_t *next)
{
    xmpi_error_t error = {""};
    const bool requested = context->ahead.request == context->progress.steering.request;
    if (!xmpi_ahead_stands(context)) {
        xmpi_ahead_cancel(context);
        call_off(context, "a node is withdrawn", requested);
        return false;
    }
    xmpi_call_state_t state = xmpi_ahead_look(context, next, &error);
    if (state == XMPI_CALL_FAILED)
        call_off(context, error.text, requested);
    return state == XMPI_CALL_READY;
}

/* Whether processes are to be started on a node where none of the program has been: it may not
 * answer. What a schedule says, or who has to leave a node, cannot wait for that, and a policy that
 * predicts nothing is none for a program that is not to stand still. */
static bool comes_to_new_node(const xmpi_context_t *context, const xmpi_layout_t *next)
{
    const xmpi_shared_t *shared = &context->shared;
    const xmpi_resources_t *resources = &shared->resources;
    bool is_new = false, waits = shared->schedule.actions > 0 ||
                                 !xmpi_policy_uses(context->policy, XMPI_OF_PREDICTIONS);
    for (int i = 0; i < resources->pes; i++)
        waits = waits || (resources->pe[i].withdrawn && resources->pe[i].process >= 0 &&
                          !resources->pe[i].parked);
    for (int i = 0; i < next->members && !waits; i++) {
        const xmpi_process_t *process = &shared->process[next->member[i].process];
        bool starts = process->initial_rank < 0 &&
                      resources->pe[process->pe].process != next->member[i].process;
        is_new = is_new || (starts && resources->pe[process->pe].node[0] != '\0' &&
                            !xmpi_pe_reached(resources, process->pe));
    }
    return is_new;
}

/* The change to NEXT comes only when its processes have been got in the background, which begins
 * here where that is wanted, or they come to a node that is new. When it cannot be begun there is
 * no change. */
static int put_ahead(xmpi_context_t *context, xmpi_layout_t *next)
{
    xmpi_error_t error = {""};
    if ((context->shared.settings.background == 0 && !comes_to_new_node(context, next)) ||
        xmpi_members_joiners(&context->shared.layout, next) == 0)
        return CHANGE;
    if (xmpi_ahead_start(context, next, &error) != XMPI_OK) {
        xmpi_verdict_called_off(context, error.text);
        xmpi_shared_forget(&context->shared, next);
    }
    return KEEP;
}

/* Bytes of the rows that are divided among the members; 0 where programs move as they are. */
static double state_of(const xmpi_context_t *context, const xmpi_occasion_t *occasion)
{
    double bytes = 0;
    if (context->shared.movable || occasion->array == NULL)
        return 0;
    for (int i = 0; i < occasion->arrays; i++)
        if (occasion->array[i].scheme == XMPI_SCHEME_DISTRIBUTED &&
            (!context->shared.resizable || occasion->array[i].when == XMPI_MOVES_AS_ROWS))
            bytes += (double)occasion->array[i].rows * occasion->array[i].row_bytes;
    return bytes;
}

static void trace_interval(xmpi_context_t *context, const xmpi_session_t *session, const char *kept)
{
    const xmpi_progress_t *progress = &context->progress;
    const xmpi_step_t *step = &session->step;
    xmpi_trace_interval(&context->trace, &context->shared, progress->intervals, progress->iteration,
                        session->occasion.samples, progress->cost,
                        state_of(context, &session->occasion), kept,
                        step->was_expected ? &step->expected : NULL);
}

/* Said once: it is found once. */
static void tell_mistaken(const xmpi_context_t *context)
{
    fprintf(stderr,
            "xmpi: iteration %" PRId64 ": %s say nothing of what blocks of rows take, which is "
            "learnt from their times from now on; XMPI_LB=rows does so from the begin\n",
            context->progress.iteration,
            context->weighing == XMPI_LB_NNZ ? "the nonzeros of the rows"
                                             : "the weights of the rows");
}

/* What the policy has considered, for those who follow the job. */
static void tell_decision(xmpi_context_t *context, const xmpi_session_t *session)
{
    const xmpi_step_t *step = &session->step;
    bool kept = step->outcome == XMPI_STEP_KEEPS;
    if (step->decision.alternatives > 0)
        xmpi_trace_decision(&context->trace, &context->shared, context->progress.iteration,
                            &step->decision);
    if (step->unreachable)
        fprintf(stderr, "xmpi: iteration %" PRId64 ": %s\n", context->progress.iteration,
                step->decision.unreachable);
    if (step->mistaken)
        tell_mistaken(context);
    if (kept)
        xmpi_job_kept(context, !session->occasion.wished.asks, step->plan.reason);
    trace_interval(context, session, kept ? step->plan.reason : "");
}

/* Whether there is to be another layout, and which; or whether that depends on weights or traffic
 * which are not here yet. */
static int follow(xmpi_context_t *context, xmpi_session_t *session, xmpi_layout_t *next)
{
    xmpi_step_t *step = &session->step;
    if (step->outcome == XMPI_STEP_WEIGHS)
        return SEND_WEIGHTS;
    if (step->outcome == XMPI_STEP_TALKS)
        return SEND_TRAFFIC;
    tell_decision(context, session);
    if (step->outcome == XMPI_STEP_KEEPS)
        return KEEP;
    xmpi_session_describe(context, session);
    if (step->outcome == XMPI_STEP_CHANGES && xmpi_session_lay_out(context, step, next)) {
        xmpi_trace_plan(&context->trace, &context->shared, &context->progress.under_way, next);
        return put_ahead(context, next);
    }
    xmpi_verdict_called_off(context, step->error.text);
    return KEEP;
}

/* Nodes are left at the ends of intervals. */
static void warn_of_grace(const xmpi_context_t *context, const xmpi_sample_t *samples)
{
    const xmpi_settings_t *settings = &context->shared.settings;
    if (context->interval > 0 && context->progress.intervals == 0 &&
        context->shared.resources.changes && samples[0].wall > settings->grace)
        fprintf(stderr,
                "xmpi: XMPI_INTERVAL=%" PRId64 " takes %.3g s, longer than the %.3g s in which a "
                "withdrawn node is to be left (XMPI_GRACE)\n",
                context->interval, samples[0].wall, settings->grace);
}

/* What changes the state of affairs before the decision. */
static void prepare(xmpi_context_t *context, const xmpi_sample_t *samples)
{
    xmpi_availability_poll(context);
    warn_of_grace(context, samples);
    xmpi_steer_follow(context);
    xmpi_members_turn_away(context);
}

/* Whether threads of the program that call MPI keep the members as they are; said once. */
static bool is_held(xmpi_context_t *context, const xmpi_sample_t *samples)
{
    int32_t threads = 0;
    for (int i = 0; i < context->shared.layout.members; i++)
        threads += samples[i].threads;
    if (threads > 0 && !context->said_threads)
        fprintf(
            stderr,
            "xmpi: %s: the loop keeps its processes while other threads that call MPI go on from "
            "one iteration to the next, as they would be in the world of before; let them end in "
            "the iteration\n",
            context->loop);
    context->said_threads = context->said_threads || threads > 0;
    if (threads > 0 && xmpi_ahead(context)) {
        xmpi_ahead_cancel(context);
        xmpi_verdict_called_off(context, "another thread calls MPI");
    }
    return threads > 0;
}

/* Whether the decision depends on something that all have to send. */
static bool asks(const xmpi_step_t *step)
{
    return step->outcome == XMPI_STEP_WEIGHS || step->outcome == XMPI_STEP_TALKS;
}

static verdict_t judge(xmpi_context_t *context, xmpi_session_t *session,
                       const xmpi_sample_t *samples, xmpi_layout_t *next)
{
    xmpi_step_t *step = &session->step;
    verdict_t verdict = {.what = KEEP};
    prepare(context, samples);
    bool held = is_held(context, samples);
    bool now = xmpi_ahead(context) && comes_now(context, next);
    xmpi_session_open(context, samples, session);
    session->occasion.waiting = now || held || xmpi_ahead(context);
    xmpi_leader_step(&context->shared.leader, &session->occasion, step);
    verdict.interval = step->interval;
    if (step->learnt)
        xmpi_prediction_record(context, step);
    if (session->occasion.waiting) {
        verdict.what = now ? CHANGE : KEEP;
        trace_interval(context, session,
                       now    ? ""
                       : held ? "another thread calls MPI"
                              : "processes are being got");
    } else if (step->decided || asks(step)) {
        verdict.what = follow(context, session, next);
        xmpi_steering_t *steering = &context->progress.steering;
        steering->wanted = asks(step) ? steering->wanted : 0;
        steering->wished = (xmpi_wished_move_t){0};
    } else {
        trace_interval(context, session, "too short to decide on");
    }
    if (!asks(step))
        xmpi_steer_tell(context, samples, verdict.interval);
    verdict.matrix = context->asked_matrix;
    verdict.weighs = verdict.what == KEEP && xmpi_worth_needs_weights(context, &session->occasion);
    verdict.saves = xmpi_checkpoint_is_due(context, samples);
    return verdict;
}

/* --- all -----------------------------------------------------------------------------------------
 */

/* Everybody does it, as everybody may lead. */
static void add_first(xmpi_progress_t *progress, const xmpi_sample_t *sample)
{
    if (progress->reconfigurations == 0)
        xmpi_baseline_add(&progress->baseline, sample->iterations, sample->wall);
}

static xmpi_sample_t *gather_samples(xmpi_context_t *context)
{
    xmpi_progress_t *progress = &context->progress;
    xmpi_sample_t mine, *samples = NULL;
    if (xmpi_leads()) {
        samples = calloc((size_t)context->shared.layout.members, sizeof *samples);
        if (samples == NULL)
            xmpi_misuse("no memory for %d samples", context->shared.layout.members);
    }
    xmpi_monitor_sample(&xmpi_monitor, progress->iteration - progress->measured_from, &mine);
    xmpi_idle_tell(context, &mine);
    xmpi_interval_tell_passes(context, &mine);
    mine.held = xmpi_movable_held(context);
    mine.image = xmpi_movable_bytes(context);
    xmpi_checkpoint_look(context, &mine);
    add_first(progress, &mine);
    PMPI_Gather(&mine, sizeof mine, MPI_BYTE, samples, sizeof mine, MPI_BYTE, 0, xmpi_world.comm);
    xmpi_prediction_collect(context, &mine);
    return samples;
}

/* It depends on who talks to whom, or is made without that where it is not to be had. */
static void get_traffic(const xmpi_context_t *context, xmpi_session_t *session)
{
    xmpi_status_t status = xmpi_traffic_gather(context, &session->traffic);
    session->occasion.traffic_asked = true;
    session->occasion.traffic = status == XMPI_OK ? &session->traffic : NULL;
}

static void decide_again(xmpi_context_t *context, xmpi_session_t *session, verdict_t *verdict,
                         xmpi_layout_t *next)
{
    bool had = true;
    if (verdict->what == SEND_WEIGHTS)
        had = xmpi_session_get_weights(context, session);
    else
        get_traffic(context, session);
    if (xmpi_leads() && !had) {
        xmpi_verdict_called_off(context, "a process had no memory for the weights of the rows");
        verdict->what = KEEP;
    } else if (xmpi_leads()) {
        xmpi_leader_step_again(&context->shared.leader, &session->occasion, &session->step);
        verdict->what = follow(context, session, next);
        xmpi_steer_tell(context, session->occasion.samples, verdict->interval);
    }
    if (xmpi_leads())
        context->progress.steering.wanted = 0;
    PMPI_Bcast(verdict, sizeof *verdict, MPI_BYTE, 0, xmpi_world.comm);
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

static double seconds_of_iteration(const xmpi_sample_t *samples)
{
    return samples[0].iterations > 0 ? samples[0].wall / (double)samples[0].iterations : 0;
}

bool xmpi_verdict(xmpi_context_t *context, xmpi_layout_t *next)
{
    verdict_t verdict;
    xmpi_deaths_interval(&context->deaths, true);
    if (xmpi_wait_sleeps()) /* so that nobody spins in what follows */
        xmpi_wait_barrier(xmpi_world.comm);
    xmpi_sample_t *samples = gather_samples(context);
    double start = xmpi_clock_wall();
    xmpi_session_t session = {.since = start};
    if (xmpi_leads())
        verdict = judge(context, &session, samples, next);
    PMPI_Bcast(&verdict, sizeof verdict, MPI_BYTE, 0, xmpi_world.comm);
    if (verdict.what == KEEP && xmpi_leads())
        count_cost(context, xmpi_clock_wall() - start);
    if (verdict.matrix)
        xmpi_matrix_tell(context);
    while (verdict.what == SEND_WEIGHTS || verdict.what == SEND_TRAFFIC)
        decide_again(context, &session, &verdict, next);
    if (verdict.weighs)
        xmpi_session_get_weights(context, &session);
    if (verdict.what == KEEP && xmpi_leads())
        xmpi_worth_tell(context, &session.occasion, &session.step);
    xmpi_deaths_interval(&context->deaths, false);
    context->progress.interval = verdict.interval;
    context->saves_now = verdict.saves;
    if (verdict.what == CHANGE && xmpi_leads())
        xmpi_check_decide(context, next, seconds_of_iteration(samples),
                          xmpi_session_gain(&session));
    xmpi_session_close(&session);
    free(samples);
    if (verdict.what == CHANGE)
        xmpi_members_announce(context, true, next);
    return verdict.what == CHANGE;
}
