/* SPDX-License-Identifier: BSD-3-Clause
 * Being called, parking, leaving and ending. */
#include "program/members/park.h"

#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "act/processes/join.h"
#include "act/spawning/spawn.h"
#include "act/world/derived.h"
#include "act/world/requests.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/misuse.h"
#include "decide/policies/catalogue.h"
#include "observe/monitor.h"
#include "program/life/bind.h"
#include "program/life/configure.h"
#include "program/life/deaths.h"
#include "program/life/manager.h"
#include "program/life/orphan.h"
#include "program/members/idle.h"
#include "program/members/members.h"
#include "program/members/steer.h"
#include "program/members/steer_close.h"
#include "sources/sources.h"
#include "trace/trace.h"

void xmpi_end_process(xmpi_context_t *context, int status)
{
    xmpi_steer_close(context);
    xmpi_source_leave(&context->shared.settings, false);
    xmpi_trace_close(&context->trace);
    xmpi_saving_free(&context->saving); /* which may be part of a checkpoint */
    xmpi_outofcore_close(&context->outofcore);
    xmpi_deaths_leave(&context->deaths, &context->shared);
    xmpi_requests_close();
    xmpi_derived_close();
    xmpi_world_close(&xmpi_world);
    PMPI_Finalize();
    xmpi_farewells_wait(&context->farewells);
    context->ended = true;
    xmpi_doorbell_close(&context->doorbell); /* who is gone is taken for dead */
    if (status != 0)
        exit(status);
    fflush(NULL);
    _exit(status);
}

/* Makes this process a joiner by the order in PACK. */
static void become_joiner(xmpi_context_t *context, const char *node, xmpi_order_head_t *head,
                          xmpi_pack_t *pack)
{
    xmpi_pack_free(&context->snapshot);
    if (xmpi_call_read(pack, node, xmpi_world.initial, head, &context->shared, &context->next) !=
        XMPI_OK)
        xmpi_misuse("the order to join cannot be read");
    xmpi_collective_compared = context->shared.settings.debug != 0;
    if (head->door.home == xmpi_door_home())
        xmpi_trace_follow(context->shared.since);
    context->process = head->process;
    xmpi_world.state = XMPI_STATE_JOINING;
    context->policy = xmpi_policy_find(context->shared.settings.policy);
    xmpi_world.rank = xmpi_layout_rank(&context->next, context->process);
    xmpi_world.size = context->next.members;
    context->snapshot = *pack;
    xmpi_deaths_watch_only(&context->deaths, &head->door);
}

/* Joins the others here, without data: it has registered none yet. False when they have called it
 * off. */
static bool join_now(xmpi_context_t *context)
{
    xmpi_registry_t nothing = {0};
    return xmpi_call_ready(&context->greeting, &context->line, &context->ports, &context->broken) &&
           xmpi_members_change(context, &context->next, &nothing) == XMPI_DONE;
}

/* The line ends with this process: who waits at its other end knows then. */
static _Noreturn void leave_without_mpi(void)
{
    xmpi_manager_leave();
    _exit(0);
}

/* What this process is told, asleep until then. The line stays open. */
static xmpi_order_head_t wait_for_order(xmpi_context_t *context, xmpi_pack_t *pack)
{
    xmpi_error_t error;
    xmpi_word_t word = XMPI_WORD_ORDER;
    for (;;) {
        xmpi_order_head_t head;
        xmpi_line_close(&context->line);
        if (xmpi_doorbell_wait(&context->doorbell, &context->line, &error) != XMPI_OK)
            xmpi_misuse("%s", error.text);
        bool heard = xmpi_line_hear(context->line, &word, pack);
        if (heard && word == XMPI_WORD_ORDER && xmpi_order_read(pack, &head)) {
            xmpi_line_limit(context->line, 0);
            pack->at = 0;
            if (head.order == XMPI_ORDER_LEAVE)
                leave_without_mpi();
            if (head.order != XMPI_ORDER_FOLLOW)
                return head;
            xmpi_deaths_watch_only(&context->deaths, &head.door);
        }
        if (heard && word == XMPI_WORD_LOAD)
            xmpi_idle_answer(context);
        if (pack->status == XMPI_ERR_MEMORY && word == XMPI_WORD_ORDER) /* it is not told again */
            xmpi_misuse("no memory for what a parked process is told");
        xmpi_pack_free(pack);
    }
}

void xmpi_park(xmpi_context_t *context)
{
    xmpi_steer_close(context);
    xmpi_source_leave(&context->shared.settings, false);
    xmpi_trace_close(&context->trace);
    xmpi_monitor.on = false;
    xmpi_deaths_watch_leader(&context->deaths, &context->shared, context->process);
    malloc_trim(0); /* what the data have taken is for others */
    xmpi_idle_begin(context);
    for (;;) {
        xmpi_pack_t pack;
        xmpi_order_head_t head = wait_for_order(context, &pack);
        if (head.order == XMPI_ORDER_JOIN || head.order == XMPI_ORDER_JOIN_NOW) {
            become_joiner(context, "", &head, &pack);
            if (head.order == XMPI_ORDER_JOIN || join_now(context))
                return;
            continue;
        }
        xmpi_pack_free(&pack);
        xmpi_line_close(&context->line);
        xmpi_end_process(context, 0);
    }
}

/* A spawned process that is not wanted after all. A group finalizes together, if it can. */
static _Noreturn void go_away(xmpi_context_t *context)
{
    fflush(NULL);
    bool lacks = context->broken || context->execution.abandoned;
    if (context->shared.process[context->process].group > 0 && lacks)
        leave_without_mpi();
    xmpi_end_process(context, 0);
}

void xmpi_leave(xmpi_context_t *context)
{
    const xmpi_process_t *mine = &context->shared.process[context->process];
    fflush(NULL);
    if (xmpi_world.state == XMPI_STATE_JOINING && mine->initial_rank < 0)
        go_away(context);
    if (xmpi_shared_ends_alone(&context->shared, context->process))
        xmpi_end_process(context, 0);
    xmpi_park(context);
}

void xmpi_start_called(xmpi_context_t *context, MPI_Comm parent)
{
    xmpi_pack_t pack;
    xmpi_port_t port;
    xmpi_error_t error;
    xmpi_order_head_t head;
    char node[XMPI_NAME_MAX];
    xmpi_cores_t cores;
    xmpi_spawn_receive(parent, &pack);
    xmpi_guard_started(&context->guard);
    if (!xmpi_order_read(&pack, &head))
        xmpi_misuse("the order of a new process cannot be read");
    pack.at = 0;
    if (head.order == XMPI_ORDER_SPAWN) {
        xmpi_pack_free(&pack);
        xmpi_spawner_serve(&head, xmpi_world.self);
        xmpi_end_process(context, 0);
    }
    if (xmpi_port_open(&port, &error) != XMPI_OK ||
        xmpi_configure_self(&context->doorbell, node, &error) != XMPI_OK)
        xmpi_misuse("%s", error.text);
    if (head.door.home != xmpi_door_home() &&
        xmpi_doorbell_reach_out(&context->doorbell, &error) != XMPI_OK)
        xmpi_misuse("%s", error.text);
    become_joiner(context, node, &head, &pack);
    xmpi_bind_look(&context->shared, context->process, &cores);
    xmpi_bind(&context->shared, context->process);
    if (!xmpi_call_hello(&head, &port, &context->doorbell.door, &cores, &context->greeting) ||
        (head.order == XMPI_ORDER_JOIN_NOW && !join_now(context)))
        go_away(context);
}

void xmpi_wait_for_end(xmpi_context_t *context)
{
    xmpi_pack_t pack;
    if (xmpi_shared_ends_alone(&context->shared, context->process))
        return;
    xmpi_deaths_watch_leader(&context->deaths, &context->shared, context->process);
    wait_for_order(context, &pack);
    xmpi_deaths_watch_only(&context->deaths, NULL);
    xmpi_pack_free(&pack);
    xmpi_line_close(&context->line);
}
