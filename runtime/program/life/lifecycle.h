/* SPDX-License-Identifier: BSD-3-Clause
 * Life of a process of the program: parking and leaving. */
#ifndef XMPI_PROGRAM_LIFE_LIFECYCLE_H
#define XMPI_PROGRAM_LIFE_LIFECYCLE_H

#include "program/context.h"

/* Sleeps until the process is called: returns as a joiner, or not at all when the program ends. */
void xmpi_park(xmpi_context_t *context);

/* For a process that is no member any more: parks where mpiexec started it, ends where it was
 * spawned. */
void xmpi_leave(xmpi_context_t *context);

#endif
