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

enum { TAG_ORDER = 111 };

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

/* One process alone (thesis Alg. 1), so that it can be removed alone. */
static xmpi_status_t spawn_on(const xmpi_pe_t *pe, const xmpi_world_t *world, MPI_Comm *channel,
                              xmpi_error_t *error)
{
    int code = MPI_SUCCESS;
    xmpi_command_line_t command;
    xmpi_status_t status = xmpi_command_line_read(&command, error);
    if (status != XMPI_OK)
        return status;
    MPI_Info info = spawn_info(pe);
    int result = PMPI_Comm_spawn(command.program, command.argument, 1, info, 0, world->self,
                                 channel, &code);
    PMPI_Info_free(&info);
    xmpi_command_line_free(&command);
    if (result == MPI_SUCCESS && code == MPI_SUCCESS)
        return XMPI_OK;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    PMPI_Error_string(result != MPI_SUCCESS ? result : code, text, &length);
    text[strcspn(text, "\n")] = '\0';
    return xmpi_error_set(error, XMPI_ERR_PROCESS,
                          "MPI cannot spawn a process%s%s (%.200s); an MPI without spawning "
                          "needs spares: XMPI_BACKEND=pool",
                          pe->node[0] != '\0' ? " on " : "", pe->node, text);
}

static void send_order(const xmpi_shared_t *shared, const xmpi_world_t *world,
                       const xmpi_called_t *called, xmpi_order_t order, const xmpi_port_t *port,
                       const xmpi_pack_t *body)
{
    xmpi_pack_t pack = {0};
    int32_t word = (int32_t)order;
    xmpi_pack_put(&pack, &word, sizeof word);
    xmpi_pack_put(&pack, &called->process, sizeof called->process);
    if (order == XMPI_ORDER_JOIN) {
        xmpi_pack_put(&pack, port, sizeof *port);
        xmpi_pack_put(&pack, body->data, body->size);
    }
    bool spawned = called->channel != MPI_COMM_NULL;
    PMPI_Send(pack.data, (int)pack.size, MPI_BYTE,
              spawned ? 0 : shared->process[called->process].initial_rank, TAG_ORDER,
              spawned ? called->channel : world->initial);
    xmpi_pack_free(&pack);
}

static xmpi_status_t call_one(int pe_index, xmpi_shared_t *shared, const xmpi_world_t *world,
                              xmpi_called_t *called, xmpi_error_t *error)
{
    const xmpi_pe_t *pe = &shared->resources.pe[pe_index];
    called->channel = MPI_COMM_NULL;
    if (pe->parked) {
        called->process = pe->process;
        return xmpi_doorbell_ring(&shared->process[pe->process].door, error);
    }
    called->process = xmpi_shared_new_process(shared, pe_index);
    if (called->process < 0)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for another process");
    xmpi_status_t status = spawn_on(pe, world, &called->channel, error);
    if (status != XMPI_OK)
        shared->process[called->process].used = false;
    return status;
}

void xmpi_call_dismiss(xmpi_shared_t *shared, const xmpi_world_t *world, xmpi_called_t *called,
                       int n)
{
    for (int i = 0; i < n; i++) {
        send_order(shared, world, &called[i], XMPI_ORDER_PARK, NULL, NULL);
        if (called[i].channel == MPI_COMM_NULL)
            continue;
        PMPI_Comm_disconnect(&called[i].channel);
        shared->process[called[i].process].used = false;
    }
}

xmpi_status_t xmpi_call(const xmpi_plan_t *plan, xmpi_shared_t *shared, const xmpi_world_t *world,
                        xmpi_called_t *called, xmpi_error_t *error)
{
    int n = 0;
    for (int i = 0; i < plan->places; i++) {
        if (plan->place[i].origin == XMPI_STAYS)
            continue;
        xmpi_status_t status = call_one(plan->place[i].pe, shared, world, &called[n], error);
        if (status != XMPI_OK) {
            xmpi_call_dismiss(shared, world, called, n);
            return status;
        }
        n++;
    }
    return XMPI_OK;
}

xmpi_status_t xmpi_call_join(const xmpi_shared_t *shared, const xmpi_layout_t *next, int joiners,
                             const xmpi_registry_t *registry, const xmpi_world_t *world,
                             xmpi_called_t *called, const xmpi_port_t *ports)
{
    xmpi_pack_t body = {0};
    xmpi_shared_put(&body, shared);
    xmpi_layout_put(&body, next);
    xmpi_registry_put_lives(&body, registry);
    xmpi_status_t status = body.status;
    for (int i = 0; i < joiners && status == XMPI_OK; i++) {
        send_order(shared, world, &called[i], XMPI_ORDER_JOIN, &ports[i], &body);
        if (called[i].channel != MPI_COMM_NULL)
            PMPI_Comm_disconnect(&called[i].channel);
    }
    xmpi_pack_free(&body);
    return status;
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
        send_order(shared, world, &called, XMPI_ORDER_END, NULL, NULL);
    }
}

xmpi_order_t xmpi_call_receive(MPI_Comm comm, xmpi_pack_t *pack)
{
    MPI_Status status;
    int size;
    int32_t order = XMPI_ORDER_END;
    PMPI_Probe(MPI_ANY_SOURCE, TAG_ORDER, comm, &status);
    PMPI_Get_count(&status, MPI_BYTE, &size);
    memset(pack, 0, sizeof *pack);
    pack->data = malloc((size_t)size);
    if (pack->data == NULL)
        PMPI_Abort(MPI_COMM_WORLD, 2);
    pack->size = pack->room = (size_t)size;
    PMPI_Recv(pack->data, size, MPI_BYTE, status.MPI_SOURCE, TAG_ORDER, comm, MPI_STATUS_IGNORE);
    xmpi_pack_get(pack, &order, sizeof order);
    return (xmpi_order_t)order;
}

xmpi_status_t xmpi_call_read(xmpi_pack_t *pack, xmpi_shared_t *shared, xmpi_layout_t *next,
                             int *process, xmpi_port_t *port)
{
    xmpi_pack_get(pack, process, sizeof *process);
    xmpi_pack_get(pack, port, sizeof *port);
    xmpi_shared_get(pack, shared);
    xmpi_layout_get(pack, next);
    return pack->status;
}
