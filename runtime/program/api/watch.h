/* SPDX-License-Identifier: BSD-3-Clause
 * Watching a program that has no adaptive loop, one that was never recompiled too (LD_PRELOAD): a
 * trace with one interval, from MPI_Init to MPI_Finalize. */
#ifndef XMPI_PROGRAM_API_WATCH_H
#define XMPI_PROGRAM_API_WATCH_H

#include "program/context.h"

/* Begins to watch where XMPI_TRACE names a file. It makes no call of MPI. */
void xmpi_watch_begin(xmpi_context_t *context);

/* Gathers what the processes saw, and writes the trace. Collective over all that are
 * watched. */
void xmpi_watch_end(xmpi_context_t *context);

#endif
