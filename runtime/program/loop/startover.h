/* SPDX-License-Identifier: BSD-3-Clause
 * Loops that are resizable by starting over (act/startover/startover.h). */
#ifndef XMPI_PROGRAM_LOOP_STARTOVER_H
#define XMPI_PROGRAM_LOOP_STARTOVER_H

#include "program/context.h"

/* A process that has been called to such a loop, at the end of its MPI_Init, gets into the world in
 * which it starts with the others. */
void xmpi_startover_join(xmpi_context_t *context);

/* While the program is being started: it ends instead, by WHAT (for people). Does not return then:
 * the program goes on as it was before. */
void xmpi_startover_ends(xmpi_context_t *context, const char *what);

#endif
