/* SPDX-License-Identifier: BSD-3-Clause
 * The first layout of a loop: that of the program's own formula. */
#ifndef XMPI_PROGRAM_LOOP_FIRST_LAYOUT_H
#define XMPI_PROGRAM_LOOP_FIRST_LAYOUT_H

#include "program/context.h"

/* The blocks that all members tell; malloc. Collective over the world. */
xmpi_block_t *xmpi_first_blocks(const xmpi_context_t *context);

/* They are the layout. Collective over the world. */
void xmpi_first_layout(xmpi_context_t *context);

#endif
