/* SPDX-License-Identifier: BSD-3-Clause
 * Being called. */
#define _GNU_SOURCE
#include "act/processes/called.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/collective.h"
#include "base/misuse.h"

/* Of GROUP, the first of the seats of its node that is not taken goes to the first process there;
 * should the MPI have put it elsewhere, the first that is left. All take the same view. */
static int seat_of_mine(const xmpi_seat_t *seats, int n, int group, const char *node,
                        MPI_Comm world)
{
    int rank, size, mine = -1;
    char(*nodes)[XMPI_NAME_MAX];
    PMPI_Comm_rank(world, &rank);
    PMPI_Comm_size(world, &size);
    nodes = calloc((size_t)size, sizeof *nodes);
    bool *taken = calloc((size_t)n + 1, sizeof *taken);
    if (nodes == NULL || taken == NULL)
        xmpi_misuse("no memory for the nodes of %d processes", size);
    snprintf(nodes[rank], sizeof *nodes, "%s", node);
    PMPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, nodes, sizeof *nodes, MPI_CHAR, world);
    for (int r = 0; r < size && mine < 0; r++) {
        int best = -1;
        for (int i = n - 1; i >= 0; i--)
            if (seats[i].group == group && !taken[i] &&
                (best < 0 || strcmp(seats[i].node, nodes[r]) == 0 ||
                 strcmp(seats[best].node, nodes[r]) != 0))
                best = i;
        if (best >= 0)
            taken[best] = true;
        if (r == rank)
            mine = best;
    }
    free(nodes);
    free(taken);
    return mine;
}

xmpi_status_t xmpi_call_read(xmpi_pack_t *pack, const char *node, MPI_Comm world,
                             xmpi_order_head_t *head, xmpi_shared_t *shared, xmpi_layout_t *next)
{
    int n;
    xmpi_pack_get(pack, head, sizeof *head);
    xmpi_seat_t *seats = xmpi_pack_get_array(pack, &n, sizeof *seats);
    if (pack->status == XMPI_OK && !xmpi_seats_are_sound(seats, n))
        pack->status = XMPI_ERR_INTERNAL;
    if (head->process < 0 && pack->status == XMPI_OK) {
        int seat = seat_of_mine(seats, n, head->group, node, world);
        head->process = seat >= 0 ? seats[seat].process : -1;
    }
    free(seats);
    xmpi_shared_get(pack, shared);
    xmpi_layout_get(pack, next);
    bool known = head->process >= 0 && head->process < shared->processes &&
                 xmpi_layout_rank(next, head->process) >= 0;
    if (pack->status == XMPI_OK && !known)
        pack->status = XMPI_ERR_INTERNAL;
    return pack->status;
}

/* Whoever is not heard is not wanted any more. */
static void *greet(void *context)
{
    xmpi_greeting_t *greeting = context;
    xmpi_error_t ignored;
    if (xmpi_doorbell_ring(&greeting->door, 0, &greeting->line, &ignored) == XMPI_OK &&
        !xmpi_line_say(greeting->line, XMPI_WORD_HELLO, &greeting->hello))
        xmpi_line_close(&greeting->line);
    xmpi_pack_free(&greeting->hello);
    return NULL;
}

/* The signals of the program are for its own threads. */
static bool start_thread(xmpi_greeting_t *greeting)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&greeting->thread, NULL, greet, greeting);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure == 0;
}

bool xmpi_call_hello(const xmpi_order_head_t *head, const xmpi_port_t *port,
                     const xmpi_door_t *door, const xmpi_cores_t *cores, xmpi_greeting_t *greeting)
{
    xmpi_hello_t hello;
    xmpi_error_t ignored; /* the leader has ended */
    memset(&hello, 0, sizeof hello);
    hello.process = head->process;
    hello.number = head->number;
    hello.port = *port;
    hello.door = *door;
    *greeting = (xmpi_greeting_t){.line = -1, .door = head->door};
    xmpi_pack_put(&greeting->hello, &hello, sizeof hello);
    if (cores->cores > 0)
        xmpi_pack_put(&greeting->hello, cores, sizeof *cores);
    greeting->going = xmpi_doorbell_touch(&greeting->door, &greeting->line, &ignored) == XMPI_OK &&
                      start_thread(greeting);
    if (!greeting->going)
        xmpi_pack_free(&greeting->hello);
    return greeting->going;
}

/* How many PORTS there are, and that their names end, is for those who use them to rely on. */
static bool ports_are_sound(const xmpi_pack_t *pack)
{
    const xmpi_port_t *port = (const xmpi_port_t *)(const void *)pack->data;
    size_t n = pack->size / sizeof *port;
    for (size_t i = 0; i < n; i++)
        if (!xmpi_port_is_sound(&port[i]))
            return false;
    return pack->size % sizeof *port == 0;
}

void xmpi_call_hello_end(xmpi_greeting_t *greeting)
{
    if (greeting->going)
        pthread_join(greeting->thread, NULL);
}

bool xmpi_call_ready(xmpi_greeting_t *greeting, int *line, xmpi_port_t **ports, bool *broken)
{
    xmpi_word_t word = XMPI_WORD_GO;
    xmpi_pack_t pack = {0};
    if (greeting->going) {
        xmpi_call_hello_end(greeting);
        *line = greeting->line;
        greeting->going = false;
    }
    bool goes = *line >= 0 && xmpi_line_say(*line, XMPI_WORD_READY, NULL) &&
                xmpi_line_hear(*line, &word, &pack) && word == XMPI_WORD_GO &&
                ports_are_sound(&pack);
    if (pack.status == XMPI_ERR_MEMORY)
        xmpi_misuse("no memory for where the others can be met");
    if (goes)
        xmpi_line_close(line);
    free(*ports);
    *ports = goes ? (xmpi_port_t *)(void *)pack.data : NULL;
    *broken = !goes && (word != XMPI_WORD_AWAY || pack.size > 0);
    if (!goes)
        xmpi_pack_free(&pack);
    return goes;
}
