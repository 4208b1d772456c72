/* SPDX-License-Identifier: BSD-3-Clause
 * Calling processes in. */
#define _GNU_SOURCE
#include "act/processes/call.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "act/data/row_file.h"
#include "act/machine/room.h"
#include "act/processes/called.h"
#include "act/spawning/spawn.h"
#include "base/process/seconds.h"

/* --- orders ------------------------------------------------------------------------------------
 */

static void fill_seat(xmpi_seat_t *seat, int process, const xmpi_shared_t *shared)
{
    seat->process = process;
    seat->group = shared->process[process].group;
    strcpy(seat->node, shared->resources.pe[shared->process[process].pe].node);
}

/* Of each unit, those that join in their order. */
static void fill_seats(xmpi_seat_t *seats, const xmpi_change_t *change, const xmpi_shared_t *shared,
                       const xmpi_units_t *units)
{
    for (int i = 0; i < change->joiners; i++)
        fill_seat(&seats[units->seat[i]], change->process[change->olds + i], shared);
}

static xmpi_status_t write_order(xmpi_pack_t *order, const xmpi_order_head_t *head,
                                 const xmpi_seat_t *seats, int n, const xmpi_caller_t *caller,
                                 const xmpi_layout_t *next)
{
    xmpi_pack_put(order, head, sizeof *head);
    xmpi_pack_put_array(order, seats, n, sizeof *seats);
    xmpi_shared_put(order, caller->shared);
    xmpi_layout_put(order, next);
    xmpi_row_files_note(caller->registry);
    xmpi_registry_put_lives(order, caller->registry);
    return order->status;
}

static void order_for(xmpi_pack_t *order, int process)
{
    ((xmpi_order_head_t *)(void *)order->data)->process = process;
}

/* --- starting ----------------------------------------------------------------------------------
 */

static bool is_spawned(const xmpi_change_t *change, const xmpi_shared_t *shared)
{
    return shared->process[change->process[change->olds]].initial_rank < 0;
}

static xmpi_status_t calling_open(xmpi_calling_t *calling, const xmpi_change_t *change,
                                  const xmpi_shared_t *shared, xmpi_error_t *error)
{
    calling->joiners = change->joiners;
    calling->number++;
    calling->started = xmpi_seconds_now();
    calling->deadline = calling->started + (double)shared->settings.timeout;
    calling->called = calloc((size_t)change->joiners, sizeof *calling->called);
    calling->ports = calloc((size_t)change->joiners + 1, sizeof *calling->ports);
    if (calling->called == NULL || calling->ports == NULL)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to call %d processes",
                              change->joiners);
    for (int i = 0; i < change->joiners; i++)
        calling->called[i] = (xmpi_called_t){change->process[change->olds + i], -1, false};
    calling->ported = !xmpi_change_all_initial(change, shared);
    return calling->ported ? xmpi_port_open(&calling->ports[change->joiners], error) : XMPI_OK;
}

static xmpi_status_t wake_all(const xmpi_caller_t *caller, xmpi_pack_t *order,
                              xmpi_calling_t *calling, xmpi_error_t *error)
{
    const xmpi_process_t *process = caller->shared->process;
    xmpi_status_t status = XMPI_OK;
    for (int i = 0; i < calling->joiners && status == XMPI_OK; i++) /* they wake side by side */
        status = xmpi_doorbell_touch(&process[calling->called[i].process].door,
                                     &calling->called[i].line, error);
    for (int i = 0; i < calling->joiners && status == XMPI_OK; i++) {
        xmpi_called_t *called = &calling->called[i];
        const xmpi_door_t *door = &process[called->process].door;
        status = xmpi_doorbell_ring(door, XMPI_RING_SECONDS, &called->line, error);
        order_for(order, called->process);
        if (status == XMPI_OK && !xmpi_line_say(called->line, XMPI_WORD_ORDER, order))
            status = xmpi_error_set(error, XMPI_ERR_PROCESS, "the parked process on %s has ended",
                                    door->host);
    }
    return status;
}

/* How many spawners work on N units. More than the cores of this node would only wait for one
 * another. */
static int workers(const xmpi_shared_t *shared, int n)
{
    enum { MOST = 4 };
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int most = cores < 1 ? 1 : cores < MOST ? (int)cores : MOST;
    if (shared->settings.strategy == XMPI_SPAWN_SERIAL)
        return 1;
    return n < most ? n : most;
}

/* Whether the node of the leader has room for what comes there, spawners included. */
static xmpi_status_t room_for(const xmpi_caller_t *caller, const xmpi_seat_t *seats, int n,
                              int spawners, xmpi_error_t *error)
{
    const xmpi_shared_t *shared = caller->shared;
    const char *here = shared->resources.pe[shared->process[caller->process].pe].node;
    int missing = spawners - xmpi_spawners_idle(caller->spawners), come = missing > 0 ? missing : 0;
    for (int i = 0; i < n; i++)
        come += seats[i].node[0] == '\0' || strcmp(seats[i].node, here) == 0;
    return xmpi_room_for(come, error);
}

/* Of N seats those that one of SHARE spawners starts: a group as a whole. */
static int part_of(const xmpi_seat_t *seats, int n, int share)
{
    int part = 0, wanted = (n + share - 1) / share;
    while (part < wanted)
        part += xmpi_seats_together(&seats[part], n - part);
    return part;
}

/* The seats, of so many UNITS, are shared among the spawners that are free. */
static xmpi_status_t spawn_all(const xmpi_caller_t *caller, const xmpi_seat_t *seats, int n,
                               int units, const xmpi_command_line_t *command,
                               const xmpi_pack_t *order, xmpi_error_t *error)
{
    const xmpi_shared_t *shared = caller->shared;
    const xmpi_process_t *leader = &shared->process[caller->process];
    const char *node = shared->resources.listed ? shared->resources.pe[leader->pe].node : "";
    int share = workers(shared, units), done = 0;
    xmpi_status_t status = room_for(caller, seats, n, share, error);
    if (status == XMPI_OK)
        status = xmpi_spawners_need(caller->spawners, share, node, caller->world->self,
                                    caller->doorbell, shared->settings.timeout, error);
    for (int i = 0; i < caller->spawners->n && done < n && status == XMPI_OK; i++) {
        xmpi_spawner_t *spawner = &caller->spawners->spawner[i];
        if (spawner->busy || spawner->line < 0)
            continue;
        int part = part_of(&seats[done], n - done, share);
        status = xmpi_spawner_request(spawner, &seats[done], part, command, order, error);
        done += part;
        share -= share > 1;
    }
    return status;
}

static xmpi_status_t call_all(const xmpi_caller_t *caller, const xmpi_change_t *change,
                              const xmpi_command_line_t *command, const xmpi_seat_t *seats,
                              int units, xmpi_pack_t *order, xmpi_calling_t *calling,
                              xmpi_error_t *error)
{
    xmpi_command_line_t own;
    if (!is_spawned(change, caller->shared))
        return wake_all(caller, order, calling, error);
    if (command != NULL)
        return spawn_all(caller, seats, change->joiners, units, command, order, error);
    xmpi_status_t status = xmpi_command_line_read(&own, error);
    if (status == XMPI_OK)
        status = spawn_all(caller, seats, change->joiners, units, &own, order, error);
    return status;
}

xmpi_status_t xmpi_call_begin(const xmpi_caller_t *caller, const xmpi_change_t *change,
                              const xmpi_layout_t *next, const xmpi_command_line_t *command,
                              xmpi_order_t when, xmpi_calling_t *calling, xmpi_error_t *error)
{
    xmpi_pack_t order = {0};
    xmpi_units_t units;
    xmpi_seat_t *seats = calloc((size_t)change->joiners + 1, sizeof *seats);
    xmpi_status_t status = calling_open(calling, change, caller->shared, error);
    if (status == XMPI_OK && caller->doorbell->fd < 0) /* nobody could come, and this says why */
        status = xmpi_doorbell_open(caller->doorbell, error);
    xmpi_order_head_t head = {when, -1, 0, calling->number, caller->doorbell->door};
    bool made = xmpi_change_units(change, caller->shared, &units) == XMPI_OK && seats != NULL;
    if (made)
        fill_seats(seats, change, caller->shared, &units);
    if (status == XMPI_OK &&
        (!made || write_order(&order, &head, seats, change->joiners, caller, next) != XMPI_OK))
        status = xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for an order to %d processes",
                                change->joiners);
    if (status == XMPI_OK)
        status = call_all(caller, change, command, seats, units.n, &order, calling, error);
    if (status != XMPI_OK)
        xmpi_call_cancel(calling);
    xmpi_pack_free(&order);
    xmpi_units_free(&units);
    free(seats);
    return status;
}

/* --- waiting -----------------------------------------------------------------------------------
 */

/* Texts must end: they are read as such later. */
static bool is_sound(const xmpi_hello_t *hello)
{
    return xmpi_door_is_sound(&hello->door) && xmpi_port_is_sound(&hello->port);
}

static xmpi_called_t *find_called(xmpi_calling_t *calling, const xmpi_hello_t *hello)
{
    for (int i = 0; i < calling->joiners && hello->number == calling->number; i++)
        if (calling->called[i].process == hello->process && calling->called[i].line < 0)
            return &calling->called[i];
    return NULL;
}

/* Takes the line of a process that is told to end. Without memory for it nobody waits for it. */
static void send_away(xmpi_calling_t *calling, int *line, const xmpi_pack_t *why)
{
    xmpi_leavings_t *leavings = &calling->leavings;
    int *grown = realloc(leavings->line, (size_t)(leavings->n + 1) * sizeof *grown);
    xmpi_line_say(*line, XMPI_WORD_AWAY, why);
    if (grown == NULL) {
        xmpi_line_close(line);
        return;
    }
    leavings->line = grown;
    leavings->line[leavings->n++] = *line;
    *line = -1;
}

/* Forgets those that have ended. */
static void forget_left(xmpi_leavings_t *leavings)
{
    int left = 0;
    for (int i = 0; i < leavings->n; i++) {
        struct pollfd line = {.fd = leavings->line[i], .events = POLLIN};
        char byte;
        bool ended = poll(&line, 1, 0) > 0 && recv(line.fd, &byte, 1, MSG_DONTWAIT) <= 0;
        if (ended)
            xmpi_line_close(&leavings->line[i]);
        else
            leavings->line[left++] = leavings->line[i];
    }
    leavings->n = left;
}

/* Somebody is at the door: one that has been called, or one of a call that was called off. */
static void welcome(const xmpi_caller_t *caller, xmpi_calling_t *calling)
{
    xmpi_word_t word;
    xmpi_pack_t pack = {0};
    xmpi_hello_t hello = {.process = -1};
    xmpi_cores_t cores = {0};
    int line = xmpi_doorbell_answer(caller->doorbell), process = 0;
    if (line < 0)
        return;
    bool hears = xmpi_line_hear(line, &word, &pack) && word == XMPI_WORD_HELLO;
    if (hears && pack.size == sizeof process)
        xmpi_pack_get(&pack, &process, sizeof process);
    else if (hears)
        xmpi_pack_get(&pack, &hello, sizeof hello);
    if (hears && pack.status == XMPI_OK && pack.size == sizeof hello + sizeof cores)
        xmpi_pack_get(&pack, &cores, sizeof cores);
    if (process == XMPI_SPAWNER && xmpi_spawners_take(caller->spawners, caller->doorbell, line)) {
        xmpi_pack_free(&pack);
        return;
    }
    caller->spawners->expected -= hello.process >= 0;
    bool sound = pack.status == XMPI_OK && is_sound(&hello) && xmpi_cores_are_sound(&cores);
    xmpi_called_t *called = sound ? find_called(calling, &hello) : NULL;
    xmpi_line_limit(line, 0);
    bool broken = hello.number == calling->broken_number; /* others of its group have died */
    xmpi_pack_t why = {.data = (char *)&broken, .size = 1};
    if (called == NULL) {
        send_away(calling, &line, broken ? &why : NULL);
    } else {
        called->line = line;
        calling->ports[called - calling->called] = hello.port;
        xmpi_process_t *entry = &caller->shared->process[called->process];
        entry->door = hello.door;
        xmpi_cores_set(&caller->shared->resources, entry->pe, &cores);
    }
    xmpi_pack_free(&pack);
}

static xmpi_status_t listen_to(const xmpi_caller_t *caller, xmpi_called_t *called, bool *broken,
                               xmpi_error_t *error)
{
    xmpi_word_t word;
    xmpi_pack_t pack = {0};
    const char *host = caller->shared->process[called->process].door.host;
    called->ready = xmpi_line_hear(called->line, &word, &pack) && word == XMPI_WORD_READY;
    xmpi_pack_free(&pack);
    if (called->ready)
        return XMPI_OK;
    xmpi_line_close(&called->line);
    *broken = true;
    return xmpi_error_set(error, XMPI_ERR_PROCESS,
                          "the new process on %s ended before it had joined", host);
}

/* What can be waited for: the door, busy spawners, and those that have come and are not ready. */
typedef struct {
    struct pollfd *fd; /* malloc */
    int n;
} watched_t;

static bool watched_make(watched_t *watched, const xmpi_caller_t *caller,
                         const xmpi_calling_t *calling)
{
    size_t most = 1 + (size_t)caller->spawners->n + (size_t)calling->joiners;
    watched->n = 0;
    watched->fd = calloc(most, sizeof *watched->fd);
    if (watched->fd == NULL)
        return false;
    watched->fd[watched->n++] = (struct pollfd){.fd = caller->doorbell->fd, .events = POLLIN};
    for (int i = 0; i < caller->spawners->n; i++) {
        const xmpi_spawner_t *spawner = &caller->spawners->spawner[i];
        watched->fd[watched->n++] =
            (struct pollfd){.fd = spawner->busy ? spawner->line : -1, .events = POLLIN};
    }
    for (int i = 0; i < calling->joiners; i++) {
        const xmpi_called_t *called = &calling->called[i];
        watched->fd[watched->n++] =
            (struct pollfd){.fd = called->ready ? -1 : called->line, .events = POLLIN};
    }
    return true;
}

/* Deals with everything that can be read now. */
static xmpi_status_t handle(const xmpi_caller_t *caller, const watched_t *watched,
                            xmpi_calling_t *calling, xmpi_error_t *error)
{
    const struct pollfd *fd = watched->fd;
    xmpi_status_t status = XMPI_OK;
    if (fd[0].revents != 0)
        welcome(caller, calling);
    for (int i = 0; i < caller->spawners->n && status == XMPI_OK; i++)
        if (fd[1 + i].revents != 0)
            status = xmpi_spawner_result(caller->spawners, i, error);
    for (int i = 0; i < calling->joiners && status == XMPI_OK; i++)
        if (fd[1 + caller->spawners->n + i].revents != 0)
            status = listen_to(caller, &calling->called[i], &calling->broken, error);
    return status;
}

static bool all_ready(const xmpi_calling_t *calling)
{
    for (int i = 0; i < calling->joiners; i++)
        if (!calling->called[i].ready)
            return false;
    return true;
}

static xmpi_status_t too_late(const xmpi_caller_t *caller, xmpi_calling_t *calling,
                              xmpi_error_t *error)
{
    const xmpi_shared_t *shared = caller->shared;
    const char *node = "";
    int missing = 0;
    calling->late = true;
    for (int i = 0; i < calling->joiners; i++)
        if (!calling->called[i].ready && missing++ == 0)
            node = shared->resources.pe[shared->process[calling->called[i].process].pe].node;
    return xmpi_error_set(error, XMPI_ERR_PROCESS,
                          "%d of %d new processes not ready after %lld s (XMPI_TIMEOUT), the first "
                          "on %s",
                          missing, calling->joiners, (long long)shared->settings.timeout,
                          node[0] != '\0' ? node : "any node");
}

/* The nodes of those that are not ready: where some of them have never been reached, these it is.
 */
static void let_nodes_rest(const xmpi_caller_t *caller, const xmpi_calling_t *calling)
{
    enum { REST = 8 }; /* times as long as was waited, so that others are called most of the time */
    xmpi_shared_t *shared = caller->shared;
    double now = xmpi_seconds_epoch(), seconds = REST * (double)shared->settings.timeout;
    for (int strange = 1, found = 0; strange >= 0 && found == 0; strange--)
        for (int i = 0; i < calling->joiners; i++) {
            int pe = shared->process[calling->called[i].process].pe;
            bool missing = !calling->called[i].ready && !shared->resources.pe[pe].rests;
            if (!missing || xmpi_pe_reached(&shared->resources, pe) == (strange == 1))
                continue;
            xmpi_resources_rest(&shared->resources, pe, now, seconds);
            found++;
        }
}

/* Waits for anything that is watched, no longer than MOST seconds; how many can be read. */
static int wait_for(const watched_t *watched, double most)
{
    double ms = ceil(1e3 * (most > 0 ? most : 0));
    return poll(watched->fd, (nfds_t)watched->n, ms < 1e9 ? (int)ms : 1000000000);
}

xmpi_call_state_t xmpi_call_proceed(const xmpi_caller_t *caller, bool wait, xmpi_calling_t *calling,
                                    xmpi_error_t *error)
{
    xmpi_status_t status = XMPI_OK;
    int n = 1;
    while (status == XMPI_OK && n > 0 && !all_ready(calling)) {
        watched_t watched;
        double left = calling->deadline - xmpi_seconds_now();
        if (!watched_make(&watched, caller, calling))
            status = xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory to wait for %d processes",
                                    calling->joiners);
        n = status == XMPI_OK ? wait_for(&watched, wait ? left : 0) : 0;
        if (n > 0)
            status = handle(caller, &watched, calling, error);
        else if (status == XMPI_OK && calling->deadline <= xmpi_seconds_now())
            status = too_late(caller, calling, error);
        n = wait ? 1 : n; /* nothing has come, or a signal: once more until it is too late */
        free(watched.fd);
    }
    if (status == XMPI_OK)
        return all_ready(calling) ? XMPI_CALL_READY : XMPI_CALL_PENDING;
    if (calling->ported && status == XMPI_ERR_PROCESS)
        let_nodes_rest(caller, calling);
    xmpi_call_cancel(calling);
    return XMPI_CALL_FAILED;
}

void xmpi_call_turn_away(const xmpi_caller_t *caller, xmpi_calling_t *calling)
{
    struct pollfd door = {.fd = caller->doorbell->fd, .events = POLLIN};
    while (poll(&door, 1, 0) > 0)
        welcome(caller, calling);
    forget_left(&calling->leavings);
}

/* Waits a little for one that leaves, comes or is being started; whether there is any. */
static bool settle_some(const xmpi_caller_t *caller, xmpi_calling_t *calling)
{
    xmpi_error_t ignored;
    watched_t watched;
    const xmpi_spawners_t *spawners = caller->spawners;
    bool left = calling->leavings.n > 0 || spawners->expected > 0;
    for (int i = 0; i < spawners->n; i++)
        left = left || spawners->spawner[i].busy;
    if (!left || !watched_make(&watched, caller, calling))
        return false;
    wait_for(&watched, 0.01);
    handle(caller, &watched, calling, &ignored);
    free(watched.fd);
    forget_left(&calling->leavings);
    return true;
}

void xmpi_call_settle(const xmpi_caller_t *caller, xmpi_calling_t *calling)
{
    enum { SETTLE_SECONDS = 10, GIVEN_UP_SECONDS = 3 };
    double begin = xmpi_seconds_now();
    while (xmpi_seconds_now() - begin < (calling->late ? GIVEN_UP_SECONDS : SETTLE_SECONDS) &&
           settle_some(caller, calling))
        ;
    for (int i = 0; i < calling->leavings.n; i++)
        xmpi_line_close(&calling->leavings.line[i]);
    free(calling->leavings.line);
    calling->leavings = (xmpi_leavings_t){0};
}

/* --- the end of a call --------------------------------------------------------------------------
 */

static void hang_up(xmpi_calling_t *calling, xmpi_word_t word, const xmpi_pack_t *pack)
{
    for (int i = 0; i < calling->joiners && calling->called != NULL; i++) {
        int *line = &calling->called[i].line;
        if (*line >= 0 && word == XMPI_WORD_AWAY && calling->ported)
            send_away(calling, line, pack);
        else if (*line >= 0)
            xmpi_line_say(*line, word, pack);
        xmpi_line_close(line);
    }
}

void xmpi_call_go(xmpi_calling_t *calling)
{
    xmpi_pack_t ports = {.data = (char *)calling->ports};
    if (calling->ported)
        ports.size = ((size_t)calling->joiners + 1) * sizeof *calling->ports;
    hang_up(calling, XMPI_WORD_GO, &ports);
}

void xmpi_call_cancel(xmpi_calling_t *calling)
{
    xmpi_pack_t broken = {.data = (char *)&calling->broken, .size = 1};
    hang_up(calling, XMPI_WORD_AWAY, calling->broken ? &broken : NULL);
    if (calling->broken)
        calling->broken_number = calling->number;
    if (calling->ported && calling->ports[calling->joiners].name[0] != '\0')
        PMPI_Close_port(calling->ports[calling->joiners].name);
    xmpi_calling_free(calling);
}

void xmpi_calling_free(xmpi_calling_t *calling)
{
    free(calling->called);
    free(calling->ports);
    *calling = (xmpi_calling_t){.number = calling->number,
                                .leavings = calling->leavings,
                                .broken_number = calling->broken_number,
                                .late = calling->late};
}
