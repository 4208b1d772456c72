/* SPDX-License-Identifier: BSD-3-Clause
 * Calling processes in: waking parked ones, spawning others, and the orders they are given.
 *
 * The members share the work: joiner i is called by member i modulo their number, so that spawns
 * overlap (the concurrent strategy of MaM, Martín-Álvarez et al. 2024). Each spawn is of one
 * process, which can then leave alone. */
#ifndef XMPI_ACT_CALL_H
#define XMPI_ACT_CALL_H

#include <mpi.h>

#include "act/change.h"
#include "act/command_line.h"
#include "act/join.h"
#include "act/pack.h"
#include "act/registry.h"
#include "act/world.h"

typedef enum {
    XMPI_ORDER_JOIN,     /* run the prologue and join the others in the loop */
    XMPI_ORDER_JOIN_NOW, /* join the others in MPI_Init */
    XMPI_ORDER_PARK,     /* nothing after all: park again, or end when spawned */
    XMPI_ORDER_END,      /* the program has ended */
} xmpi_order_t;

/* A process that this member has called. */
typedef struct {
    int process;
    MPI_Comm channel; /* intercommunicator with a spawned one, else MPI_COMM_NULL */
} xmpi_called_t;

/* What is under way for a change. */
typedef struct {
    int called;
    xmpi_called_t *by_me; /* malloc, like the others */
    xmpi_port_t *ports;   /* of all joiners, then that of the leader */
    xmpi_pack_t order;    /* to join; the same for all but for the process */
} xmpi_calling_t;

/* Gets a process for every joiner of CHANGE, which leads to NEXT. Collective over the world. When
 * one cannot be had, those that came are sent away, and everybody has the same status and ERROR.
 * What is spawned is this program, or COMMAND where it is not NULL: then the leader alone, which
 * knows it, calls all joiners. */
xmpi_status_t xmpi_call(const xmpi_change_t *change, const xmpi_layout_t *next,
                        const xmpi_shared_t *shared, const xmpi_registry_t *registry,
                        const xmpi_world_t *world, const xmpi_command_line_t *command,
                        xmpi_calling_t *calling, xmpi_error_t *error);

/* Orders those that this member has called to join. Local. */
void xmpi_call_join(const xmpi_shared_t *shared, const xmpi_world_t *world, xmpi_order_t when,
                    xmpi_calling_t *calling);

void xmpi_calling_free(xmpi_calling_t *calling);

/* Wakes every parked process to end. Leader only. */
void xmpi_call_end(const xmpi_shared_t *shared, const xmpi_world_t *world);

/* The other side: receives an order over COMM (an intercommunicator with a parent, or the private
 * world). For XMPI_ORDER_JOIN what came with it stays in PACK, to be read by xmpi_call_read. */
xmpi_order_t xmpi_call_receive(MPI_Comm comm, xmpi_pack_t *pack);

/* A spawned process tells its parent where it can be met. */
void xmpi_call_answer(MPI_Comm parent, const xmpi_port_t *port);

/* Reads an order to join: the number of this process, SHARED, NEXT, and the ports (malloc) of all
 * joiners and the leader; PACK then stands at the live variables. */
xmpi_status_t xmpi_call_read(xmpi_pack_t *pack, xmpi_shared_t *shared, xmpi_layout_t *next,
                             int *process, xmpi_port_t **ports);

#endif
