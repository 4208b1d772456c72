/* SPDX-License-Identifier: BSD-3-Clause
 * Calling processes in. */
#define _GNU_SOURCE
#include "act/call.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/command_line.h"
#include "act/doorbell.h"

enum { TAG_ORDER = 111, TAG_PORT = 112 };

/* What every order begins with. */
typedef struct {
    xmpi_order_t order;
    int process; /* that is called */
} order_head_t;

static MPI_Info spawn_info(const xmpi_pe_t *pe)
{
    char folder[PATH_MAX];
    MPI_Info info;
    PMPI_Info_create(&info);
    if (pe->node[0] != '\0')
        PMPI_Info_set(info, "host", pe->node);
    if (getcwd(folder, sizeof folder) != NULL)
        PMPI_Info_set(info, "wdir", folder);
    return info;
}

static xmpi_status_t cannot_spawn(const xmpi_pe_t *pe, int code, xmpi_error_t *error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    PMPI_Error_string(code, text, &length);
    text[strcspn(text, "\n")] = '\0';
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "MPI cannot spawn a process%s%s (%.200s)",
                          pe->node[0] != '\0' ? " on " : "", pe->node, text);
}

/* One process alone (thesis Alg. 1), so that it can be removed alone. */
static xmpi_status_t spawn_on(const xmpi_pe_t *pe, const xmpi_command_line_t *command,
                              const xmpi_world_t *world, MPI_Comm *channel, xmpi_error_t *error)
{
    int code = MPI_SUCCESS;
    if (!xmpi_command_line_exists(command->program))
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "%.200s cannot be executed here",
                              command->program);
    MPI_Info info = spawn_info(pe);
    int result = PMPI_Comm_spawn(command->program, command->argument, 1, info, 0, world->self,
                                 channel, &code);
    PMPI_Info_free(&info);
    if (result == MPI_SUCCESS && code == MPI_SUCCESS)
        return XMPI_OK;
    return cannot_spawn(pe, result != MPI_SUCCESS ? result : code, error);
}

/* To the private world for a process that mpiexec started; a spawned one is not needed again. */
static void send_order(const xmpi_shared_t *shared, const xmpi_world_t *world,
                       xmpi_called_t *called, const xmpi_pack_t *order)
{
    if (called->channel == MPI_COMM_NULL) {
        PMPI_Send(order->data, (int)order->size, MPI_BYTE,
                  shared->process[called->process].initial_rank, TAG_ORDER, world->initial);
        return;
    }
    PMPI_Send(order->data, (int)order->size, MPI_BYTE, 0, TAG_ORDER, called->channel);
    PMPI_Comm_disconnect(&called->channel);
}

static void send_word(const xmpi_shared_t *shared, const xmpi_world_t *world, xmpi_called_t *called,
                      xmpi_order_t word)
{
    order_head_t head = {word, called->process};
    xmpi_pack_t order = {.data = (char *)&head, .size = sizeof head};
    send_order(shared, world, called, &order);
}

static bool needs_ports(const xmpi_change_t *change, const xmpi_shared_t *shared)
{
    return change->joiners > 0 && !xmpi_change_all_initial(change, shared);
}

/* The order to join, with room for what is not known yet: the process and the ports. */
static xmpi_status_t write_order(xmpi_pack_t *order, const xmpi_change_t *change,
                                 const xmpi_layout_t *next, const xmpi_shared_t *shared,
                                 const xmpi_registry_t *registry, const xmpi_port_t *ports)
{
    order_head_t head = {.order = XMPI_ORDER_JOIN};
    xmpi_pack_put(order, &head, sizeof head);
    xmpi_pack_put_array(order, ports, change->joiners + 1, sizeof *ports);
    xmpi_shared_put(order, shared);
    xmpi_layout_put(order, next);
    xmpi_registry_put_lives(order, registry);
    return order->status;
}

/* Behind the head and the length of the array. */
static char *ports_of(xmpi_pack_t *order)
{
    return order->data + sizeof(order_head_t) + sizeof(int);
}

static xmpi_status_t calling_open(xmpi_calling_t *calling, const xmpi_change_t *change,
                                  const xmpi_layout_t *next, const xmpi_shared_t *shared,
                                  const xmpi_registry_t *registry, const xmpi_world_t *world,
                                  xmpi_error_t *error)
{
    calling->by_me = calloc((size_t)change->joiners, sizeof *calling->by_me);
    calling->ports = calloc((size_t)change->joiners + 1, sizeof *calling->ports);
    if (calling->by_me == NULL || calling->ports == NULL)
        return XMPI_ERR_MEMORY;
    if (world->rank == 0 && needs_ports(change, shared) &&
        xmpi_port_open(&calling->ports[change->joiners], error) != XMPI_OK)
        return XMPI_ERR_PROCESS;
    return write_order(&calling->order, change, next, shared, registry, calling->ports);
}

/* Gets one joiner; a spawned one answers with its port. */
static xmpi_status_t call_one(int process, const xmpi_shared_t *shared, const xmpi_world_t *world,
                              const xmpi_command_line_t *command, xmpi_called_t *called,
                              xmpi_port_t *port, xmpi_error_t *error)
{
    const xmpi_process_t *entry = &shared->process[process];
    called->process = process;
    called->channel = MPI_COMM_NULL;
    if (entry->initial_rank >= 0)
        return xmpi_doorbell_ring(&entry->door, error);
    xmpi_status_t status =
        spawn_on(&shared->resources.pe[entry->pe], command, world, &called->channel, error);
    if (status == XMPI_OK)
        PMPI_Recv(port, sizeof *port, MPI_BYTE, 0, TAG_PORT, called->channel, MPI_STATUS_IGNORE);
    return status;
}

/* Every joiner from FIRST on, STEP apart. */
static xmpi_status_t call_some(xmpi_calling_t *calling, const xmpi_change_t *change, int first,
                               int step, const xmpi_shared_t *shared, const xmpi_world_t *world,
                               const xmpi_command_line_t *command, xmpi_error_t *error)
{
    for (int i = first; i < change->joiners; i += step) {
        xmpi_status_t status =
            call_one(change->process[change->olds + i], shared, world, command,
                     &calling->by_me[calling->called], &calling->ports[i], error);
        if (status != XMPI_OK)
            return status;
        calling->called++;
    }
    return XMPI_OK;
}

static xmpi_status_t call_mine(xmpi_calling_t *calling, const xmpi_change_t *change,
                               const xmpi_shared_t *shared, const xmpi_world_t *world,
                               const xmpi_command_line_t *command, xmpi_error_t *error)
{
    xmpi_command_line_t own;
    if (command != NULL)
        return call_some(calling, change, world->rank == 0 ? 0 : change->joiners, 1, shared, world,
                         command, error);
    xmpi_status_t status = xmpi_command_line_read(&own, error);
    if (status != XMPI_OK)
        return status;
    status = call_some(calling, change, world->rank, change->olds, shared, world, &own, error);
    xmpi_command_line_free(&own);
    return status;
}

/* The first member that failed tells everybody why. */
static xmpi_status_t agree(const xmpi_world_t *world, xmpi_status_t status, xmpi_error_t *error)
{
    int mine = status == XMPI_OK ? INT_MAX : world->rank, first;
    PMPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, world->comm);
    if (first == INT_MAX)
        return XMPI_OK;
    int why = status;
    PMPI_Bcast(&why, 1, MPI_INT, first, world->comm);
    PMPI_Bcast(error, sizeof *error, MPI_BYTE, first, world->comm);
    return (xmpi_status_t)why;
}

/* Every port is known to one member; the others have zeros there. */
static void share_ports(xmpi_calling_t *calling, const xmpi_change_t *change,
                        const xmpi_world_t *world)
{
    size_t size = ((size_t)change->joiners + 1) * sizeof *calling->ports;
    PMPI_Allreduce(MPI_IN_PLACE, calling->ports, (int)size, MPI_BYTE, MPI_BOR, world->comm);
    memcpy(ports_of(&calling->order), calling->ports, size);
}

static void send_away(const xmpi_shared_t *shared, const xmpi_world_t *world,
                      xmpi_calling_t *calling)
{
    for (int i = 0; i < calling->called; i++)
        send_word(shared, world, &calling->by_me[i], XMPI_ORDER_PARK);
    calling->called = 0;
}

xmpi_status_t xmpi_call(const xmpi_change_t *change, const xmpi_layout_t *next,
                        const xmpi_shared_t *shared, const xmpi_registry_t *registry,
                        const xmpi_world_t *world, const xmpi_command_line_t *command,
                        xmpi_calling_t *calling, xmpi_error_t *error)
{
    memset(calling, 0, sizeof *calling);
    memset(error, 0, sizeof *error);
    if (change->joiners == 0)
        return XMPI_OK;
    xmpi_status_t status = calling_open(calling, change, next, shared, registry, world, error);
    if (status == XMPI_OK)
        status = call_mine(calling, change, shared, world, command, error);
    else if (status == XMPI_ERR_MEMORY)
        xmpi_error_set(error, status, "no memory to call %d processes", change->joiners);
    status = agree(world, status, error);
    if (status != XMPI_OK)
        send_away(shared, world, calling);
    else if (needs_ports(change, shared))
        share_ports(calling, change, world);
    return status;
}

void xmpi_call_join(const xmpi_shared_t *shared, const xmpi_world_t *world, xmpi_order_t when,
                    xmpi_calling_t *calling)
{
    for (int i = 0; i < calling->called; i++) {
        order_head_t head = {when, calling->by_me[i].process};
        memcpy(calling->order.data, &head, sizeof head);
        send_order(shared, world, &calling->by_me[i], &calling->order);
    }
}

void xmpi_calling_free(xmpi_calling_t *calling)
{
    free(calling->by_me);
    free(calling->ports);
    xmpi_pack_free(&calling->order);
    memset(calling, 0, sizeof *calling);
}

void xmpi_call_end(const xmpi_shared_t *shared, const xmpi_world_t *world)
{
    for (int i = 0; i < shared->processes; i++) {
        xmpi_called_t called = {i, MPI_COMM_NULL};
        xmpi_error_t error;
        if (!shared->process[i].used || xmpi_layout_rank(&shared->layout, i) >= 0)
            continue;
        if (xmpi_doorbell_ring(&shared->process[i].door, &error) != XMPI_OK)
            fprintf(stderr, "xmpi: %s\n", error.text);
        send_word(shared, world, &called, XMPI_ORDER_END);
    }
}

void xmpi_call_answer(MPI_Comm parent, const xmpi_port_t *port)
{
    PMPI_Send(port, sizeof *port, MPI_BYTE, 0, TAG_PORT, parent);
}

xmpi_order_t xmpi_call_receive(MPI_Comm comm, xmpi_pack_t *pack)
{
    MPI_Status status;
    int size;
    order_head_t head = {XMPI_ORDER_END, -1};
    PMPI_Probe(MPI_ANY_SOURCE, TAG_ORDER, comm, &status);
    PMPI_Get_count(&status, MPI_BYTE, &size);
    memset(pack, 0, sizeof *pack);
    pack->data = malloc((size_t)size);
    if (pack->data == NULL)
        PMPI_Abort(MPI_COMM_WORLD, 2);
    pack->size = pack->room = (size_t)size;
    PMPI_Recv(pack->data, size, MPI_BYTE, status.MPI_SOURCE, TAG_ORDER, comm, MPI_STATUS_IGNORE);
    xmpi_pack_get(pack, &head, sizeof head);
    pack->at = 0;
    return head.order;
}

xmpi_status_t xmpi_call_read(xmpi_pack_t *pack, xmpi_shared_t *shared, xmpi_layout_t *next,
                             int *process, xmpi_port_t **ports)
{
    order_head_t head;
    int n;
    xmpi_pack_get(pack, &head, sizeof head);
    *process = head.process;
    *ports = xmpi_pack_get_array(pack, &n, sizeof **ports);
    xmpi_shared_get(pack, shared);
    xmpi_layout_get(pack, next);
    return pack->status;
}
