/* SPDX-License-Identifier: BSD-3-Clause
 * Why a loop is pinned: it keeps its processes and blocks. */
#ifndef XMPI_PROGRAM_LOOP_PIN_H
#define XMPI_PROGRAM_LOOP_PIN_H

#include "program/context.h"

/* The block that the program's count and displ variables tell; false: there are none. */
bool xmpi_pin_read_block(const xmpi_context_t *context, xmpi_block_t *block);

/* Whether the loop that begins cannot be changed soundly, on any member: then all keep what they
 * have, and TEXT says why, for people. Collective over the world. */
bool xmpi_pin_reason(const xmpi_context_t *context, char *text, size_t room);

#endif
