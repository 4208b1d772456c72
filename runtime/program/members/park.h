/* SPDX-License-Identifier: BSD-3-Clause
 * Being called, parking, leaving and ending: what becomes of a process that is no member, or not
 * yet. */
#ifndef XMPI_PROGRAM_MEMBERS_PARK_H
#define XMPI_PROGRAM_MEMBERS_PARK_H

#include "program/context.h"

/* A spawned process: does what its PARENT tells it. Returns as a joiner. */
void xmpi_start_called(xmpi_context_t *context, MPI_Comm parent);

/* Sleeps until the process is called: returns as a joiner, or not at all when the program ends. */
void xmpi_park(xmpi_context_t *context);

/* For a process that is no member any more: parks where mpiexec started it, ends where it was
 * spawned. */
void xmpi_leave(xmpi_context_t *context);

/* A removed process that mpiexec started cannot finalize before the others do, and waits asleep. */
void xmpi_wait_for_end(xmpi_context_t *context);

/* Ends this process, which has no part in the program any more. What the program wants to be done
 * at its end (atexit, destructor functions) it does where it ends: in its members. Here only what
 * is in streams is written. With another STATUS than 0 it is the program's own end: it cannot
 * begin. */
_Noreturn void xmpi_end_process(xmpi_context_t *context, int status);

#endif
