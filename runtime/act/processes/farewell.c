/* SPDX-License-Identifier: BSD-3-Clause
 * Farewells: telling parked processes that the program has ended, or who leads. */
#define _GNU_SOURCE
#include "act/processes/farewell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/doors/doorbell.h"
#include "act/doors/line.h"
#include "act/spawning/spawner.h"
#include "base/misuse.h"

/* The program may be told to end because something does not answer any more. */
enum { SECONDS = 60, SECONDS_AT_EXIT = 2 };

typedef struct {
    xmpi_door_t door;
    int line;
    xmpi_order_head_t head;
} farewell_t;

static void *say(void *context)
{
    farewell_t *farewell = context;
    xmpi_pack_t order = {.data = (char *)&farewell->head, .size = sizeof farewell->head};
    xmpi_pack_t nothing = {0};
    xmpi_error_t error;
    xmpi_word_t word;
    bool ends = farewell->head.order == XMPI_ORDER_END;
    int seconds = farewell->head.order == XMPI_ORDER_LEAVE ? SECONDS_AT_EXIT : SECONDS;
    bool reached = xmpi_doorbell_ring(&farewell->door, seconds, &farewell->line, &error) == XMPI_OK;
    if (!reached && ends) /* (else it may have heard already that it is to end) */
        fprintf(stderr, "xmpi: %s\n", error.text);
    if (reached)
        xmpi_line_say(farewell->line, XMPI_WORD_ORDER, &order);
    if (reached && !ends &&
        xmpi_line_hear(farewell->line, &word, &nothing)) /* (nothing is said: it closes the line) */
        xmpi_pack_free(&nothing);
    xmpi_line_close(&farewell->line);
    free(farewell);
    return NULL;
}

/* The signals of the program are for its own threads. Without a thread it is said here. */
static void start(xmpi_farewells_t *farewells, farewell_t *farewell)
{
    sigset_t all, before;
    pthread_t *grown =
        realloc(farewells->thread, (size_t)(farewells->n + 1) * sizeof *farewells->thread);
    if (grown != NULL)
        farewells->thread = grown;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (grown != NULL && pthread_create(&grown[farewells->n], NULL, say, farewell) == 0)
        farewells->n++;
    else
        say(farewell);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void tell(xmpi_farewells_t *farewells, const xmpi_door_t *door,
                 const xmpi_order_head_t *head)
{
    farewell_t *farewell = calloc(1, sizeof *farewell);
    if (farewell == NULL)
        xmpi_misuse("no memory to let a parked process end"); /* it would sleep for ever */
    *farewell = (farewell_t){.door = *door, .line = -1, .head = *head};
    start(farewells, farewell);
}

void xmpi_farewell_say(xmpi_farewells_t *farewells, const xmpi_door_t *door, int process)
{
    const xmpi_order_head_t head = {.order = XMPI_ORDER_END, .process = process};
    tell(farewells, door, &head);
}

void xmpi_farewell_follow(xmpi_farewells_t *farewells, const xmpi_door_t *door, int process,
                          const xmpi_door_t *leader)
{
    const xmpi_order_head_t head = {
        .order = XMPI_ORDER_FOLLOW, .process = process, .door = *leader};
    tell(farewells, door, &head);
}

void xmpi_farewell_leave(xmpi_farewells_t *farewells, const xmpi_door_t *door, int process)
{
    const xmpi_order_head_t head = {.order = XMPI_ORDER_LEAVE, .process = process};
    tell(farewells, door, &head);
}

void xmpi_farewells_wait(xmpi_farewells_t *farewells)
{
    for (int i = 0; i < farewells->n; i++)
        pthread_join(farewells->thread[i], NULL);
    free(farewells->thread);
    memset(farewells, 0, sizeof *farewells);
}
