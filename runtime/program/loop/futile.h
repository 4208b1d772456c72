/* SPDX-License-Identifier: BSD-3-Clause
 * What is wished for a loop and cannot be. */
#ifndef XMPI_PROGRAM_LOOP_FUTILE_H
#define XMPI_PROGRAM_LOOP_FUTILE_H

#include "program/context.h"

/* The leader, when a loop begins that is not pinned: a line on stderr for each wish of the user
 * that nothing will come of by itself, as the policy decides nothing of the kind in such a loop. */
void xmpi_futile_tell(const xmpi_context_t *context);

#endif
