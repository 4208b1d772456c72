/* SPDX-License-Identifier: BSD-3-Clause
 * The adaptive loop: the pipeline observe, decide, act at the end of every sampling interval. */
#ifndef XMPI_PROGRAM_LOOP_LOOP_H
#define XMPI_PROGRAM_LOOP_LOOP_H

#include "program/context.h"

/* A process that has been called to a movable loop becomes a member of it. */
void xmpi_loop_take_over(xmpi_context_t *context);

/* At the begin of every iteration; whether the layout has changed. */
bool xmpi_loop_point(xmpi_context_t *context);

/* Whether the next point does no more than count an iteration. */
bool xmpi_loop_counts_only(const xmpi_context_t *context);

/* The members have another layout, and the interval begins anew; or they have none, and WHY. */
void xmpi_loop_resume(xmpi_context_t *context);
void xmpi_loop_called_off(xmpi_context_t *context, const char *why);

/* Gives the members the blocks that their count and displ variables tell; whether that changes the
 * layout. Collective over the world, after the loop. */
bool xmpi_loop_restore(xmpi_context_t *context, const char *where);

#endif
