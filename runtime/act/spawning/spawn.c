/* SPDX-License-Identifier: BSD-3-Clause
 * Spawn: starting processes with MPI_Comm_spawn, and giving them their orders. */
#define _GNU_SOURCE
#include "act/spawning/spawn.h"
#include "base/misuse.h"

#include <stdlib.h>
#include <string.h>

#include "act/spawning/carry.h"
enum { TAG_ORDER = 111, TAG_HOME };

/* Hydra from 4.2.3 on ends the job when a process is put by "host" on a node whose processes have
 * all ended, and not by "hosts" (ParaStation/psmpi#7), which other MPIs do not know. */
static const char *key_of_node(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    PMPI_Get_library_version(version, &length);
    return strncmp(version, "MPICH", 5) == 0 ? "hosts" : "host";
}

static MPI_Info info_for(const xmpi_seat_t *seat)
{
    MPI_Info info;
    PMPI_Info_create(&info);
    if (seat->node[0] != '\0')
        PMPI_Info_set(info, key_of_node(), seat->node);
    return info;
}

static xmpi_status_t cannot_spawn(const xmpi_seat_t *seat, int code, xmpi_error_t *error)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    PMPI_Error_string(code, text, &length);
    text[strcspn(text, "\n")] = '\0';
    return xmpi_error_set(error, XMPI_ERR_PROCESS, "MPI cannot spawn a process%s%s (%.200s)",
                          seat->node[0] != '\0' ? " on " : "", seat->node, text);
}

/* Hears where the N new processes are: a leader that has no door for those of other nodes opens one
 * now. Without, they cannot come, and are missed in time. */
static void open_door(const xmpi_spawn_t *spawn, int n, xmpi_order_head_t *head, MPI_Comm children)
{
    bool abroad = false;
    uint64_t home;
    for (int i = 0; i < n; i++) {
        PMPI_Recv(&home, 1, MPI_UINT64_T, i, TAG_HOME, children, MPI_STATUS_IGNORE);
        abroad = abroad || home != head->door.home;
    }
    if (abroad && head->door.port == 0)
        spawn->reach(spawn->context, head);
}

/* To the N processes that have the seats from SEAT on. */
static void give_orders(const xmpi_spawn_t *spawn, const xmpi_seat_t *seat, int n,
                        MPI_Comm children)
{
    xmpi_order_head_t *head = (xmpi_order_head_t *)(void *)spawn->order->data;
    open_door(spawn, n, head, children);
    head->process = seat->group > 0 ? -1 : seat->process;
    head->group = seat->group;
    for (int i = 0; i < n; i++)
        PMPI_Send(spawn->order->data, (int)spawn->order->size, MPI_BYTE, i, TAG_ORDER, children);
    PMPI_Comm_disconnect(&children);
}

/* A process that has a parent is not XMPI's for that: programs spawn as well. Those that XMPI
 * spawns find a mark in their environment, which the MPI would not hand on: env sets it, and a
 * shell starts what env would take for a variable. */
static char mark_of_env[] = XMPI_SPAWNED_MARK "=1";
static char env_program[] = "/usr/bin/env";
static char shell[] = "/bin/sh", shell_option[] = "-c", shell_text[] = "exec \"$0\" \"$@\"";

/* The argument list is to be freed; what it points to is that of COMMAND and of CARRY. */
static xmpi_status_t mark_command(const xmpi_command_line_t *command, xmpi_carry_t *carry,
                                  char ***arguments, xmpi_error_t *error)
{
    int at = 0;
    *arguments = NULL;
    if (!xmpi_command_line_exists(command->program))
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "%.200s cannot be executed here",
                              command->program);
    xmpi_status_t status = xmpi_carry_make(command, carry, error);
    if (status != XMPI_OK)
        return status;
    char **list = calloc((size_t)carry->n + 6, sizeof *list);
    *arguments = list;
    if (list == NULL) {
        xmpi_carry_free(carry);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to spawn a process");
    }
    list[at++] = mark_of_env;
    for (int i = 0; i < carry->n; i++)
        list[at++] = carry->variable[i];
    if (strchr(command->program, '=') != NULL) {
        list[at++] = shell;
        list[at++] = shell_option;
        list[at++] = shell_text;
    }
    list[at++] = command->program;
    return XMPI_OK;
}

xmpi_status_t xmpi_spawn_alone(const xmpi_spawn_t *spawn, const xmpi_seat_t *seat, MPI_Comm self,
                               xmpi_error_t *error)
{
    int code = MPI_SUCCESS;
    char **argument;
    xmpi_carry_t carry;
    MPI_Comm child;
    xmpi_status_t status = mark_command(spawn->command, &carry, &argument, error);
    if (status != XMPI_OK)
        return status;
    MPI_Info info = info_for(seat);
    int result = PMPI_Comm_spawn(env_program, argument, 1, info, 0, self, &child, &code);
    PMPI_Info_free(&info);
    free(argument);
    xmpi_carry_free(&carry);
    if (result != MPI_SUCCESS || code != MPI_SUCCESS)
        return cannot_spawn(seat, result != MPI_SUCCESS ? result : code, error);
    give_orders(spawn, seat, 1, child);
    return XMPI_OK;
}

/* What MPI_Comm_spawn_multiple wants to know of the processes of a node, and says of each. */
typedef struct {
    int nodes;
    char **program;
    char ***argument; /* all the same */
    int *processes, *code;
    MPI_Info *info;
} lists_t;

/* Where the node is anybody's choice, they are asked for one by one, as they are on different ones
 * then. */
static bool is_same_node(const xmpi_seat_t *a, const xmpi_seat_t *b)
{
    return a->node[0] != '\0' && strcmp(a->node, b->node) == 0;
}

static void lists_add(lists_t *lists, const xmpi_seat_t *seat, char **argument)
{
    int i = lists->nodes++;
    lists->program[i] = env_program;
    lists->argument[i] = argument;
    lists->processes[i] = 1;
    lists->info[i] = info_for(seat);
}

static bool lists_make(lists_t *lists, const xmpi_spawn_t *spawn, char **argument)
{
    size_t n = (size_t)spawn->n;
    lists->program = calloc(n, sizeof *lists->program);
    lists->argument = calloc(n, sizeof *lists->argument);
    lists->processes = calloc(n, sizeof *lists->processes);
    lists->code = calloc(n, sizeof *lists->code);
    lists->info = calloc(n, sizeof *lists->info);
    if (lists->program == NULL || lists->argument == NULL || lists->processes == NULL ||
        lists->code == NULL || lists->info == NULL)
        return false;
    for (int i = 0; i < spawn->n; i++)
        if (i > 0 && is_same_node(&spawn->seat[i - 1], &spawn->seat[i]))
            lists->processes[lists->nodes - 1]++;
        else
            lists_add(lists, &spawn->seat[i], argument);
    return true;
}

static void lists_free(lists_t *lists)
{
    for (int i = 0; i < lists->nodes; i++)
        PMPI_Info_free(&lists->info[i]);
    free(lists->program);
    free(lists->argument);
    free(lists->processes);
    free(lists->code);
    free(lists->info);
}

static xmpi_status_t spawn_all(const xmpi_spawn_t *spawn, char **argument, MPI_Comm self,
                               xmpi_error_t *error)
{
    lists_t lists = {0};
    MPI_Comm children;
    if (!lists_make(&lists, spawn, argument)) {
        lists_free(&lists);
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to spawn %d processes", spawn->n);
    }
    int result =
        PMPI_Comm_spawn_multiple(lists.nodes, lists.program, lists.argument, lists.processes,
                                 lists.info, 0, self, &children, lists.code);
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < spawn->n && status == XMPI_OK; i++)
        if (result != MPI_SUCCESS || lists.code[i] != MPI_SUCCESS)
            status = cannot_spawn(&spawn->seat[i], result != MPI_SUCCESS ? result : lists.code[i],
                                  error);
    lists_free(&lists);
    if (status == XMPI_OK)
        give_orders(spawn, spawn->seat, spawn->n, children);
    return status;
}

static xmpi_status_t spawn_group(const xmpi_spawn_t *spawn, MPI_Comm self, xmpi_error_t *error)
{
    xmpi_carry_t carry;
    char **argument;
    xmpi_status_t status = mark_command(spawn->command, &carry, &argument, error);
    if (status != XMPI_OK)
        return status;
    status = spawn_all(spawn, argument, self, error);
    free(argument);
    xmpi_carry_free(&carry);
    return status;
}

/* Group after group, and who is alone. */
static xmpi_status_t spawn_each(const xmpi_spawn_t *spawn, MPI_Comm self, xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    for (int at = 0, n; at < spawn->n && status == XMPI_OK; at += n) {
        xmpi_spawn_t part = *spawn;
        part.seat += at;
        part.n = n = xmpi_seats_together(part.seat, spawn->n - at);
        status = part.seat->group > 0 ? spawn_group(&part, self, error)
                                      : xmpi_spawn_alone(&part, part.seat, self, error);
    }
    return status;
}

/* --- on the way to a spawner -------------------------------------------------------------------
 */

static void put_texts(xmpi_pack_t *pack, char *const *texts)
{
    int n = 0;
    while (texts != NULL && texts[n] != NULL)
        n++;
    xmpi_pack_put(pack, &n, sizeof n);
    for (int i = 0; i < n; i++)
        xmpi_pack_put_text(pack, texts[i]);
}

static void put_command(xmpi_pack_t *pack, const xmpi_command_line_t *command)
{
    xmpi_pack_put_text(pack, command->program);
    xmpi_pack_put_text(pack, command->name != NULL ? command->name : command->program);
    xmpi_pack_put_text(pack, command->folder);
    xmpi_pack_put(pack, &command->mask, sizeof command->mask);
    put_texts(pack, command->argument);
    put_texts(pack, command->variable);
}

/* The list (malloc, NULL-terminated) points into the pack. */
static char **get_texts(xmpi_pack_t *pack)
{
    int n;
    xmpi_pack_get(pack, &n, sizeof n);
    if (n < 0 || (size_t)n > pack->size - pack->at) {
        pack->status = XMPI_ERR_INTERNAL;
        n = 0;
    }
    char **texts = calloc((size_t)n + 1, sizeof *texts);
    if (texts == NULL)
        pack->status = XMPI_ERR_MEMORY;
    for (int i = 0; i < n && texts != NULL; i++)
        texts[i] = (char *)(uintptr_t)xmpi_pack_view_text(pack);
    return texts;
}

/* What COMMAND points to stays in the pack, but for the lists. */
static void get_command(xmpi_pack_t *pack, xmpi_command_line_t *command)
{
    command->program = (char *)(uintptr_t)xmpi_pack_view_text(pack);
    command->name = (char *)(uintptr_t)xmpi_pack_view_text(pack);
    command->folder = xmpi_pack_view_text(pack);
    xmpi_pack_get(pack, &command->mask, sizeof command->mask);
    command->argument = get_texts(pack);
    command->variable = get_texts(pack);
}

void xmpi_spawn_put(xmpi_pack_t *pack, const xmpi_spawn_t *spawn)
{
    xmpi_pack_put_array(pack, spawn->seat, spawn->n, sizeof *spawn->seat);
    put_command(pack, spawn->command);
    xmpi_pack_put_array(pack, spawn->order->data, (int)spawn->order->size, 1);
}

xmpi_status_t xmpi_spawn_read_and_do(xmpi_pack_t *pack, MPI_Comm self, xmpi_reach_t *reach,
                                     void *context, xmpi_error_t *error)
{
    xmpi_spawn_t spawn = {.reach = reach, .context = context};
    xmpi_command_line_t command;
    xmpi_pack_t order = {0};
    int size = 0;
    spawn.seat = xmpi_pack_get_array(pack, &spawn.n, sizeof *spawn.seat);
    get_command(pack, &command);
    order.data = xmpi_pack_get_array(pack, &size, 1);
    order.size = (size_t)size;
    if (order.size < sizeof(xmpi_order_head_t))
        pack->status = XMPI_ERR_INTERNAL;
    spawn.command = &command;
    spawn.order = &order;
    xmpi_status_t status = pack->status;
    if (status == XMPI_OK && !xmpi_seats_are_sound(spawn.seat, spawn.n))
        status = XMPI_ERR_INTERNAL;
    if (status != XMPI_OK)
        xmpi_error_set(error, status, "a request to spawn cannot be read");
    else
        status = spawn_each(&spawn, self, error);
    free(command.argument);
    free(command.variable);
    free(spawn.seat);
    free(order.data);
    return status;
}

void xmpi_spawn_receive(MPI_Comm parent, xmpi_pack_t *order)
{
    MPI_Status status;
    int size;
    uint64_t home = xmpi_door_home();
    memset(order, 0, sizeof *order);
    PMPI_Send(&home, 1, MPI_UINT64_T, 0, TAG_HOME, parent);
    PMPI_Probe(0, TAG_ORDER, parent, &status);
    PMPI_Get_count(&status, MPI_BYTE, &size);
    order->data = malloc((size_t)size);
    if (order->data == NULL)
        xmpi_misuse("no memory for the order to join, of %d bytes", size);
    order->size = order->room = (size_t)size;
    PMPI_Recv(order->data, size, MPI_BYTE, 0, TAG_ORDER, parent, MPI_STATUS_IGNORE);
    PMPI_Comm_disconnect(&parent);
}
