/* SPDX-License-Identifier: BSD-3-Clause
 * Calling processes in: waking parked ones, having others spawned, and waiting until all stand
 * where the members are to meet them. Only the leader calls, over lines (act/doors/line.h), so that
 * members may go on iterating meanwhile, nothing waits without a limit, and a process that dies is
 * noticed.
 *
 * leader --order--> process          a parked one over the line that woke it, a spawned one through
 *                                    its spawner
 * leader <--hello-- process          a spawned one, when it is in MPI_Init: where it can be met
 * leader <--ready-- process          when it has run the prologue
 * leader --go--> process             with the ports of all, or
 * leader --away--> process           when one of them cannot be had */
#ifndef XMPI_ACT_PROCESSES_CALL_H
#define XMPI_ACT_PROCESSES_CALL_H

#include <mpi.h>
#include <pthread.h>

#include "act/members/change.h"
#include "act/spawning/command_line.h"
#include "act/doors/doorbell.h"
#include "act/processes/join.h"
#include "act/doors/line.h"
#include "base/data/pack.h"
#include "act/data/registry.h"
#include "act/spawning/spawner.h"
#include "act/world/world.h"

/* A process that has been called. */
typedef struct {
    int process;
    int line; /* -1: it has not come yet */
    bool ready;
} xmpi_called_t;

/* Lines to processes that were told to end; each closes with its process. */
typedef struct {
    int n;
    int *line; /* malloc */
} xmpi_leavings_t;

/* What is under way; all zeros when nothing is, but for the number and what is of earlier calls. */
typedef struct {
    int joiners;              /* 0: nothing */
    int number;               /* of the last call */
    xmpi_leavings_t leavings; /* spawned processes that were sent away */
    int broken_number;        /* of the last call in which one that had come has died */
    bool late;                /* a call was given up as a process did not come in time */
    bool ported;              /* they meet at ports, of which the leader's is open */
    bool broken;              /* one that had come has died */
    xmpi_called_t *called;    /* malloc, like the other */
    xmpi_port_t *ports;       /* of all joiners, then that of the leader */
    double started, deadline; /* of the monotonic clock */
} xmpi_calling_t;

/* The leader, and all that it needs for calling. */
typedef struct {
    xmpi_shared_t *shared;
    const xmpi_registry_t *registry;
    const xmpi_world_t *world;
    xmpi_doorbell_t *doorbell;
    xmpi_spawners_t *spawners;
    int process; /* the leader's */
} xmpi_caller_t;

typedef enum { XMPI_CALL_PENDING, XMPI_CALL_READY, XMPI_CALL_FAILED } xmpi_call_state_t;

/* Starts to get a process for every joiner of CHANGE, which leads to NEXT; they join as WHEN says.
 * What is spawned is COMMAND, NULL for this program. When it fails nothing is under way. */
xmpi_status_t xmpi_call_begin(const xmpi_caller_t *caller, const xmpi_change_t *change,
                              const xmpi_layout_t *next, const xmpi_command_line_t *command,
                              xmpi_order_t when, xmpi_calling_t *calling, xmpi_error_t *error);

/* Deals with what has come, until all are ready, one cannot be had (ERROR says why) or, without
 * WAIT, nothing more has come. */
xmpi_call_state_t xmpi_call_proceed(const xmpi_caller_t *caller, bool wait, xmpi_calling_t *calling,
                                    xmpi_error_t *error);

/* Nothing is under way: whoever has come is from a call that was called off. */
void xmpi_call_turn_away(const xmpi_caller_t *caller, xmpi_calling_t *calling);

/* The program ends: turns away all that still come, and waits for them to have ended. MPI and the
 * process manager need it, as they do not stand a job that ends while its processes start, or
 * processes of a group that end in different ways. What hangs is not waited for. */
void xmpi_call_settle(const xmpi_caller_t *caller, xmpi_calling_t *calling);

/* All are ready: they go to meet the members. The ports are needed for it, and stay. */
void xmpi_call_go(xmpi_calling_t *calling);

/* Sends away all that have come; those that come later are sent away then. */
void xmpi_call_cancel(xmpi_calling_t *calling);

/* Nothing is under way any more. */
void xmpi_calling_free(xmpi_calling_t *calling);

#endif
