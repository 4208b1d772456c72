/* SPDX-License-Identifier: BSD-3-Clause
 * Orders: what a process is told when it is called, and the seats that processes are wanted for. */
#ifndef XMPI_ACT_SPAWNING_ORDER_H
#define XMPI_ACT_SPAWNING_ORDER_H

#include <stdbool.h>

#include "act/doors/door.h"
#include "base/data/pack.h"

/* What a process is told when it is called. */
typedef enum {
    XMPI_ORDER_JOIN,     /* run the prologue and join the others in the loop */
    XMPI_ORDER_JOIN_NOW, /* join the others in MPI_Init */
    XMPI_ORDER_END,      /* the program has ended */
    XMPI_ORDER_SPAWN,    /* be a spawner */
    XMPI_ORDER_FOLLOW,   /* sleep on; the door is that of another leader */
    XMPI_ORDER_LEAVE,    /* the program ends without MPI: so does who hears this */
} xmpi_order_t;

/* What every order begins with. Plain data. */
typedef struct {
    xmpi_order_t order;
    int process;      /* that is called; -1: one of the seats of GROUP */
    int group;        /* that was started in one call */
    int number;       /* of the call */
    xmpi_door_t door; /* of the leader */
} xmpi_order_head_t;

/* Takes the head from PACK; false when it is none. */
bool xmpi_order_read(xmpi_pack_t *pack, xmpi_order_head_t *head);

/* A process that is wanted, and its node; empty: anywhere. */
typedef struct {
    char node[XMPI_NAME_MAX];
    int process;
    int group; /* > 0: it is started in one call with the others of the group */
} xmpi_seat_t;

/* How many of N seats, from the first on, are started in one call. */
int xmpi_seats_together(const xmpi_seat_t *seats, int n);

/* Whether the texts of N seats, which have come from elsewhere, end. */
bool xmpi_seats_are_sound(const xmpi_seat_t *seats, int n);

#endif
