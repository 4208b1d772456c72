/* SPDX-License-Identifier: BSD-3-Clause
 * Idle PEs are seen: a parked process says now and then what its node is used for. Asking takes at
 * most half a thousandth of the leader's time, and answering a ten-thousandth of a core. */
#ifndef XMPI_PROGRAM_MEMBERS_IDLE_H
#define XMPI_PROGRAM_MEMBERS_IDLE_H

#include "program/context.h"

/* From now on this process may be asked: it is parked. */
void xmpi_idle_begin(xmpi_context_t *context);

/* Answers on the line of who has asked. */
void xmpi_idle_answer(xmpi_context_t *context);

/* At each member, at the end of an interval: where nobody is parked on its node, one of the members
 * there looks at it now and then, and tells the leader in its SAMPLE. */
void xmpi_idle_tell(xmpi_context_t *context, xmpi_sample_t *sample);

/* At the leader, at the end of an interval with SAMPLES of all members: asks a parked process on
 * each node where that is wanted and due. What was seen of each PE, NULL: nothing; until the next
 * time. */
const xmpi_idle_t *xmpi_idle_ask(xmpi_context_t *context, const xmpi_sample_t *samples);

#endif
