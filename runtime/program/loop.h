/* SPDX-License-Identifier: BSD-3-Clause
 * The adaptive loop: the pipeline observe, decide, act at the end of every sampling interval. */
#ifndef XMPI_PROGRAM_LOOP_H
#define XMPI_PROGRAM_LOOP_H

#include "context.h"

void xmpi_loop_begin(xmpi_context_t *context, const char *where, int64_t interval);

/* At the begin of every iteration; whether the layout has changed. */
bool xmpi_loop_point(xmpi_context_t *context);

void xmpi_loop_end(xmpi_context_t *context);

#endif
