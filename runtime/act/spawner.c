/* SPDX-License-Identifier: BSD-3-Clause
 * Spawners, as the leader sees them. Their own life is in spawner_serve.c. */
#define _GNU_SOURCE
#include "act/spawner.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/spawn.h"

enum { HELLO_SECONDS = 60, LAST_SECONDS = 3 };

static bool readable(int fd, int seconds)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    return poll(&wanted, 1, 1000 * seconds) > 0;
}

/* Waits for the new spawner at the door; anybody else who comes is from a call that was called off.
 */
static xmpi_status_t meet(const xmpi_doorbell_t *doorbell, int *line, xmpi_error_t *error)
{
    while (readable(doorbell->fd, HELLO_SECONDS)) {
        xmpi_word_t word;
        xmpi_pack_t pack = {0};
        int process = 0;
        *line = xmpi_doorbell_answer(doorbell);
        if (*line >= 0 && xmpi_line_hear(*line, &word, &pack) && word == XMPI_WORD_HELLO)
            xmpi_pack_get(&pack, &process, sizeof process);
        xmpi_pack_free(&pack);
        if (process == XMPI_SPAWNER)
            return XMPI_OK;
        if (*line >= 0)
            xmpi_line_say(*line, XMPI_WORD_AWAY, NULL);
        xmpi_line_close(line);
    }
    return xmpi_error_set(error, XMPI_ERR_PROCESS,
                          "a process that is to spawn others has not come");
}

static xmpi_status_t start(xmpi_spawner_t *spawner, const char *node, MPI_Comm self,
                           const xmpi_doorbell_t *doorbell, const xmpi_door_t *door,
                           xmpi_error_t *error)
{
    xmpi_order_head_t head = {XMPI_ORDER_SPAWN, XMPI_SPAWNER, 0, *door};
    xmpi_pack_t order = {.data = (char *)&head, .size = sizeof head};
    xmpi_seat_t seat = {.process = XMPI_SPAWNER};
    xmpi_command_line_t own;
    char folder[PATH_MAX] = "";
    *spawner = (xmpi_spawner_t){.line = -1};
    strcpy(seat.node, node);
    xmpi_status_t status = xmpi_command_line_read(&own, error);
    if (status != XMPI_OK)
        return status;
    xmpi_spawn_t what = {.seat = &seat, .n = 1, .command = &own, .folder = folder, .order = &order};
    if (getcwd(folder, sizeof folder) == NULL)
        folder[0] = '\0';
    status = xmpi_spawn_alone(&what, &seat, self, error);
    xmpi_command_line_free(&own);
    return status == XMPI_OK ? meet(doorbell, &spawner->line, error) : status;
}

/* Those that were given up may have come to an end after all. */
static int count_idle(xmpi_spawners_t *spawners)
{
    int idle = 0;
    xmpi_error_t ignored;
    for (int i = 0; i < spawners->n; i++) {
        xmpi_spawner_t *spawner = &spawners->spawner[i];
        if (spawner->line >= 0 && spawner->busy && readable(spawner->line, 0))
            xmpi_spawner_result(spawner, &ignored);
        idle += spawner->line >= 0 && !spawner->busy;
    }
    return idle;
}

xmpi_status_t xmpi_spawners_need(xmpi_spawners_t *spawners, int wanted, const char *node,
                                 MPI_Comm self, const xmpi_doorbell_t *doorbell,
                                 const xmpi_door_t *door, xmpi_error_t *error)
{
    for (int idle = count_idle(spawners); idle < wanted; idle++) {
        xmpi_spawner_t *grown =
            realloc(spawners->spawner, (size_t)(spawners->n + 1) * sizeof *grown);
        if (grown == NULL)
            return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for another spawner");
        spawners->spawner = grown;
        xmpi_status_t status = start(&grown[spawners->n], node, self, doorbell, door, error);
        if (status != XMPI_OK)
            return status;
        spawners->n++;
    }
    return XMPI_OK;
}

xmpi_status_t xmpi_spawner_request(xmpi_spawner_t *spawner, const xmpi_seat_t *seats, int n,
                                   bool together, const xmpi_command_line_t *command,
                                   const xmpi_pack_t *order, xmpi_error_t *error)
{
    char folder[PATH_MAX] = "";
    xmpi_pack_t pack = {0};
    if (getcwd(folder, sizeof folder) == NULL)
        folder[0] = '\0';
    xmpi_spawn_t what = {.seat = (xmpi_seat_t *)(uintptr_t)seats,
                         .n = n,
                         .together = together,
                         .command = command,
                         .folder = folder,
                         .order = order};
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
    return status;
}

xmpi_status_t xmpi_spawner_result(xmpi_spawner_t *spawner, xmpi_error_t *error)
{
    xmpi_word_t word;
    xmpi_pack_t pack;
    int result = XMPI_ERR_PROCESS;
    spawner->busy = false;
    if (!xmpi_line_hear(spawner->line, &word, &pack)) {
        xmpi_line_close(&spawner->line);
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "the process that spawns others has ended");
    }
    xmpi_pack_get(&pack, &result, sizeof result);
    xmpi_pack_get(&pack, error, sizeof *error);
    xmpi_pack_free(&pack);
    return (xmpi_status_t)result;
}

/* Hydra may crash where the program ends while it starts processes. One that hangs is not waited
 * for. */
static void await_all(const xmpi_spawners_t *spawners)
{
    for (int i = 0; i < spawners->n; i++)
        if (spawners->spawner[i].line >= 0 && spawners->spawner[i].busy)
            readable(spawners->spawner[i].line, LAST_SECONDS);
}

void xmpi_spawners_close(xmpi_spawners_t *spawners)
{
    await_all(spawners);
    count_idle(spawners);
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
