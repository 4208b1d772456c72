/* SPDX-License-Identifier: BSD-3-Clause
 * The begin and the end of an adaptive loop: what it has is looked at, and what came of it is said.
 */
#ifndef XMPI_PROGRAM_LOOP_BEGIN_END_H
#define XMPI_PROGRAM_LOOP_BEGIN_END_H

#include "program/context.h"

/* The name of a loop as everybody has it; of a long one its end, which has the line. */
const char *xmpi_loop_name(const char *where);

/* Whether this process is called to another loop than WHERE. */
bool xmpi_loop_is_elsewhere(const xmpi_context_t *context, const char *where);

/* A count or displ that the program has computed anew, after a loop has changed the layout, is that
 * of the layout. */
void xmpi_loop_follow(const xmpi_context_t *context, int kind);

/* The loop WHERE begins, with sampling intervals of INTERVAL iterations where the user has said
 * nothing else (0: nor has the pragma). FRAME is that of the function that the program has called,
 * NULL where no variables are registered. Collective over the world; ends the job of a program that
 * misuses it. */
void xmpi_loop_begin(xmpi_context_t *context, const char *where, int64_t interval,
                     const void *frame);

/* Iterations of a sampling interval are INTERVAL from now on, which the program says (0: it does
 * not), unless the user does. */
void xmpi_loop_set_interval(xmpi_context_t *context, int64_t interval);

/* What weighs rows in the loop, by what is set and registered: also where a process takes over. */
void xmpi_loop_choose_weights(xmpi_context_t *context);

/* Its last iteration is over. Collective over the world. */
void xmpi_loop_end(xmpi_context_t *context);

/* Writes the end of the last loop into the trace: one that is entered many times, inside another
 * loop, ends when something else comes. */
void xmpi_loop_close(xmpi_context_t *context);

#endif
