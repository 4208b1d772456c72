/* SPDX-License-Identifier: BSD-3-Clause
 * Inquiry: parked processes are asked what their nodes are used for, in steps at the ends of
 * intervals, so that nobody waits for those that are slow to wake. */
#ifndef XMPI_PROGRAM_MEMBERS_INQUIRY_H
#define XMPI_PROGRAM_MEMBERS_INQUIRY_H

#include "program/context.h"

/* Begins to ask one parked process on each of the NODES nodes, the one on PARKED[n]; -1: there is
 * none. Without memory nobody is asked. At the leader. */
void xmpi_inquiry_begin(xmpi_context_t *context, int nodes, const int *parked);

/* Takes in what has come, for no longer than SHARE of the time since the last look, and a little
 * more; whether all have answered, or do not. */
bool xmpi_inquiry_proceed(xmpi_context_t *context, double share);

/* Nobody is asked any more; also where nobody is. */
void xmpi_inquiry_end(xmpi_context_t *context);

#endif
