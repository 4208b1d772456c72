/* SPDX-License-Identifier: BSD-3-Clause
 * What goes on in a sampling interval: iterations are counted, with the work of their rows and what
 * the members cost. */
#ifndef XMPI_PROGRAM_LOOP_DECIDING_INTERVAL_H
#define XMPI_PROGRAM_LOOP_DECIDING_INTERVAL_H

#include "program/context.h"

/* From here on an iteration is so many units of work: the elements of the distributed arrays that
 * the member owns, or what its rows weigh now. */
void xmpi_interval_weigh(xmpi_context_t *context);

/* From here on ranks mean other processes, or move other rows: who talks to whom is counted anew.
 */
void xmpi_interval_count_talk(xmpi_context_t *context);

/* An interval begins with the next iteration. */
void xmpi_interval_start(xmpi_context_t *context);

/* An iteration is over. */
void xmpi_interval_iterated(xmpi_context_t *context);

/* At the end of an interval: tells in SAMPLE how often it went through arrays that are out of core.
 */
void xmpi_interval_tell_passes(xmpi_context_t *context, xmpi_sample_t *sample);

/* At the end of an interval. Weights may have changed since it began: its work is taken for half
 * the old and half the new. */
void xmpi_interval_account(xmpi_context_t *context);

/* What the PEs of the members have cost since it was added up last is added up. Everybody does it,
 * as everybody may lead. */
void xmpi_interval_cost(xmpi_context_t *context);

/* At the begin of a loop: what the job had before it was started again (XMPI_SPENT) is part of the
 * sums, once, and with it the time that this has taken. Everybody does it. */
void xmpi_interval_spent(xmpi_context_t *context);

#endif
