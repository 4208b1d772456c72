/* SPDX-License-Identifier: BSD-3-Clause
 * Life of a process of the program: MPI_Init, parking, joining, MPI_Finalize. */
#define _GNU_SOURCE
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/check/streams.h"
#include "act/processes/carry.h"
#include "act/processes/spawn.h"
#include "base/collective.h"
#include "program/context.h"
#include "base/export.h"
#include "base/floating.h"
#include "observe/threads.h"
#include "program/life/configure.h"
#include "program/life/deaths.h"
#include "program/life/lifecycle.h"
#include "program/loop/loop.h"
#include "program/loop/members.h"
#include "program/loop/steer.h"
#include "program/life/told.h"
#include "program/life/orphan.h"
#include "program/life/watch.h"
#include "xmpi.h"
#include "xmpi_gen.h"
#include "base/misuse.h"

enum { INIT_SECONDS = 120 }; /* in which a spawned process must get through MPI_Init */

xmpi_context_t xmpi_context = {.doorbell = {.fd = -1},
                               .line = -1,
                               .deaths = {.lock = PTHREAD_MUTEX_INITIALIZER},
                               .check = {.together = MPI_COMM_NULL}};

/* Ends this process, which has no part in the program any more, as if main had returned. */
static _Noreturn void end_process(xmpi_context_t *context, int status)
{
    xmpi_steer_close(context);
    xmpi_trace_close(&context->trace);
    xmpi_deaths_watch_only(&context->deaths, NULL);
    xmpi_world_close(&context->world);
    PMPI_Finalize();
    context->ended = true;
    xmpi_doorbell_close(&context->doorbell); /* who is gone is taken for dead */
    exit(status);
}

static xmpi_status_t start_counter(xmpi_context_t *context, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    xmpi_clock_tune(); /* long before the loop begins, for the counter's rate to be known then */
    if (!context->counting)
        status =
            xmpi_counter_open(&context->monitor.counter, context->shared.settings.counter, error);
    context->counting = status == XMPI_OK;
    return status;
}

/* Makes this process a joiner by the order in PACK. */
static void become_joiner(xmpi_context_t *context, const char *node, xmpi_order_head_t *head,
                          xmpi_pack_t *pack)
{
    xmpi_pack_free(&context->snapshot);
    if (xmpi_call_read(pack, node, context->world.initial, head, &context->shared,
                       &context->next) != XMPI_OK)
        xmpi_misuse("the order to join cannot be read");
    xmpi_collective_compared = context->shared.settings.debug != 0;
    if (head->door.home == xmpi_door_home())
        xmpi_trace_follow(context->shared.since);
    context->process = head->process;
    context->state = XMPI_STATE_JOINING;
    context->policy = xmpi_policy_find(context->shared.settings.policy);
    context->world.rank = xmpi_layout_rank(&context->next, context->process);
    context->world.size = context->next.members;
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

/* What this process is told, asleep until then. The line stays open. */
static xmpi_order_head_t wait_for_order(xmpi_context_t *context, xmpi_pack_t *pack)
{
    xmpi_error_t error;
    xmpi_word_t word;
    for (;;) {
        xmpi_order_head_t head;
        xmpi_line_close(&context->line);
        if (xmpi_doorbell_wait(&context->doorbell, &context->line, &error) != XMPI_OK)
            xmpi_misuse("%s", error.text);
        if (xmpi_line_hear(context->line, &word, pack) && word == XMPI_WORD_ORDER &&
            xmpi_order_read(pack, &head)) {
            xmpi_line_limit(context->line, 0);
            pack->at = 0;
            return head;
        }
        xmpi_pack_free(pack);
    }
}

void xmpi_park(xmpi_context_t *context)
{
    xmpi_steer_close(context);
    xmpi_trace_close(&context->trace);
    context->monitor.on = false;
    xmpi_deaths_watch_only(&context->deaths, NULL);
    malloc_trim(0); /* what the data have taken is for others */
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
        end_process(context, 0);
    }
}

/* A spawned process that is not wanted after all. A group finalizes together, if it can. */
static _Noreturn void go_away(xmpi_context_t *context)
{
    fflush(NULL);
    if (context->shared.process[context->process].group > 0 && context->broken)
        _exit(0);
    end_process(context, 0);
}

void xmpi_leave(xmpi_context_t *context)
{
    const xmpi_process_t *mine = &context->shared.process[context->process];
    fflush(NULL);
    if (context->state == XMPI_STATE_JOINING && mine->initial_rank < 0)
        go_away(context);
    if (xmpi_shared_ends_alone(&context->shared, context->process))
        end_process(context, 0);
    xmpi_park(context);
}

/* A spawned process: its parent tells it what to do. */
static void start_spawned(xmpi_context_t *context, MPI_Comm parent)
{
    xmpi_pack_t pack;
    xmpi_port_t port;
    xmpi_error_t error;
    xmpi_order_head_t head;
    char node[XMPI_NAME_MAX];
    xmpi_spawn_receive(parent, &pack);
    if (!xmpi_order_read(&pack, &head))
        xmpi_misuse("the order of a new process cannot be read");
    pack.at = 0;
    if (head.order == XMPI_ORDER_SPAWN) {
        xmpi_pack_free(&pack);
        xmpi_spawner_serve(&head, context->world.self);
        end_process(context, 0);
    }
    if (xmpi_port_open(&port, &error) != XMPI_OK ||
        xmpi_configure_self(context, node, &error) != XMPI_OK)
        xmpi_misuse("%s", error.text);
    if (head.door.home != xmpi_door_home() &&
        xmpi_doorbell_reach_out(&context->doorbell, &error) != XMPI_OK)
        xmpi_misuse("%s", error.text);
    become_joiner(context, node, &head, &pack);
    if (!xmpi_call_hello(&head, &port, &context->doorbell.door, &context->greeting) ||
        (head.order == XMPI_ORDER_JOIN_NOW && !join_now(context)))
        go_away(context);
}

/* The members at first; the spares park. */
static void start_active(xmpi_context_t *context, int rank, int size)
{
    int active = context->shared.layout.members;
    MPI_Comm world;
    context->process = rank;
    context->state = XMPI_STATE_RUNNING;
    if (active < size) {
        PMPI_Comm_split(context->world.initial, rank < active ? 0 : MPI_UNDEFINED, rank, &world);
        xmpi_world_replace(&context->world, world);
    }
    if (rank < active) {
        xmpi_deaths_watch(&context->deaths, &context->shared, NULL, rank);
        xmpi_members_choose_waiting(context);
    } else {
        xmpi_park(context);
    }
}

static void start_initial(xmpi_context_t *context)
{
    int rank = context->world.rank, size = context->world.size;
    xmpi_error_t error;
    xmpi_status_t status = xmpi_configure(context, rank, size, &error);
    if (status == XMPI_OK && rank == 0)
        status = start_counter(context, &error);
    if (status == XMPI_OK && rank == 0)
        status = xmpi_trace_open(&context->trace, &context->shared, true, &error);
    int all = status;
    PMPI_Bcast(&all, 1, MPI_INT, 0, context->world.initial);
    if (all != XMPI_OK) {
        if (rank == 0)
            fprintf(stderr, "xmpi: %s\n", error.text);
        end_process(context, 2);
    }
    xmpi_collective_compared = context->shared.settings.debug != 0;
    context->policy = xmpi_policy_find(context->shared.settings.policy);
    start_active(context, rank, size);
    xmpi_steer_open(context);
}

/* After PMPI_Init. */
static void start(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    MPI_Comm parent;
    xmpi_error_t error;
    xmpi_part_settle(&context->part);
    if (context->part.kind == XMPI_PART_WATCHED)
        xmpi_watch_begin(context);
    if (context->part.kind != XMPI_PART_CALLED && context->part.kind != XMPI_PART_ADAPTED)
        return;
    xmpi_world_open(&context->world);
    PMPI_Comm_get_parent(&parent);
    if (context->part.kind == XMPI_PART_ADAPTED)
        start_initial(context);
    else
        start_spawned(context, parent);
    if (start_counter(context, &error) != XMPI_OK)
        xmpi_misuse("%s", error.text);
}

/* A removed process that mpiexec started cannot finalize before the others do, and waits asleep. */
static void wait_for_end(xmpi_context_t *context)
{
    xmpi_pack_t pack;
    if (xmpi_shared_ends_alone(&context->shared, context->process))
        return;
    wait_for_order(context, &pack);
    xmpi_pack_free(&pack);
    xmpi_line_close(&context->line);
}

/* Those that park, and the spawners. */
static void end_all(xmpi_context_t *context)
{
    const xmpi_shared_t *shared = &context->shared;
    xmpi_caller_t caller = xmpi_members_caller(context);
    xmpi_call_cancel(&context->calling);
    xmpi_call_settle(&caller, &context->calling);
    for (int i = 0; i < shared->processes; i++)
        if (shared->process[i].used && xmpi_layout_rank(&shared->layout, i) < 0)
            xmpi_farewell_say(&context->farewells, &shared->process[i].door, i);
    xmpi_spawners_close(&context->spawners);
}

static void finish(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    if (context->state == XMPI_STATE_PLAIN) {
        xmpi_watch_end(context);
        return;
    }
    if (context->hand.used && context->loop != NULL && context->state == XMPI_STATE_RUNNING)
        xmpi_loop_end(context);
    if (context->state == XMPI_STATE_JOINING)
        xmpi_misuse("MPI_Finalize before the loop: a joining process must reach the loop");
    if (context->state == XMPI_STATE_RUNNING)
        xmpi_loop_close(context);
    if (context->state == XMPI_STATE_REMOVED)
        wait_for_end(context);
    else if (context->world.rank == 0)
        end_all(context);
    context->monitor.on = false;
    xmpi_counter_close(&context->monitor.counter);
    xmpi_steer_close(context);
    xmpi_trace_close(&context->trace);
    xmpi_world_close(&context->world);
    xmpi_registry_free(&context->registry);
    xmpi_shared_free(&context->shared);
    context->state = XMPI_STATE_PLAIN;
}

/* MPICH reads the topology of the node in MPI_Init, through hwloc and with all of its I/O devices,
 * which its ch3 device makes no use of. It is most of the time in which a process starts where the
 * configuration of devices is slow to read (a virtual machine: 17 of 22 ms). Members wait for a
 * joiner, so it leaves the devices out: phases PCI and I/O (0x8, 0x10) of hwloc's Linux backend.
 * Whoever sets the variable knows better. */
static bool skips_devices(const xmpi_part_t *part)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (part->kind != XMPI_PART_CALLED || getenv("HWLOC_COMPONENTS") != NULL)
        return false;
    PMPI_Get_library_version(version, &length);
    return strncmp(version, "MPICH", 5) == 0 && strstr(version, "ch3:") != NULL;
}

static bool is_joining(void)
{
    return xmpi_context.state == XMPI_STATE_JOINING;
}

static void look_after_deaths(void)
{
    xmpi_deaths_look(&xmpi_context.deaths);
}

static void noticed(int number)
{
    (void)number;
    xmpi_guard_notice(&xmpi_context.guard);
}

/* A process that ends before it has joined is missed at once where it has said that it is there. A
 * program that ends well without MPI_Finalize leaves parked processes behind, of which Hydra makes
 * a status of its own: it is made up for, when all that the program does at its end is done. */
static void at_exit(int status, void *context)
{
    xmpi_context_t *mine = context;
    int started = 0, finalized = 0;
    PMPI_Initialized(&started);
    PMPI_Finalized(&finalized);
    if (!started || finalized)
        return;
    if (mine->state == XMPI_STATE_JOINING)
        xmpi_call_hello_end(&mine->greeting);
    bool over =
        mine->state == XMPI_STATE_REMOVED ||
        (mine->state == XMPI_STATE_RUNNING && mine->last_loop != NULL && mine->loop == NULL);
    if (status == 0 && over)
        MPI_Finalize();
}

/* A process that was spawned starts as the program did, which takes another start. It is done last
 * at the end who is first here. While the process starts, nobody may be killed whom it concerns. */
__attribute__((constructor)) static void begin(int argc, char **argv)
{
    xmpi_carry_receive();
    xmpi_command_line_note(argc, argv);
    on_exit(at_exit, &xmpi_context);
    if (getenv(XMPI_SPAWNED_MARK) != NULL)
        xmpi_deaths_ignore();
}

/* Whether the variable was set, to be taken back: the program's own environment is as before. */
static bool before_init(xmpi_context_t *context)
{
    xmpi_misuse_by(&context->world.rank, is_joining);
    const char *limit = getenv("XMPI_TIMEOUT");
    long seconds = limit != NULL ? atol(limit) : 0;
    xmpi_part_choose(&context->part, context->annotated, context->structure, context->structures);
    bool called = context->part.kind == XMPI_PART_CALLED;
    if (called || context->part.kind == XMPI_PART_ADAPTED)
        xmpi_guard_start(&context->guard,
                         !called       ? 0
                         : seconds > 0 ? seconds
                                       : INIT_SECONDS,
                         look_after_deaths);
    return skips_devices(&context->part) && setenv("HWLOC_COMPONENTS", "-linux:0x18,-pci", 1) == 0;
}

static int after_init(xmpi_context_t *context, int result, bool skipped)
{
    xmpi_guard_started(&context->guard);
    if (context->guard.on)
        xmpi_deaths_listen(noticed);
    else
        xmpi_deaths_ignore_no_more();
    if (skipped)
        unsetenv("HWLOC_COMPONENTS");
    if (context->too_new != NULL && !xmpi_configure_off())
        xmpi_misuse("the program was %s (version %d.%d.%d): compile it again, or install that one",
                    context->too_new, XMPI_VERSION_NUM / 10000, XMPI_VERSION_NUM / 100 % 100,
                    XMPI_VERSION_NUM % 100);
    if (result == MPI_SUCCESS && context->annotated)
        xmpi_threads_begin();
    if (result == MPI_SUCCESS)
        start(context);
    return result;
}

XMPI_EXPORT int MPI_Init(int *argc, char ***argv)
{
    bool skipped = before_init(&xmpi_context);
    return after_init(&xmpi_context, PMPI_Init(argc, argv), skipped);
}

XMPI_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    bool skipped = before_init(&xmpi_context);
    return after_init(&xmpi_context, PMPI_Init_thread(argc, argv, required, provided), skipped);
}

XMPI_EXPORT int MPI_Finalize(void)
{
    if (xmpi_context
            .ended) /* here already, and what the program does at its end comes to it again */
        return MPI_SUCCESS;
    xmpi_deaths_watch_only(&xmpi_context.deaths, NULL);
    finish(&xmpi_context);
    int result = PMPI_Finalize();
    xmpi_farewells_wait(&xmpi_context.farewells);
    xmpi_doorbell_close(&xmpi_context.doorbell);
    xmpi_guard_stop(&xmpi_context.guard);
    return result;
}

XMPI_EXPORT int MPI_Abort(MPI_Comm comm, int code)
{
    xmpi_streams_end();
    return PMPI_Abort(xmpi_world_local(comm), code);
}

/* A joiner is told its rank and size in the world that it will belong to. */
XMPI_EXPORT int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    if (comm != MPI_COMM_WORLD || xmpi_context.state == XMPI_STATE_PLAIN || rank == NULL)
        return PMPI_Comm_rank(xmpi_world_local(comm), rank);
    *rank = xmpi_context.world.rank;
    xmpi_told(&xmpi_context, XMPI_GEN_RANK, rank, *rank);
    return MPI_SUCCESS;
}

XMPI_EXPORT int MPI_Comm_size(MPI_Comm comm, int *size)
{
    if (comm != MPI_COMM_WORLD || xmpi_context.state == XMPI_STATE_PLAIN || size == NULL)
        return PMPI_Comm_size(xmpi_world_local(comm), size);
    *size = xmpi_context.world.size;
    xmpi_told(&xmpi_context, XMPI_GEN_SIZE, size, *size);
    return MPI_SUCCESS;
}
