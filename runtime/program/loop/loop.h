/* SPDX-License-Identifier: BSD-3-Clause
 * The adaptive loop: the pipeline observe, decide, act at the end of every sampling interval. */
#ifndef XMPI_PROGRAM_LOOP_LOOP_H
#define XMPI_PROGRAM_LOOP_LOOP_H

#include "program/context.h"

void xmpi_loop_begin(xmpi_context_t *context, const char *where, int64_t interval);

/* The name of a loop as everybody has it. */
const char *xmpi_loop_name(const char *where);

/* A process that has been called to a movable loop becomes a member of it. */
void xmpi_loop_take_over(xmpi_context_t *context);

/* At the begin of every iteration; whether the layout has changed. */
bool xmpi_loop_point(xmpi_context_t *context);

/* Whether the next point does no more than count an iteration. */
bool xmpi_loop_counts_only(const xmpi_context_t *context);

/* The members have another layout, and the interval begins anew; or they have none, and WHY. */
void xmpi_loop_resume(xmpi_context_t *context);
void xmpi_loop_called_off(xmpi_context_t *context, const char *why);

void xmpi_loop_end(xmpi_context_t *context);

/* Writes the end of the last loop into the trace: one that is entered many times, inside another
 * loop, ends when something else comes. */
void xmpi_loop_close(xmpi_context_t *context);

/* Gives the members the blocks that their count and displ variables tell; whether that changes the
 * layout. Collective over the world, after the loop. */
bool xmpi_loop_restore(xmpi_context_t *context, const char *where);

/* Whether this process is called to another loop than WHERE. */
bool xmpi_loop_is_elsewhere(const xmpi_context_t *context, const char *where);

/* A count or displ that the program has computed anew, after a loop has changed the layout, is that
 * of the layout. */
void xmpi_loop_follow(const xmpi_context_t *context, int kind);

#endif
