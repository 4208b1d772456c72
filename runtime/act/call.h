/* SPDX-License-Identifier: BSD-3-Clause
 * Calling processes in: waking parked ones, spawning others, and the orders they are given. */
#ifndef XMPI_ACT_CALL_H
#define XMPI_ACT_CALL_H

#include <mpi.h>

#include "act/join.h"
#include "act/pack.h"
#include "act/registry.h"
#include "act/world.h"
#include "decide/plan.h"

typedef enum {
    XMPI_ORDER_JOIN, /* run the prologue and join the others in the loop */
    XMPI_ORDER_PARK, /* nothing after all: park again, or end when spawned */
    XMPI_ORDER_END,  /* the program has ended */
} xmpi_order_t;

/* A process that has been called. */
typedef struct {
    int process;
    MPI_Comm channel; /* intercommunicator with a spawned one, else MPI_COMM_NULL */
} xmpi_called_t;

/* Gets a process for every place of PLAN that needs one, in the order of places. CALLED has room for
 * them; the process table of SHARED gets new entries. When one cannot be had, those that came are
 * sent away and the table is as it was. Leader only. */
xmpi_status_t xmpi_call(const xmpi_plan_t *plan, xmpi_shared_t *shared, const xmpi_world_t *world,
                        xmpi_called_t *called, xmpi_error_t *error);

/* Sends the order to join NEXT to the JOINERS that were called, each with its port (empty where none
 * is needed). When there is no memory for it nothing is sent. Leader only. */
xmpi_status_t xmpi_call_join(const xmpi_shared_t *shared, const xmpi_layout_t *next, int joiners,
                             const xmpi_registry_t *registry, const xmpi_world_t *world,
                             xmpi_called_t *called, const xmpi_port_t *ports);

/* Sends N that were called away again; spawned ones end. Leader only. */
void xmpi_call_dismiss(xmpi_shared_t *shared, const xmpi_world_t *world, xmpi_called_t *called,
                       int n);

/* Wakes every parked process to end. Leader only. */
void xmpi_call_end(const xmpi_shared_t *shared, const xmpi_world_t *world);

/* The other side: receives an order over COMM (an intercommunicator with a parent, or the private
 * world). For XMPI_ORDER_JOIN what came with it stays in PACK, to be read by xmpi_call_read. */
xmpi_order_t xmpi_call_receive(MPI_Comm comm, xmpi_pack_t *pack);

/* Reads an order to join: SHARED, NEXT, the number of this process and its port; PACK then stands at
 * the live variables. */
xmpi_status_t xmpi_call_read(xmpi_pack_t *pack, xmpi_shared_t *shared, xmpi_layout_t *next,
                             int *process, xmpi_port_t *port);

#endif
