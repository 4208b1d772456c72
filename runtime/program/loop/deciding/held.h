/* SPDX-License-Identifier: BSD-3-Clause
 * What holds the program of a movable loop where it is. */
#ifndef XMPI_PROGRAM_LOOP_DECIDING_HELD_H
#define XMPI_PROGRAM_LOOP_DECIDING_HELD_H

#include "program/context.h"

/* Whether the program of this process cannot go elsewhere now (XMPI_HELD_HERE, ...); why is said
 * once. */
int32_t xmpi_movable_held(xmpi_context_t *context);

/* Bytes that move when the program of this process goes elsewhere; 0: it does not. */
double xmpi_movable_bytes(xmpi_context_t *context);

#endif
