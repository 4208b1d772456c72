/* SPDX-License-Identifier: BSD-3-Clause
 * Spawners, as the leader sees them. Their own life is in spawner_serve.c. */
#define _GNU_SOURCE
#include "act/spawning/spawner.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/spawning/limit.h"
#include "act/spawning/spawn.h"
#include "base/process/seconds.h"

enum { HELLO_SECONDS = 60 };

/* Within SECONDS; a signal of the program's is no reason to give up. */
static bool readable(int fd, int seconds)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    int n, ms = 1000 * seconds;
    double start = xmpi_seconds_now();
    while ((n = poll(&wanted, 1, ms)) < 0 && errno == EINTR && ms > 0) {
        ms = 1000 * seconds - (int)(1000 * (xmpi_seconds_now() - start));
        ms = ms > 0 ? ms : 0;
    }
    return n > 0;
}

/* Waits for the new spawner at the door; anybody else who comes is from a call that was called off.
 */
static xmpi_status_t meet(xmpi_spawners_t *spawners, xmpi_doorbell_t *doorbell, int *line,
                          xmpi_error_t *error)
{
    while (readable(doorbell->fd, HELLO_SECONDS)) {
        xmpi_word_t word;
        xmpi_pack_t pack = {0};
        int process = 0;
        *line = xmpi_doorbell_answer(doorbell);
        if (*line >= 0 && xmpi_line_hear(*line, &word, &pack) && word == XMPI_WORD_HELLO)
            xmpi_pack_get(&pack, &process, sizeof process);
        bool lacks = pack.status == XMPI_ERR_MEMORY;
        xmpi_pack_free(&pack);
        xmpi_line_limit(*line, 0);
        if (process == XMPI_SPAWNER)
            return XMPI_OK;
        if (lacks) {
            xmpi_line_say(*line, XMPI_WORD_BYE, NULL);
            xmpi_line_close(line);
            return xmpi_error_set(error, XMPI_ERR_MEMORY,
                                  "no memory to hear of a process that is to spawn others");
        }
        if (*line >= 0)
            xmpi_line_say(*line, XMPI_WORD_AWAY, NULL);
        spawners->expected -= *line >= 0;
        xmpi_line_close(line);
    }
    return xmpi_error_set(error, XMPI_ERR_PROCESS,
                          "a process that is to spawn others has not come");
}

static bool reach_out(void *doorbell, xmpi_order_head_t *head)
{
    xmpi_error_t ignored;
    xmpi_status_t status = xmpi_doorbell_reach_out(doorbell, &ignored);
    head->door = ((xmpi_doorbell_t *)doorbell)->door;
    return status == XMPI_OK;
}

static xmpi_status_t start(xmpi_spawners_t *spawners, const char *node, MPI_Comm self,
                           xmpi_doorbell_t *doorbell, int64_t seconds, xmpi_error_t *error)
{
    xmpi_order_head_t head = {XMPI_ORDER_SPAWN, XMPI_SPAWNER, 0, 0, doorbell->door};
    xmpi_pack_t order = {.data = (char *)&head, .size = sizeof head};
    xmpi_seat_t seat = {.process = XMPI_SPAWNER};
    xmpi_command_line_t own;
    xmpi_spawner_t *spawner = &spawners->spawner[spawners->n];
    *spawner = (xmpi_spawner_t){.line = -1, .doorbell = doorbell};
    strcpy(seat.node, node);
    xmpi_status_t status = xmpi_command_line_read(&own, error);
    if (status != XMPI_OK)
        return status;
    xmpi_spawn_t what = {.seat = &seat,
                         .n = 1,
                         .command = &own,
                         .order = &order,
                         .reach = reach_out,
                         .context = doorbell};
    xmpi_limit_t limit;
    status = xmpi_limit_begin(&limit, seconds, "the process that is to start others has not come",
                              error);
    if (status == XMPI_OK) {
        status = xmpi_spawn_alone(&what, &seat, self, error);
        xmpi_limit_end(&limit);
    }
    return status == XMPI_OK ? meet(spawners, doorbell, &spawner->line, error) : status;
}

/* Those that were given up may have come to an end after all. */
int xmpi_spawners_idle(xmpi_spawners_t *spawners)
{
    int idle = 0;
    xmpi_error_t ignored;
    for (int i = 0; i < spawners->n; i++) {
        xmpi_spawner_t *spawner = &spawners->spawner[i];
        if (spawner->line >= 0 && spawner->busy && readable(spawner->line, 0))
            xmpi_spawner_result(spawners, i, &ignored);
        idle += spawner->line >= 0 && !spawner->busy;
    }
    return idle;
}

bool xmpi_spawners_busy(xmpi_spawners_t *spawners)
{
    bool busy = false;
    xmpi_spawners_idle(spawners);
    for (int i = 0; i < spawners->n; i++)
        busy = busy || (spawners->spawner[i].line >= 0 && spawners->spawner[i].busy);
    return busy;
}

static bool make_room(xmpi_spawners_t *spawners)
{
    xmpi_spawner_t *grown = realloc(spawners->spawner, (size_t)(spawners->n + 1) * sizeof *grown);
    if (grown != NULL)
        spawners->spawner = grown;
    return grown != NULL;
}

bool xmpi_spawners_take(xmpi_spawners_t *spawners, xmpi_doorbell_t *doorbell, int line)
{
    if (spawners->coming == 0 || !make_room(spawners))
        return false;
    xmpi_line_limit(line, 0);
    spawners->spawner[spawners->n++] = (xmpi_spawner_t){.line = line, .doorbell = doorbell};
    spawners->coming--;
    return true;
}

void xmpi_spawners_await(xmpi_spawners_t *spawners, xmpi_doorbell_t *doorbell)
{
    xmpi_error_t ignored;
    int line;
    while (spawners->coming > 0)
        if (meet(spawners, doorbell, &line, &ignored) != XMPI_OK ||
            !xmpi_spawners_take(spawners, doorbell, line))
            spawners->coming = 0;
}

xmpi_status_t xmpi_spawners_need(xmpi_spawners_t *spawners, int wanted, const char *node,
                                 MPI_Comm self, xmpi_doorbell_t *doorbell, int64_t seconds,
                                 xmpi_error_t *error)
{
    xmpi_spawners_await(spawners, doorbell);
    for (int idle = xmpi_spawners_idle(spawners); idle < wanted; idle++) {
        if (!make_room(spawners))
            return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for another spawner");
        xmpi_status_t status = start(spawners, node, self, doorbell, seconds, error);
        if (status != XMPI_OK)
            return status;
        spawners->n++;
    }
    return XMPI_OK;
}

xmpi_status_t xmpi_spawner_request(xmpi_spawner_t *spawner, const xmpi_seat_t *seats, int n,
                                   const xmpi_command_line_t *command, const xmpi_pack_t *order,
                                   xmpi_error_t *error)
{
    xmpi_pack_t pack = {0};
    xmpi_spawn_t what = {
        .seat = (xmpi_seat_t *)(uintptr_t)seats, .n = n, .command = command, .order = order};
    xmpi_spawn_put(&pack, &what);
    xmpi_status_t status = pack.status;
    if (status != XMPI_OK)
        xmpi_error_set(error, status, "no memory to ask for %d processes", n);
    else if (!xmpi_line_say(spawner->line, XMPI_WORD_REQUEST, &pack))
        status =
            xmpi_error_set(error, XMPI_ERR_PROCESS, "the process that spawns others has ended");
    xmpi_pack_free(&pack);
    if (status == XMPI_ERR_PROCESS)
        xmpi_line_close(&spawner->line);
    spawner->busy = status == XMPI_OK;
    spawner->requested = n;
    return status;
}

/* A new process is on another node. Without a door for it, it will be missed in time. */
static xmpi_status_t tell_door(const xmpi_spawner_t *spawner, xmpi_error_t *error)
{
    xmpi_pack_t pack = {.data = (char *)&spawner->doorbell->door, .size = sizeof(xmpi_door_t)};
    xmpi_status_t status = xmpi_doorbell_reach_out(spawner->doorbell, error);
    xmpi_line_say(spawner->line, XMPI_WORD_REACH, &pack);
    return status;
}

/* Status and error text of a RESULT. */
static xmpi_status_t read_result(xmpi_pack_t *pack, xmpi_error_t *error)
{
    int result = XMPI_ERR_PROCESS;
    xmpi_pack_get(pack, &result, sizeof result);
    xmpi_pack_get(pack, error, sizeof *error);
    error->text[sizeof error->text - 1] = '\0';
    bool known = pack->status == XMPI_OK && result >= XMPI_ERR_INTERNAL && result <= XMPI_OK;
    if (known)
        return (xmpi_status_t)result;
    return xmpi_error_set(error, XMPI_ERR_PROCESS,
                          "the result of the process that spawns others cannot be read");
}

xmpi_status_t xmpi_spawner_result(xmpi_spawners_t *spawners, int i, xmpi_error_t *error)
{
    xmpi_spawner_t *spawner = &spawners->spawner[i];
    xmpi_word_t word;
    xmpi_pack_t pack;
    bool heard = xmpi_line_hear(spawner->line, &word, &pack);
    spawner->busy = heard && word == XMPI_WORD_REACH;
    xmpi_status_t status =
        spawner->busy ? tell_door(spawner, error)
        : heard && word == XMPI_WORD_RESULT
            ? read_result(&pack, error)
            : xmpi_error_set(error, XMPI_ERR_PROCESS, "the process that spawns others has ended");
    xmpi_pack_free(&pack);
    if (!heard)
        xmpi_line_close(&spawner->line);
    if (heard && word == XMPI_WORD_RESULT && status == XMPI_OK)
        spawners->expected += spawner->requested;
    return status;
}

void xmpi_spawners_hand_over(xmpi_spawners_t *spawners, int followed, const xmpi_door_t *door)
{
    xmpi_pack_t pack = {.data = (char *)(uintptr_t)door, .size = sizeof *door};
    for (int i = 0; i < spawners->n && followed > 0; i++) {
        xmpi_spawner_t *spawner = &spawners->spawner[i];
        if (spawner->line < 0 || spawner->busy)
            continue;
        xmpi_line_say(spawner->line, XMPI_WORD_FOLLOW, &pack);
        xmpi_line_close(&spawner->line);
        followed--;
    }
    xmpi_spawners_close(spawners);
}

void xmpi_spawners_close(xmpi_spawners_t *spawners)
{
    xmpi_spawners_idle(spawners);
    for (int i = 0; i < spawners->n; i++) {
        xmpi_spawner_t *spawner = &spawners->spawner[i];
        if (spawner->line < 0)
            continue;
        xmpi_line_say(spawner->line, XMPI_WORD_BYE, NULL);
        if (!spawner->busy) /* the line of another tells it when this process has ended */
            xmpi_line_close(&spawner->line);
    }
    free(spawners->spawner);
    memset(spawners, 0, sizeof *spawners);
}
