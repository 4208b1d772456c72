/* SPDX-License-Identifier: BSD-3-Clause
 * Changing the members: calling those that join, and carrying the change out. */
#include "program/members/members.h"
#include "program/members/out_of_core.h"

#include <stdlib.h>
#include <string.h>

#include "act/execute_start.h"
#include "act/members/lay_out.h"
#include "act/processes/join.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "observe/clock.h"
#include "observe/peers/peers.h"
#include "observe/wait.h"
#include "program/members/inquiry.h"
#include "program/members/steer_close.h"
#include "sources/sources.h"

xmpi_status_t xmpi_members_lay_out_blocks(xmpi_shared_t *shared, const xmpi_block_t *blocks,
                                          xmpi_layout_t *next, xmpi_error_t *error)
{
    xmpi_plan_t plan;
    xmpi_status_t status = xmpi_plan_alloc(&plan, shared->layout.members);
    if (status != XMPI_OK)
        return xmpi_error_set(error, status, "no memory for %d members", shared->layout.members);
    for (int i = 0; i < plan.places; i++)
        plan.place[i] =
            (xmpi_place_t){.origin = XMPI_STAYS, .from = i, .pe = -1, .block = blocks[i]};
    status = xmpi_shared_lay_out(shared, &plan, next, error);
    xmpi_plan_free(&plan);
    return status;
}

/* Spawners are on the node of the leader. */
static void count_spawners(xmpi_context_t *context, const xmpi_layout_t *next)
{
    const xmpi_door_t *door = &context->shared.process[next->member[0].process].door;
    bool stays = next->member[0].process == context->process;
    if (!stays)
        xmpi_spawners_await(&context->spawners, &context->doorbell);
    context->shared.spawners = !stays && door->home != 0 && door->home == xmpi_door_home()
                                   ? xmpi_spawners_idle(&context->spawners)
                                   : 0;
}

/* Anybody may lead next; the log, the largest part of it, goes to who does. */
static void put_progress(xmpi_pack_t *pack, xmpi_progress_t *progress, bool leader_stays)
{
    xmpi_log_t log = progress->steering.log;
    if (leader_stays)
        memset(&progress->steering.log, 0, sizeof log);
    xmpi_pack_put_sparse(pack, progress, sizeof *progress);
    progress->steering.log = log;
}

bool xmpi_members_announce(xmpi_context_t *context, bool change, xmpi_layout_t *next)
{
    xmpi_pack_t pack = {0};
    xmpi_progress_t *progress = &context->progress;
    bool leads = xmpi_leads();
    if (change && leads) {
        xmpi_inquiry_end(context); /* whoever is asked may join, or another lead */
        count_spawners(context, next);
        xmpi_steer_hand_over(context, next);
        xmpi_shared_put(&pack, &context->shared);
        xmpi_layout_put(&pack, next);
        put_progress(&pack, progress, next->member[0].process == context->process);
    }
    if (xmpi_world_tell(xmpi_world.comm, xmpi_world.rank, &pack) != XMPI_OK)
        xmpi_misuse("no memory for a layout");
    if (pack.size == 0)
        return false;
    if (!leads) {
        xmpi_shared_get(&pack, &context->shared);
        xmpi_layout_get(&pack, next);
        xmpi_pack_get_sparse(&pack, progress, sizeof *progress);
    }
    if (pack.status != XMPI_OK)
        xmpi_misuse("the state that all members share cannot be read");
    xmpi_pack_free(&pack);
    return true;
}

xmpi_caller_t xmpi_members_caller(xmpi_context_t *context)
{
    return (xmpi_caller_t){.shared = &context->shared,
                           .registry = &context->registry,
                           .world = &xmpi_world,
                           .doorbell = &context->doorbell,
                           .spawners = &context->spawners,
                           .process = context->process};
}

xmpi_status_t xmpi_members_begin(xmpi_context_t *context, const xmpi_layout_t *next,
                                 const xmpi_command_line_t *command, xmpi_order_t when,
                                 xmpi_error_t *error)
{
    xmpi_change_t change;
    xmpi_caller_t caller = xmpi_members_caller(context);
    if (xmpi_change_make(&context->shared.layout, next, &change) != XMPI_OK)
        xmpi_misuse("no memory for a list of %d members", next->members);
    xmpi_status_t status = XMPI_OK;
    xmpi_inquiry_end(context);
    if (change.joiners > 0)
        status = xmpi_call_begin(&caller, &change, next, command, when, &context->calling, error);
    xmpi_change_free(&change);
    return status;
}

/* The leader gets them, while the others wait for what it says. */
static xmpi_status_t get_processes(xmpi_context_t *context, const xmpi_layout_t *next,
                                   const xmpi_command_line_t *command, xmpi_order_t when,
                                   xmpi_error_t *error)
{
    xmpi_caller_t caller = xmpi_members_caller(context);
    xmpi_status_t status = XMPI_OK;
    if (context->calling.joiners == 0)
        status = xmpi_members_begin(context, next, command, when, error);
    if (status == XMPI_OK && context->calling.joiners > 0 &&
        xmpi_call_proceed(&caller, true, &context->calling, error) == XMPI_CALL_FAILED)
        status = XMPI_ERR_PROCESS;
    return status;
}

int xmpi_members_joiners(const xmpi_layout_t *layout, const xmpi_layout_t *next)
{
    xmpi_change_t change;
    if (xmpi_change_make(layout, next, &change) != XMPI_OK)
        xmpi_misuse("no memory for a list of %d members", next->members);
    int joiners = change.joiners;
    xmpi_change_free(&change);
    return joiners;
}

xmpi_status_t xmpi_members_call(xmpi_context_t *context, const xmpi_layout_t *next,
                                const xmpi_command_line_t *command, xmpi_order_t when,
                                xmpi_error_t *error)
{
    struct {
        int status;
        xmpi_error_t error;
    } result = {XMPI_OK, {""}};
    double start = xmpi_clock_wall();
    if (xmpi_members_joiners(&context->shared.layout, next) > 0) {
        if (xmpi_leads())
            result.status = get_processes(context, next, command, when, &result.error);
        PMPI_Bcast(&result, sizeof result, MPI_BYTE, 0, xmpi_world.comm);
    }
    *error = result.error;
    if (result.status != XMPI_OK)
        xmpi_shared_forget(&context->shared, next);
    else if (xmpi_leads()) {
        count_spawners(context, next); /* those that are called have doors now */
        xmpi_call_go(&context->calling);
    }
    context->progress.under_way.processes = xmpi_clock_wall() - start;
    context->progress.under_way.seconds = context->progress.under_way.processes;
    return (xmpi_status_t)result.status;
}

void xmpi_members_turn_away(xmpi_context_t *context)
{
    xmpi_caller_t caller = xmpi_members_caller(context);
    if (context->calling.joiners == 0 && context->calling.number > 0)
        xmpi_call_turn_away(&caller, &context->calling);
}

void xmpi_members_end_groups(xmpi_context_t *context)
{
    xmpi_shared_t *shared = &context->shared;
    for (int i = 0; i < shared->processes && xmpi_leads(); i++)
        if (shared->process[i].used && !xmpi_shared_ends_alone(shared, i) &&
            xmpi_shared_group_has_left(shared, shared->process[i].group))
            xmpi_farewell_say(&context->farewells, &shared->process[i].door, i);
    xmpi_shared_forget_groups(shared);
}

static void account(xmpi_context_t *context, const xmpi_cost_t *cost, double seconds)
{
    xmpi_reconfiguration_t *r = &context->progress.under_way;
    r->seconds += seconds;
    r->processes += cost->join;
    r->redistribution = cost->move;
    r->parting = cost->parting;
    r->start = cost->start;
    if (cost->start > 0)
        context->progress.start_seconds = cost->start;
    r->moving = cost->background;
    r->bytes = cost->bytes;
    r->messages = cost->messages;
    r->done = true;
    if (r->to > r->from)
        context->shared.leader.policy.refusals = 0;
    context->progress.reconfigurations++;
    context->progress.reconfiguration_seconds += r->seconds;
}

/* Who joins a movable loop may be lost until then. Who leads next opens an endpoint of the same
 * name. */
static void commit_to(void *context, const xmpi_layout_t *next)
{
    xmpi_context_t *c = context;
    const xmpi_door_t *leader = &c->shared.process[next->member[0].process].door;
    if (xmpi_world.rank == 0)
        xmpi_deaths_watch(&c->deaths, &c->shared, next, 0);
    else /* who has led may have ended when this process hears that all is done */
        xmpi_deaths_watch_only(&c->deaths, leader);
    if (next->member[0].process != c->process)
        xmpi_steer_close(c);
}

/* Who leaves has ended, or this process leaves, before all communicators are as they are to be: on
 * a busy machine seconds before. */
static void leave_world(void *context, const xmpi_layout_t *next)
{
    xmpi_context_t *c = context;
    int rank = xmpi_layout_rank(next, c->process);
    if (rank >= 0)
        xmpi_deaths_watch_next(&c->deaths, &c->shared, next, rank);
    else
        xmpi_deaths_watch_only(&c->deaths, NULL);
}

/* Processes that sleep take the job for dead when the leader that they know has ended. */
static void tell_who_leads(xmpi_context_t *context, const xmpi_door_t *leader)
{
    const xmpi_shared_t *shared = &context->shared;
    xmpi_farewells_wait(&context->farewells); /* of the last time */
    for (int i = 0; i < shared->processes && shared->resources.can_spawn; i++)
        if (shared->process[i].used && i != context->process &&
            xmpi_layout_rank(&shared->layout, i) < 0)
            xmpi_farewell_follow(&context->farewells, &shared->process[i].door, i, leader);
}

/* Where another process leads now, it has the spawners that it can reach. */
static void pass_on(xmpi_context_t *context)
{
    const xmpi_shared_t *shared = &context->shared;
    int leader = shared->layout.member[0].process;
    bool leads = leader == context->process;
    if (leads && !context->led)
        context->spawners.coming = shared->spawners;
    if (!leads && context->led) {
        const xmpi_door_t *door = &shared->process[leader].door;
        xmpi_spawners_hand_over(&context->spawners, shared->spawners, door);
        tell_who_leads(context, door);
        xmpi_source_leave(&shared->settings, false);
    }
}

/* Since the last change, or the begin of the loop: as far as the table of peers has room. */
static void mark_peers(uint64_t *marks, int ranks)
{
    enum { BITS = 64 };
    const xmpi_talk_t *talk;
    int64_t rest;
    int n = xmpi_peers_row(&talk, &rest);
    for (int i = 0; i < n; i++)
        if (talk[i].peer >= 0 && talk[i].peer < ranks)
            marks[talk[i].peer / BITS] |= (uint64_t)1 << talk[i].peer % BITS;
}

static xmpi_parts_t parts_of(xmpi_context_t *context, xmpi_registry_t *registry)
{
    registry->strategy = context->shared.settings.move;
    registry->memory_limit = context->shared.settings.memory_limit << 20;
    xmpi_out_of_core_choose(context, registry);
    return (xmpi_parts_t){
        .shared = &context->shared,
        .world = &xmpi_world,
        .registry = registry,
        .progress = &context->progress,
        .progress_size = sizeof context->progress,
        .process = context->process,
        .outside = context->loop == NULL,
        .image = context->shared.movable || context->shared.resizable ? context->image : NULL,
        .marks = mark_peers,
        .commits = commit_to,
        .leaves = leave_world,
        .context = context,
        .start = context->shared.resizable ? &context->start : NULL,
        .copy = &context->check.result,
        .together = &context->check.together,
        .tolerance = context->shared.settings.check_tolerance,
        .limit = xmpi_deaths_were(&context->deaths) ? context->shared.settings.timeout : 0};
}

void xmpi_members_choose_waiting(xmpi_context_t *context)
{
    xmpi_wait_choose(context->shared.settings.wait, xmpi_world.comm,
                     xmpi_world.state == XMPI_STATE_JOINING);
}

/* SECONDS that the program has stood still for this step of the change. */
static xmpi_outcome_t conclude(xmpi_context_t *context, xmpi_outcome_t outcome, double seconds)
{
    if (outcome == XMPI_UNDER_WAY)
        context->progress.under_way.seconds += seconds;
    if (outcome == XMPI_STARTS) {
        context->started_at = xmpi_clock_wall() - seconds;
        xmpi_world.state = XMPI_STATE_RUNNING; /* it may communicate, in the world to come */
    }
    if (outcome == XMPI_TRIES && context->start.has)
        xmpi_world.state = XMPI_STATE_RUNNING;
    if (outcome == XMPI_DONE || outcome == XMPI_LEFT)
        pass_on(context);
    if (outcome == XMPI_DONE ||
        (outcome == XMPI_CALLED_OFF && xmpi_world.state == XMPI_STATE_RUNNING))
        xmpi_deaths_watch(&context->deaths, &context->shared, NULL, xmpi_world.rank);
    if (outcome == XMPI_DONE) {
        if (context->check.together == MPI_COMM_NULL) /* else who has left may come back */
            xmpi_members_end_groups(context);
        account(context, &context->execution.cost, seconds);
        xmpi_members_choose_waiting(context);
        xmpi_world.state = XMPI_STATE_RUNNING;
    }
    return outcome;
}

/* Bytes of constant arrays from which on the program goes on while they move; -1: it does not. A
 * node that is withdrawn has to be left at once. */
static int64_t least_for_background(const xmpi_context_t *context)
{
    const xmpi_shared_t *shared = &context->shared;
    double least = shared->settings.move_background;
    for (int i = 0; i < shared->layout.members; i++)
        if (xmpi_shared_pe(shared, i)->withdrawn)
            return -1;
    return context->loop == NULL || least <= 0 || context->check.result.made
               ? -1
               : (int64_t)(least * (1 << 20));
}

/* For the way back, should the change be checked: joiners hear of that in the middle of it. */
static void remember_layout(xmpi_context_t *context)
{
    xmpi_check_t *check = &context->check;
    check->joined = xmpi_world.state == XMPI_STATE_JOINING;
    xmpi_layout_free(&check->before);
    if ((check->joined || check->result.made) &&
        xmpi_layout_copy(&check->before, &context->shared.layout) != XMPI_OK)
        xmpi_misuse("no memory for a list of %d members", context->shared.layout.members);
}

bool xmpi_members_move_programs(const xmpi_context_t *context, const xmpi_layout_t *next)
{
    const xmpi_shared_t *shared = &context->shared;
    return shared->movable ||
           (shared->resizable && xmpi_layout_keeps_blocks(&shared->layout, next));
}

static xmpi_outcome_t carry_out(xmpi_context_t *context, xmpi_layout_t *next,
                                xmpi_registry_t *registry, const xmpi_consent_t *consent)
{
    bool joins = xmpi_world.state == XMPI_STATE_JOINING;
    const xmpi_port_t *ports = joins ? context->ports : context->calling.ports;
    xmpi_parts_t parts = parts_of(context, registry);
    parts.consent = consent;
    double start = xmpi_clock_wall();
    if (!joins && !xmpi_members_move_programs(context, next)) /* who takes over may be lost */
        xmpi_deaths_watch(&context->deaths, &context->shared, next, xmpi_world.rank);
    remember_layout(context);
    context->led = !joins && xmpi_leads();
    xmpi_outcome_t outcome =
        xmpi_execute(&parts, next, ports, least_for_background(context), &context->execution);
    xmpi_calling_free(&context->calling);
    if (outcome == XMPI_UNDER_WAY && joins)
        outcome = xmpi_execute_ask(&parts, false, &context->execution);
    double ahead = joins && parts.image != NULL ? context->execution.cost.background : 0;
    return conclude(context, outcome, xmpi_clock_wall() - start - ahead);
}

xmpi_outcome_t xmpi_members_change(xmpi_context_t *context, xmpi_layout_t *next,
                                   xmpi_registry_t *registry)
{
    return carry_out(context, next, registry, NULL);
}

xmpi_outcome_t xmpi_members_move(xmpi_context_t *context, xmpi_layout_t *next,
                                 const xmpi_consent_t *consent)
{
    return carry_out(context, next, &context->registry, consent);
}

xmpi_outcome_t xmpi_members_started(xmpi_context_t *context, const char *why)
{
    xmpi_parts_t parts = parts_of(context, &context->registry);
    if (context->start.has && context->start.had && xmpi_world.rank != 0)
        xmpi_steer_close(context); /* who leads next opens one of the same name */
    xmpi_outcome_t outcome = xmpi_execute_started(&parts, why, &context->execution);
    if (!context->start.had)
        xmpi_world.state = XMPI_STATE_JOINING;
    return conclude(context, outcome, xmpi_clock_wall() - context->started_at);
}

xmpi_outcome_t xmpi_members_ask(xmpi_context_t *context, bool give_up)
{
    xmpi_parts_t parts = parts_of(context, &context->registry);
    double start = xmpi_clock_wall();
    xmpi_outcome_t outcome = xmpi_execute_ask(&parts, give_up, &context->execution);
    return conclude(context, outcome, xmpi_clock_wall() - start);
}
