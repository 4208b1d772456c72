/* SPDX-License-Identifier: BSD-3-Clause
 * Farewells: telling parked processes that the program has ended. */
#define _GNU_SOURCE
#include "act/processes/farewell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/doors/doorbell.h"
#include "act/doors/line.h"
#include "act/processes/spawner.h"
#include "base/misuse.h"

enum { SECONDS = 60 };

typedef struct {
    xmpi_door_t door;
    int line;
    xmpi_order_head_t head;
} farewell_t;

static void *say(void *context)
{
    farewell_t *farewell = context;
    xmpi_pack_t order = {.data = (char *)&farewell->head, .size = sizeof farewell->head};
    xmpi_error_t error;
    if (xmpi_doorbell_ring(&farewell->door, SECONDS, &farewell->line, &error) != XMPI_OK)
        fprintf(stderr, "xmpi: %s\n", error.text);
    else
        xmpi_line_say(farewell->line, XMPI_WORD_ORDER, &order);
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

void xmpi_farewell_say(xmpi_farewells_t *farewells, const xmpi_door_t *door, int process)
{
    farewell_t *farewell = calloc(1, sizeof *farewell);
    if (farewell == NULL)
        xmpi_misuse("no memory to let a parked process end"); /* it would sleep for ever */
    farewell->door = *door;
    farewell->line = -1;
    farewell->head.order = XMPI_ORDER_END;
    farewell->head.process = process;
    start(farewells, farewell);
}

void xmpi_farewells_wait(xmpi_farewells_t *farewells)
{
    for (int i = 0; i < farewells->n; i++)
        pthread_join(farewells->thread[i], NULL);
    free(farewells->thread);
    memset(farewells, 0, sizeof *farewells);
}
