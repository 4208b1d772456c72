/* SPDX-License-Identifier: BSD-3-Clause
 * The life of a spawner: requests come over the line, until the leader says good-bye or is gone. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "act/spawning/spawn.h"
#include "act/spawning/spawner.h"
#include "base/misuse.h"

/* Who hears what comes over the line: the process, but for while it waits in MPI_Comm_spawn; then,
 * once nobody is at the other end any more, the thread that watches it, for good. */
enum { HEARS, SPAWNS, ENDED };

typedef struct {
    int line;
    atomic_int state;
} watch_t;

/* Ends the process when the leader has ended while a spawn does not. MPI knows nothing of this
 * thread, which calls it only where the other never comes back. */
static void *watch(void *context)
{
    watch_t *mine = context;
    int state = SPAWNS;
    struct pollfd line = {.fd = mine->line, .events = POLLRDHUP};
    while (poll(&line, 1, -1) <= 0)
        ;
    if (!atomic_compare_exchange_strong(&mine->state, &state, ENDED))
        return NULL; /* the other sees for itself */
    xmpi_word_t word = XMPI_WORD_AWAY;
    xmpi_pack_t pack;
    if (xmpi_line_hear(mine->line, &word, &pack) && word == XMPI_WORD_BYE)
        xmpi_end_job_now(0); /* Hydra may wait for ever for the process that has not come */
    _exit(1);
}

/* The leader answers when it looks at its lines. */
static bool ask_for_door(void *line, xmpi_order_head_t *head)
{
    xmpi_word_t word;
    xmpi_pack_t pack = {0};
    xmpi_door_t door;
    bool heard = xmpi_line_say(*(int *)line, XMPI_WORD_REACH, NULL) &&
                 xmpi_line_hear(*(int *)line, &word, &pack) && word == XMPI_WORD_REACH;
    if (heard)
        xmpi_pack_get(&pack, &door, sizeof door);
    heard = heard && pack.status == XMPI_OK && xmpi_door_is_sound(&door);
    if (heard)
        head->door = door;
    xmpi_pack_free(&pack);
    return heard;
}

/* The other thread ends the process. */
static _Noreturn void wait_for_the_end(void)
{
    for (;;)
        pause();
}

/* A leader that is gone does not hear it; its last word says whether it should be. One that has
 * heard it may be followed by another at once: the process hears of that before it does anything
 * else. */
static void answer(watch_t *mine, xmpi_pack_t *request, MPI_Comm self)
{
    xmpi_error_t error = {""};
    xmpi_pack_t pack = {0};
    int line = mine->line, state = SPAWNS;
    atomic_store(&mine->state, SPAWNS);
    int result = xmpi_spawn_read_and_do(request, self, ask_for_door, &line, &error);
    if (!atomic_compare_exchange_strong(&mine->state, &state, HEARS))
        wait_for_the_end();
    xmpi_pack_put(&pack, &result, sizeof result);
    xmpi_pack_put(&pack, &error, sizeof error);
    xmpi_line_say(line, XMPI_WORD_RESULT, &pack);
    xmpi_pack_free(&pack);
}

/* The leader has SECONDS to answer, 0: as long as it lives. */
static bool meet(int *line, const xmpi_door_t *door, int seconds)
{
    const int self = XMPI_SPAWNER;
    xmpi_error_t error;
    xmpi_pack_t hello = {0};
    xmpi_pack_put(&hello, &self, sizeof self);
    bool met = xmpi_doorbell_ring(door, seconds, line, &error) == XMPI_OK &&
               xmpi_line_say(*line, XMPI_WORD_HELLO, &hello);
    xmpi_pack_free(&hello);
    return met;
}

/* Serves the leader at the other end of the line, until it says good-bye or FOLLOW, with the door
 * of the next one; false: it has ended. */
static bool work(watch_t *mine, MPI_Comm self, xmpi_word_t *word, xmpi_door_t *next)
{
    xmpi_pack_t request;
    *word = XMPI_WORD_AWAY;
    while (*word != XMPI_WORD_BYE && *word != XMPI_WORD_FOLLOW &&
           xmpi_line_hear(mine->line, word, &request)) {
        if (*word == XMPI_WORD_REQUEST)
            answer(mine, &request, self);
        if (*word == XMPI_WORD_FOLLOW)
            xmpi_pack_get(&request, next, sizeof *next);
        bool sound = request.status == XMPI_OK;
        xmpi_pack_free(&request);
        if (*word == XMPI_WORD_FOLLOW)
            return sound && xmpi_door_is_sound(next);
    }
    return *word == XMPI_WORD_BYE;
}

/* One leader after the other: whether the last one has said good-bye. The first waits for its
 * spawner; one that is followed goes on with the program, and looks at its door when it needs
 * processes, or at the end. */
static bool serve(const xmpi_door_t *door, MPI_Comm self)
{
    xmpi_door_t next = *door;
    xmpi_word_t word = XMPI_WORD_FOLLOW;
    watch_t mine;
    pthread_t watcher;
    bool well = true;
    int seconds = XMPI_RING_SECONDS;
    while (well && word == XMPI_WORD_FOLLOW) {
        mine = (watch_t){.line = -1, .state = HEARS};
        well =
            meet(&mine.line, &next, seconds) && pthread_create(&watcher, NULL, watch, &mine) == 0;
        if (!well)
            break;
        seconds = 0;
        well = work(&mine, self, &word, &next);
        if (!well)
            break; /* the other thread looks at the line */
        pthread_cancel(watcher);
        pthread_join(watcher, NULL);
        xmpi_line_close(&mine.line);
    }
    return well;
}

void xmpi_spawner_serve(const xmpi_order_head_t *head, MPI_Comm self)
{
    if (!serve(&head->door, self))
        _exit(1); /* the leader has died, and the process manager ends all */
}
