/* SPDX-License-Identifier: BSD-3-Clause
 * Observe and decide: what the leader makes of the samples of an interval, for all. */
#ifndef XMPI_PROGRAM_LOOP_DECIDING_VERDICT_H
#define XMPI_PROGRAM_LOOP_DECIDING_VERDICT_H

#include "program/context.h"

/* At the end of an interval: whether there is to be another layout, NEXT, which everybody hears of,
 * and how long the next interval is. Collective over the world. */
bool xmpi_verdict(xmpi_context_t *context, xmpi_layout_t *next);

/* At the leader: the change that is under way does not take place, and WHY. */
void xmpi_verdict_called_off(xmpi_context_t *context, const char *why);

#endif
