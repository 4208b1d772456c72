/* SPDX-License-Identifier: BSD-3-Clause
 * Life of a process of the program, from MPI_Init to MPI_Finalize. */
#define _GNU_SOURCE
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "act/check/streams.h"
#include "act/handles/handles.h"
#include "act/spawning/carry.h"
#include "act/spawning/spawn.h"
#include "act/world/derived.h"
#include "act/world/requests.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "base/export.h"
#include "base/floating.h"
#include "base/misuse.h"
#include "decide/policies/catalogue.h"
#include "observe/clock.h"
#include "observe/counter/counter.h"
#include "observe/monitor.h"
#include "observe/peers/peers.h"
#include "observe/threads.h"
#include "program/api/watch.h"
#include "act/checkpoint/ended.h"
#include "program/checkpoint/images.h"
#include "program/checkpoint/resume.h"
#include "program/context.h"
#include "program/life/bind.h"
#include "program/life/configure.h"
#include "program/life/deaths.h"
#include "program/life/manager.h"
#include "program/life/orphan.h"
#include "program/life/told.h"
#include "program/loop/begin_end.h"
#include "program/loop/movable.h"
#include "program/loop/startover.h"
#include "program/members/members.h"
#include "program/members/park.h"
#include "program/members/steer.h"
#include "program/members/steer_close.h"
#include "sources/sources.h"
#include "trace/trace.h"
#include "xmpi.h"
#include "xmpi_gen.h"

enum { INIT_SECONDS = 120 }; /* in which a spawned process must get through MPI_Init */

static xmpi_status_t start_counter(xmpi_context_t *context, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    xmpi_clock_tune(); /* long before the loop begins, for the counter's rate to be known then */
    if (!context->counting)
        status = xmpi_counter_open(&xmpi_monitor.counter, context->shared.settings.counter, error);
    context->counting = status == XMPI_OK;
    return status;
}

/* The members at first; the spares park. */
static void start_active(xmpi_context_t *context, int rank, int size)
{
    int active = context->shared.layout.members;
    bool computes = xmpi_layout_rank(&context->shared.layout, rank) >= 0;
    MPI_Comm world;
    context->process = rank;
    xmpi_world.state = XMPI_STATE_RUNNING;
    if (active < size) {
        PMPI_Comm_split(xmpi_world.initial, computes ? 0 : MPI_UNDEFINED, rank, &world);
        xmpi_world_replace(&xmpi_world, world);
    }
    if (computes) {
        xmpi_deaths_watch(&context->deaths, &context->shared, NULL, rank);
        xmpi_members_choose_waiting(context);
    } else {
        xmpi_park(context);
    }
}

static void start_initial(xmpi_context_t *context)
{
    int rank = xmpi_world.rank, size = xmpi_world.size;
    xmpi_error_t error;
    xmpi_status_t status =
        xmpi_configure(&context->shared, &context->doorbell, context->image != NULL, &error);
    if (status == XMPI_OK && rank == 0)
        status = start_counter(context, &error);
    if (status == XMPI_OK && rank == 0)
        status = xmpi_trace_open(&context->trace, &context->shared, true, &error);
    int all = status;
    PMPI_Bcast(&all, 1, MPI_INT, 0, xmpi_world.initial);
    if (all != XMPI_OK) {
        if (rank == 0)
            fprintf(stderr, "xmpi: %s\n", error.text);
        xmpi_end_process(context, 2);
    }
    xmpi_collective_compared = context->shared.settings.debug != 0;
    context->policy = xmpi_policy_find(context->shared.settings.policy);
    xmpi_bind_prepare(&context->shared, rank);
    xmpi_bind(&context->shared, rank);
    start_active(context, rank, size);
    if (xmpi_world.state != XMPI_STATE_RUNNING)
        return;
    xmpi_steer_open(context); /* who joins may lead only when it has joined */
    if (context->structures == 0)
        xmpi_images_look(context);
    if (context->image_part.parts == 0)
        xmpi_resume_prepare(context);
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
    xmpi_world_open(&xmpi_world);
    PMPI_Comm_get_parent(&parent);
    if (context->part.kind == XMPI_PART_ADAPTED)
        start_initial(context);
    else
        xmpi_start_called(context, parent);
    if (start_counter(context, &error) != XMPI_OK)
        xmpi_misuse("%s", error.text);
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
    xmpi_spawners_await(&context->spawners, &context->doorbell);
    xmpi_spawners_close(&context->spawners);
}

static void finish(xmpi_context_t *context)
{
    XMPI_OWN_FLOATING;
    if (xmpi_world.state == XMPI_STATE_PLAIN) {
        xmpi_watch_end(context);
        return;
    }
    xmpi_movable_end(context);
    if (context->hand.used && context->loop != NULL && xmpi_world.state == XMPI_STATE_RUNNING)
        xmpi_loop_end(context);
    if (xmpi_world.state == XMPI_STATE_JOINING)
        xmpi_misuse("MPI_Finalize before the loop: a joining process must reach the loop");
    if (xmpi_world.state == XMPI_STATE_RUNNING)
        xmpi_loop_close(context);
    if (xmpi_world.state == XMPI_STATE_REMOVED)
        xmpi_wait_for_end(context);
    else if (xmpi_leads())
        end_all(context);
    xmpi_monitor.on = false;
    xmpi_saving_free(&context->saving);
    xmpi_outofcore_close(&context->outofcore);
    xmpi_counter_close(&xmpi_monitor.counter);
    xmpi_peers_end();
    xmpi_steer_close(context);
    xmpi_source_leave(&context->shared.settings, true);
    xmpi_trace_close(&context->trace);
    xmpi_requests_close();
    xmpi_derived_close();
    xmpi_handles_close();
    xmpi_resume_end(context);
    xmpi_world_close(&xmpi_world);
    xmpi_registry_free(&context->registry);
    xmpi_shared_free(&context->shared);
    xmpi_world.state = XMPI_STATE_PLAIN;
}

/* MPICH reads the topology of the node in MPI_Init, through hwloc and with all of its I/O devices,
 * which its ch3 device makes no use of. It is most of the time in which a process starts where the
 * configuration of devices is slow to read (a virtual machine: 17 of 22 ms). Members wait for a
 * joiner, so it leaves the devices out: phases PCI and I/O (0x8, 0x10) of hwloc's Linux backend.
 * And what hwloc's x86 backend asks processors itself, for which it goes to each of them in turn,
 * and waits where others compute. Whoever sets the variable knows better. */
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
    return xmpi_world.state == XMPI_STATE_JOINING;
}

static void someone_died(void)
{
    xmpi_deaths_noticed(&xmpi_context.deaths);
}

static void look_often(bool often)
{
    xmpi_guard_look(&xmpi_context.guard, often);
}

static void look_after_deaths(void)
{
    xmpi_deaths_look(&xmpi_context.deaths);
}

static void glance_at_deaths(void)
{
    xmpi_deaths_glance(&xmpi_context.deaths, xmpi_context.loop != NULL);
}

static void noticed(int number)
{
    (void)number;
    xmpi_guard_notice(&xmpi_context.guard);
}

/* A member that ends without MPI_Finalize: the process manager would kill those that are parked,
 * and their deaths would hide its status. */
static void let_parked_go(xmpi_context_t *context)
{
    const xmpi_shared_t *shared = &context->shared;
    for (int i = 0; i < shared->processes; i++)
        if (shared->process[i].used && xmpi_layout_rank(&shared->layout, i) < 0)
            xmpi_farewell_leave(&context->farewells, &shared->process[i].door, i);
    xmpi_farewells_wait(&context->farewells);
}

static bool is_anybody_gone(const xmpi_context_t *context)
{
    const xmpi_shared_t *shared = &context->shared;
    for (int i = 0; i < shared->layout.members; i++) {
        int process = shared->layout.member[i].process;
        if (process != context->process && xmpi_doorbell_is_gone(&shared->process[process].door))
            return true;
    }
    return false;
}

/* A collective operation of MPICH may return, with anything in its result, where a member was
 * killed: what the program makes of that is not its own. The member's connections may end a moment
 * before its door does. */
static bool lacks_a_member(const xmpi_context_t *context)
{
    enum { TRIES = 20 };
    const struct timespec moment = {.tv_nsec = 10000000};
    for (int i = 0; i < TRIES; i++) {
        if (is_anybody_gone(context))
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

/* Not in a call of MPI, which may end it where another was killed. Where that is not sure nothing
 * is said. */
static bool ends_itself(const xmpi_context_t *context, int status, bool finalized)
{
    return status != 0 && (finalized || (xmpi_monitor.on && xmpi_monitor.depth == 0 &&
                                         context->in_loop && context->point_frame == NULL));
}

static void mark_end(const xmpi_context_t *context)
{
    const char *folder = getenv("XMPI_CHECKPOINT");
    if (context->annotated && folder != NULL && folder[0] != '\0' && !lacks_a_member(context))
        xmpi_ended_mark(folder);
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
    if (started && ends_itself(mine, status, finalized != 0))
        mark_end(mine);
    if (!started || finalized)
        return;
    if (xmpi_world.state == XMPI_STATE_JOINING) {
        xmpi_call_hello_end(&mine->greeting);
        xmpi_manager_leave();
    }
    bool over =
        xmpi_world.state == XMPI_STATE_REMOVED ||
        (xmpi_world.state == XMPI_STATE_RUNNING && mine->last_loop != NULL && mine->loop == NULL);
    if (status == 0 && over)
        MPI_Finalize();
    else if (xmpi_world.state == XMPI_STATE_RUNNING) {
        let_parked_go(mine);
        xmpi_steer_vanish(mine);
    }
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
    xmpi_misuse_by(&xmpi_world.rank, is_joining);
    const char *limit = getenv("XMPI_TIMEOUT");
    long seconds = limit != NULL ? atol(limit) : 0;
    xmpi_part_choose(&context->part, context->annotated, context->structure, context->structures);
    bool called = context->part.kind == XMPI_PART_CALLED;
    context->deaths.waits = look_often;
    if (called || context->part.kind == XMPI_PART_ADAPTED)
        xmpi_guard_start(&context->guard,
                         !called       ? 0
                         : seconds > 0 ? seconds
                                       : INIT_SECONDS,
                         someone_died, look_after_deaths, glance_at_deaths);
    xmpi_part_announce(&context->part);
    return skips_devices(&context->part) &&
           setenv("HWLOC_COMPONENTS", "-linux:0x18,-pci,-x86", 1) == 0;
}

/* What else the program computes with it has from its thread. (Also where the policy is off.) */
static void round_as_told(void)
{
    const char *direction = getenv("XMPI_CHECK_ROUNDING");
    if (direction != NULL && strcmp(direction, "up") == 0)
        fesetround(FE_UPWARD);
    else if (direction != NULL && strcmp(direction, "down") == 0)
        fesetround(FE_DOWNWARD);
}

static int after_init(xmpi_context_t *context, int result, bool skipped)
{
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
    if (result == MPI_SUCCESS && context->image != NULL)
        context->image->note();
    if (result == MPI_SUCCESS && context->annotated)
        xmpi_threads_begin();
    if (result == MPI_SUCCESS)
        start(context);
    xmpi_guard_started(&context->guard);
    if (context->image != NULL && context->structures == 0 && xmpi_world.state != XMPI_STATE_PLAIN)
        xmpi_handles_begin();
    xmpi_movable_take_over(context);
    xmpi_movable_go_on(context);
    context->initialized = xmpi_clock_wall();
    round_as_told();
    xmpi_startover_join(context);
    return result;
}

XMPI_EXPORT int MPI_Init(int *argc, char ***argv)
{
    if (xmpi_context.start.under_way) /* the program starts over: MPI does not */
        return MPI_SUCCESS;
    bool skipped = before_init(&xmpi_context);
    return after_init(&xmpi_context, PMPI_Init(argc, argv), skipped);
}

XMPI_EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    if (xmpi_context.start.under_way)
        return PMPI_Query_thread(provided);
    bool skipped = before_init(&xmpi_context);
    return after_init(&xmpi_context, PMPI_Init_thread(argc, argv, required, provided), skipped);
}

/* (MPI_Wtick is that of any process.) */
XMPI_EXPORT double MPI_Wtime(void)
{
    return xmpi_context.image != NULL ? xmpi_context.image->wtime() : PMPI_Wtime();
}

XMPI_EXPORT int MPI_Finalize(void)
{
    xmpi_startover_ends(&xmpi_context, "it calls MPI_Finalize");
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
    xmpi_startover_ends(&xmpi_context, "it calls MPI_Abort");
    mark_end(&xmpi_context);
    xmpi_streams_end();
    return PMPI_Abort(xmpi_world_local(comm), code);
}

/* A joiner is told its rank and size in the world that it will belong to. */
XMPI_EXPORT int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    if (comm != MPI_COMM_WORLD || xmpi_world.state == XMPI_STATE_PLAIN || rank == NULL)
        return PMPI_Comm_rank(xmpi_world_local(comm), rank);
    *rank = xmpi_world.rank;
    xmpi_world.asked++;
    xmpi_told(XMPI_GEN_RANK, rank, *rank);
    return MPI_SUCCESS;
}

XMPI_EXPORT int MPI_Comm_size(MPI_Comm comm, int *size)
{
    if (comm != MPI_COMM_WORLD || xmpi_world.state == XMPI_STATE_PLAIN || size == NULL)
        return PMPI_Comm_size(xmpi_world_local(comm), size);
    *size = xmpi_world.size;
    xmpi_world.asked++;
    xmpi_told(XMPI_GEN_SIZE, size, *size);
    return MPI_SUCCESS;
}
