/* SPDX-License-Identifier: BSD-3-Clause
 * The first layout of a loop that an earlier run has told of, before its first iteration
 * (decide/leader/opening.h). */
#ifndef XMPI_PROGRAM_LOOP_OPENING_H
#define XMPI_PROGRAM_LOOP_OPENING_H

#include "program/context.h"

/* Whether there is to be another layout, NEXT, than the program's own; then it has been announced.
 * Collective over the members, where the loop may be opened. */
bool xmpi_opening(xmpi_context_t *context, xmpi_layout_t *next);

#endif
