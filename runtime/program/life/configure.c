/* SPDX-License-Identifier: BSD-3-Clause
 * Configuration at start: settings and files. */
#define _GNU_SOURCE
#include "program/life/configure.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/processes/join.h"
#include "act/world/world.h"
#include "base/collective.h"
#include "decide/layout/nodes.h"
#include "decide/policies/catalogue.h"
#include "decide/planning/start.h"
#include "decide/scheduler/availability.h"
#include "files/machine_file.h"
#include "sources/source.h"
#include "files/schedule_file.h"
#include "files/topology_file.h"
#include "base/misuse.h"
#include "program/life/first.h"
#include "settings/written.h"
#include "sources/sources.h"
#include "trace/trace.h"

/* What every process tells about itself. Plain data. */
typedef struct {
    char node[XMPI_NAME_MAX];
    xmpi_door_t door;
    xmpi_load_t load; /* where it has looked */
} self_t;

bool xmpi_configure_off(void)
{
    const char *policy = getenv("XMPI_POLICY");
    return policy != NULL && strcmp(policy, "off") == 0;
}

/* A job of Slurm's that is preempted is told with SIGTERM, some time before it ends. On a node that
 * the program has asked for, the leader knows, and has it left in time (sources/slurm.c). That may
 * be at any moment, so that the process was started with the signal blocked (xmpicc/slurm), and
 * heeds it from here on only where the program wants that. */
__attribute__((constructor)) static void heed_no_warning(void)
{
    struct sigaction action;
    sigset_t blocked;
    if (getenv("SLURM_XMPI_FURTHER") == NULL)
        return;
    if (sigaction(SIGTERM, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
        action.sa_handler == SIG_DFL)
        signal(SIGTERM, SIG_IGN);
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
}

xmpi_status_t xmpi_configure_self(xmpi_doorbell_t *doorbell, char *node, xmpi_error_t *error)
{
    const char *given = getenv("XMPI_NODE");
    memset(node, 0, XMPI_NAME_MAX);
    if (given != NULL && strlen(given) < XMPI_NAME_MAX)
        strcpy(node, given);
    else
        gethostname(node, XMPI_NAME_MAX - 1);
    /* Slurm's names of nodes are those of hosts without their domain. */
    if (given == NULL && getenv("SLURM_JOB_ID") != NULL && getenv("XMPI_MACHINES") == NULL)
        node[strcspn(node, ".")] = '\0';
    return xmpi_doorbell_open(doorbell, error);
}

/* Whether this MPI lets one process of a world finalize and end while the others run on. To find it
 * out by trying would cost every start the time of a spawn, and leave a process that spins where it
 * does not; known are MPICH's ch3, which does not, and ch4:ofi of MPICH 5, which does. */
static bool parts(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    const char *number;
    int length;
    PMPI_Get_library_version(version, &length);
    number = strpbrk(version, "0123456789");
    return strncmp(version, "MPICH", 5) == 0 && number != NULL && atoi(number) >= 5 &&
           strstr(version, "ch4:ofi") != NULL;
}

/* A group is what costs least by far. Where its members cannot end one by one they park, which is
 * good enough on nodes that are the program's until it ends; nodes that can be withdrawn must be
 * left, and groups of one node each can. */
static void choose_strategy(xmpi_shared_t *shared)
{
    xmpi_settings_t *settings = &shared->settings;
    shared->parts = parts();
    if (settings->strategy == XMPI_SPAWN_AUTO)
        settings->strategy =
            shared->resources.changes && !shared->parts ? XMPI_SPAWN_NODES : XMPI_SPAWN_GROUP;
}

/* A program that was started by itself. MPICH's hangs when it opens a port or spawns, as it then
 * starts an mpiexec with options that Hydra does not have. */
static bool is_alone(int size, char *const *environment)
{
    for (char *const *entry = environment; *entry != NULL && size == 1; entry++)
        if (strncmp(*entry, "PMI_", 4) == 0 || strncmp(*entry, "PMI2_", 5) == 0 ||
            strncmp(*entry, "PMIX_", 5) == 0)
            return false;
    return size == 1;
}

static bool wants_more(const xmpi_settings_t *settings)
{
    return settings->max > 1 ||
           xmpi_policy_uses(xmpi_policy_find(settings->policy), XMPI_OF_PROCESSES);
}

/* Nobody can come to it. */
static xmpi_status_t choose_backend_alone(xmpi_settings_t *settings, xmpi_error_t *error)
{
    if (settings->backend == XMPI_BACKEND_SPAWN)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_BACKEND=spawn: a program that is started without mpiexec "
                              "cannot start processes; use mpiexec -n 1");
    if (settings->backend == XMPI_BACKEND_AUTO && wants_more(settings))
        fprintf(stderr, "xmpi: started without mpiexec, so that no process can be added; use "
                        "mpiexec -n 1\n");
    settings->backend = XMPI_BACKEND_POOL;
    return XMPI_OK;
}

/* Spares make a pool; without them new processes are spawned, where the MPI can. */
static xmpi_status_t choose_backend(xmpi_settings_t *settings, int size, xmpi_error_t *error)
{
    if (is_alone(size, environ))
        return choose_backend_alone(settings, error);
    bool can_spawn = settings->backend != XMPI_BACKEND_POOL && xmpi_port_probe();
    if (settings->backend == XMPI_BACKEND_SPAWN && !can_spawn)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_BACKEND=spawn: this MPI has no dynamic processes; use pool "
                              "and start spares: XMPI_ACTIVE=N mpiexec -n N+SPARES");
    if (settings->backend == XMPI_BACKEND_AUTO)
        settings->backend =
            settings->active > 0 || !can_spawn ? XMPI_BACKEND_POOL : XMPI_BACKEND_SPAWN;
    return XMPI_OK;
}

static xmpi_status_t check_active(const xmpi_settings_t *settings, int size, xmpi_error_t *error)
{
    if (settings->active > size)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_ACTIVE=%lld: mpiexec started only %d processes",
                              (long long)settings->active, size);
    if (settings->active > 0 && settings->backend == XMPI_BACKEND_SPAWN)
        return xmpi_error_set(
            error, XMPI_ERR_INPUT,
            "XMPI_ACTIVE (--spares) needs XMPI_BACKEND=pool: spawn has no spares");
    return XMPI_OK;
}

/* The most members: what is asked for, else as many as there are PEs. */
static void set_limits(xmpi_shared_t *shared, int size, int active, int pes)
{
    xmpi_resources_t *resources = &shared->resources;
    bool pool = shared->settings.backend == XMPI_BACKEND_POOL;
    int natural = pool ? size : active > pes ? active : pes;
    resources->can_spawn = !pool;
    resources->anchor = pool ? -1 : 0;
    resources->started = pool ? 0 : size;
    resources->max_is_pes = !pool && shared->settings.max == 0;
    resources->max_members = shared->settings.max > 0 ? (int)shared->settings.max : natural;
}

/* One line where the limit comes to what cannot be meant. LISTED: somebody says what nodes there
 * are; else there are PES here. */
static void warn_of_limit(const xmpi_shared_t *shared, int active, bool listed, int pes)
{
    const xmpi_resources_t *resources = &shared->resources;
    long long max = shared->settings.max;
    bool one_node = true;
    for (int i = 1; i < resources->pes; i++)
        one_node = one_node && (resources->pe[i].node[0] == '\0' ||
                                strcmp(resources->pe[i].node, resources->pe[0].node) == 0);
    if (max > 0 && max < active && strcmp(shared->settings.policy, "off") != 0)
        fprintf(stderr,
                "xmpi: XMPI_MAX=%lld is less than the %d processes that the program begins with: "
                "no other comes, but none leaves for it either\n",
                max, active);
    else if (max > pes && max > active && resources->can_spawn && !listed && one_node &&
             xmpi_policy_uses(xmpi_policy_find(shared->settings.policy), XMPI_OF_IDLE))
        fprintf(stderr,
                "xmpi: XMPI_MAX=%lld is more than the %d cores of this machine: members beyond "
                "them share them, unless the MPI starts them on other nodes (XMPI_MACHINES tells "
                "which there are)\n",
                max, pes);
}

/* Reads what SOURCE says, and puts the processes there; PES: how many it has. */
static xmpi_status_t place_by(const xmpi_source_t *source, xmpi_shared_t *shared,
                              const self_t *selves, int size, bool share, int *pes,
                              xmpi_error_t *error)
{
    const char *list = source->list != NULL ? source->list(&shared->settings) : source->name;
    xmpi_status_t status =
        source->begin != NULL ? source->begin(&shared->settings, error) : XMPI_OK;
    if (status == XMPI_OK)
        status = source->read(&shared->settings, &shared->resources, error);
    *pes = shared->resources.pes;
    if (!source->lists_nodes) { /* only how many PEs there are: they are where the processes are */
        list = NULL;
        xmpi_resources_free(&shared->resources);
    }
    for (int i = 0; i < size && status == XMPI_OK; i++)
        status = xmpi_machines_place(list, &shared->resources, i, selves[i].node, share, error);
    shared->resources.listed = source->lists_nodes;
    shared->resources.given = source->ask != NULL;
    shared->resources.changes = source->mark != NULL;
    return status;
}

/* Where nobody can be asked for nodes. */
static void warn_of_nodes(const xmpi_settings_t *settings)
{
    if (settings->nodes > 0 && xmpi_source_of(settings)->ask == NULL)
        fprintf(stderr,
                "xmpi: XMPI_NODES=%lld: nobody can be asked for nodes here, outside of a job "
                "of Slurm's; XMPI_MACHINES names those that there are\n",
                (long long)settings->nodes);
}

/* A source that was not asked for, and does not fit what mpiexec has started, is none. */
static xmpi_status_t place_processes(xmpi_shared_t *shared, const self_t *selves, int size,
                                     int active, bool share, xmpi_error_t *error)
{
    int pes;
    const xmpi_source_t *source = xmpi_source_of(&shared->settings);
    xmpi_status_t status = place_by(source, shared, selves, size, share, &pes, error);
    if (status == XMPI_ERR_INPUT && source->begin != NULL) {
        fprintf(stderr, "xmpi: warning: %s; the nodes are those of mpiexec (XMPI_SLURM=off)\n",
                error->text);
        source->leave(true);
        xmpi_resources_free(&shared->resources);
        shared->settings.slurm = XMPI_SLURM_OFF;
        source = xmpi_source_of(&shared->settings);
        status = place_by(source, shared, selves, size, share, &pes, error);
    }
    if (status != XMPI_OK)
        return status;
    bool list = source->lists_nodes;
    if (!list && shared->settings.topology[0] != '\0') {
        char path[XMPI_PATH_MAX];
        xmpi_settings_path(&shared->settings, shared->settings.topology, path);
        status = xmpi_topology_read(path, &shared->resources, error);
        if (status != XMPI_OK)
            return status;
    }
    set_limits(shared, size, active, pes);
    warn_of_limit(shared, active, source->lists_nodes, pes);
    warn_of_nodes(&shared->settings);
    if (shared->resources.can_spawn &&
        xmpi_availability_make_room(&shared->resources, active) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of nodes");
    if (!list && shared->resources.can_spawn &&
        xmpi_machines_fill(&shared->resources, shared->resources.max_members) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of nodes");
    return XMPI_OK;
}

/* Nobody has said that the PEs of the one class "any" are equal. */
static int class_of(const xmpi_resources_t *resources, int pe)
{
    int index = resources->pe[pe].class_index;
    return xmpi_resources_class(resources, resources->class_name[index]) == XMPI_ANY_CLASS
               ? XMPI_ANY_CLASS
               : index;
}

/* Sets the flags CHOSEN of the processes that compute at first. */
static xmpi_status_t choose_active(const xmpi_shared_t *shared, const self_t *selves, int size,
                                   const int *pe_of, int active, char *chosen)
{
    const xmpi_resources_t *resources = &shared->resources;
    xmpi_nodes_t nodes;
    xmpi_status_t status =
        xmpi_nodes_make(&nodes, resources->pes, resources->pe, XMPI_UNNAMED_APART);
    xmpi_start_process_t *process = calloc((size_t)size, sizeof *process);
    if (process == NULL && status == XMPI_OK) {
        xmpi_nodes_free(&nodes);
        status = XMPI_ERR_MEMORY;
    }
    if (status != XMPI_OK) {
        free(process);
        return status;
    }
    for (int i = 0; i < size; i++)
        process[i] = (xmpi_start_process_t){nodes.of_pe[pe_of[i]], class_of(resources, pe_of[i]),
                                            selves[i].load};
    status = xmpi_start_choose(process, size, nodes.nodes, active, chosen);
    xmpi_nodes_free(&nodes);
    free(process);
    return status;
}

static xmpi_status_t list_processes(xmpi_shared_t *shared, const self_t *selves, int size,
                                    int active, xmpi_error_t *error)
{
    shared->process = calloc((size_t)size, sizeof *shared->process);
    if (shared->process == NULL || xmpi_layout_alloc(&shared->layout, 0, size) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of processes");
    for (int i = 0; i < size; i++)
        shared->layout.member[i].process = i;
    int *pe_of = xmpi_members_pes(&shared->layout, &shared->resources);
    if (pe_of == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of processes");
    char *chosen = malloc((size_t)size);
    if (chosen == NULL || choose_active(shared, selves, size, pe_of, active, chosen) != XMPI_OK) {
        free(chosen);
        free(pe_of);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for the list of processes");
    }
    shared->processes = size;
    shared->layout.members = 0;
    for (int i = 0; i < size; i++) {
        shared->process[i] = (xmpi_process_t){
            .used = true, .initial_rank = i, .pe = pe_of[i], .door = selves[i].door};
        shared->resources.pe[pe_of[i]].parked = !chosen[i];
        if (chosen[i])
            shared->layout.member[shared->layout.members++].process = i;
    }
    free(chosen);
    free(pe_of);
    return XMPI_OK;
}

/* Without prices, the least cost is anything. */
xmpi_status_t xmpi_configure_check_costs(const xmpi_shared_t *shared, xmpi_error_t *error)
{
    const xmpi_resources_t *resources = &shared->resources;
    double sum = 0;
    for (int i = 0; i < resources->pes; i++)
        sum += resources->pe[i].cost;
    if (sum > 0 || shared->settings.constraint != XMPI_CONSTRAINT_COST ||
        !xmpi_policy_uses(xmpi_policy_find(shared->settings.policy), XMPI_OF_COSTS))
        return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_INPUT,
                          "XMPI_CONSTRAINT=cost needs costs: name a file in XMPI_MACHINES with "
                          "lines of hostname:procType:numPE:cost");
}

static bool has_parent(void)
{
    MPI_Comm parent;
    PMPI_Comm_get_parent(&parent);
    return parent != MPI_COMM_NULL;
}

/* What names one thing, or counts the processes of mpiexec, is not for those that a program has
 * spawned itself: they have the same settings. */
static void give_up_what_is_the_parents(xmpi_settings_t *settings)
{
    settings->active = 0;
    settings->trace[0] = settings->record[0] = '\0';
    if (strcmp(settings->control, "on") != 0)
        strcpy(settings->control, "off");
}

/* A job that Slurm has put back into its queue goes on, where there is something to go on from. */
static void go_on_when_requeued(xmpi_settings_t *settings)
{
    const char *times = getenv("SLURM_RESTART_COUNT");
    bool again = times != NULL && atoi(times) > 0 && settings->slurm != XMPI_SLURM_OFF;
    if (again && settings->checkpoint[0] != '\0' && !xmpi_settings_given(settings, "XMPI_RESTART"))
        settings->restart = 1;
}

/* All that rank 0 reads and checks. */
static xmpi_status_t configure_all(xmpi_shared_t *shared, const self_t *selves, int size,
                                   bool share, xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_settings_read(environ, &shared->settings, error);
    if (status != XMPI_OK)
        return status;
    xmpi_settings_t *settings = &shared->settings;
    if (!has_parent())
        go_on_when_requeued(settings);
    if (has_parent())
        give_up_what_is_the_parents(settings);
    else if (settings->restart > 0 && settings->checkpoint[0] == '\0')
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "XMPI_RESTART needs XMPI_CHECKPOINT: the folder to go on from");
    else
        xmpi_settings_warn_unknown(environ, stderr);
    xmpi_written_warn(settings, stderr);
    int active = settings->active > 0 ? (int)settings->active : size;
    shared->started = xmpi_trace_clock();
    shared->since = xmpi_trace_since();
    status = check_active(settings, size, error);
    if (status == XMPI_OK)
        status = choose_backend(settings, size, error);
    if (status == XMPI_OK)
        status = place_processes(shared, selves, size, active, share, error);
    choose_strategy(shared);
    if (status == XMPI_OK)
        status = list_processes(shared, selves, size, active, error);
    if (status == XMPI_OK)
        status = xmpi_configure_check_costs(shared, error);
    bool scheduled = xmpi_policy_uses(xmpi_policy_find(settings->policy), XMPI_OF_SCHEDULE) ||
                     !xmpi_settings_given(settings, "XMPI_POLICY"); /* a pragma may say another */
    if (status != XMPI_OK || !scheduled || settings->schedule[0] == '\0')
        return status;
    char path[XMPI_PATH_MAX];
    xmpi_settings_path(settings, settings->schedule, path);
    status = xmpi_schedule_read(path, &shared->resources, &shared->schedule, error);
    if (status == XMPI_OK)
        status = xmpi_schedule_check(settings->schedule, &shared->schedule, &shared->resources,
                                     active, error);
    return status;
}

/* Where the processes are on several nodes their doors have to be seen from there. Collective. */
static void reach_all(xmpi_doorbell_t *doorbell)
{
    uint64_t home = xmpi_door_home();
    uint64_t most[2] = {home, ~home}; /* of all homes, and the complement of the least */
    xmpi_error_t ignored;
    PMPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_UINT64_T, MPI_MAX, xmpi_world.initial);
    if (most[0] != ~most[1])
        xmpi_doorbell_reach_out(doorbell, &ignored);
}

/* Sends what rank 0 has to everybody. */
static xmpi_status_t spread(xmpi_shared_t *shared, int rank, xmpi_status_t status,
                            xmpi_error_t *error)
{
    xmpi_pack_t pack = {0};
    if (rank == 0 && status == XMPI_OK) {
        xmpi_shared_put(&pack, shared);
        status = pack.status;
        if (status != XMPI_OK)
            xmpi_error_set(error, status, "no memory for the state that all members share");
    }
    int64_t head[2] = {status, (int64_t)pack.size};
    PMPI_Bcast(head, 2, MPI_INT64_T, 0, xmpi_world.initial);
    if (head[0] != XMPI_OK) {
        xmpi_pack_free(&pack);
        return (xmpi_status_t)head[0];
    }
    if (rank != 0) {
        pack.data = malloc((size_t)head[1]);
        pack.size = (size_t)head[1];
        if (pack.data == NULL)
            xmpi_misuse("no memory for the settings, %lld bytes", (long long)head[1]);
    }
    PMPI_Bcast(pack.data, (int)head[1], MPI_BYTE, 0, xmpi_world.initial);
    if (rank != 0)
        xmpi_shared_get(&pack, shared);
    if (pack.status != XMPI_OK)
        xmpi_misuse("the state that all members share cannot be read");
    xmpi_pack_free(&pack);
    return XMPI_OK;
}

xmpi_status_t xmpi_configure(xmpi_shared_t *shared, xmpi_doorbell_t *doorbell, bool share,
                             xmpi_error_t *error)
{
    int rank = xmpi_world.rank, size = xmpi_world.size;
    self_t self;
    self_t *selves = rank == 0 ? calloc((size_t)size, sizeof *selves) : NULL;
    /* Without a doorbell a process cannot park; it is found out when it would have to be woken. */
    xmpi_error_t ignored;
    if (rank == 0 && selves == NULL)
        xmpi_misuse("no memory for the names of %d processes", size);
    memset(&self, 0, sizeof self);
    xmpi_configure_self(doorbell, self.node, &ignored);
    reach_all(doorbell);
    self.door = doorbell->door;
    if (xmpi_first_is_wanted())
        xmpi_first_look(self.node, &self.load);
    PMPI_Gather(&self, sizeof self, MPI_BYTE, selves, sizeof self, MPI_BYTE, 0, xmpi_world.initial);
    xmpi_status_t status = rank == 0 ? configure_all(shared, selves, size, share, error) : XMPI_OK;
    free(selves);
    return spread(shared, rank, status, error);
}
