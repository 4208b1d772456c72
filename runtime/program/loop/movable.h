/* SPDX-License-Identifier: BSD-3-Clause
 * Movable loops: whole programs go to other processes. */
#ifndef XMPI_PROGRAM_LOOP_MOVABLE_H
#define XMPI_PROGRAM_LOOP_MOVABLE_H

#include "program/context.h"

/* A process that has been called to a movable loop, at the end of its MPI_Init, gets its program.
 * It does not return where it is called to one. */
void xmpi_movable_take_over(xmpi_context_t *context);

/* The same of one that is to go on from a checkpoint. */
void xmpi_movable_go_on(xmpi_context_t *context);

/* Ends the movable or resizable loop that the program is in, if it is in one. */
void xmpi_movable_end(xmpi_context_t *context);

#endif
