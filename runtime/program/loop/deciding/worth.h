/* SPDX-License-Identifier: BSD-3-Clause
 * Telling what more or fewer members are worth, where somebody has asked: whoever shares out the
 * machine. */
#ifndef XMPI_PROGRAM_LOOP_DECIDING_WORTH_H
#define XMPI_PROGRAM_LOOP_DECIDING_WORTH_H

#include "decide/leader/leader.h"
#include "program/context.h"

/* At the leader, after a STEP of this OCCASION that has led to no change, where it has been asked:
 * answers, or puts that off to the next interval, where this one was too short to tell or a change
 * is under way. A loop that keeps its number of members has no options. Where it needs to know what
 * rows weigh, all have to send that before. */
bool xmpi_worth_needs_weights(const xmpi_context_t *context, const xmpi_occasion_t *occasion);
void xmpi_worth_tell(xmpi_context_t *context, const xmpi_occasion_t *occasion, xmpi_step_t *step);

#endif
