/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a program has ended itself, with whatever status, or was ended: it leaves a mark in the
 * folder of its checkpoints. One that was killed cannot. */
#ifndef XMPI_ACT_CHECKPOINT_ENDED_H
#define XMPI_ACT_CHECKPOINT_ENDED_H

#include <stdbool.h>

void xmpi_ended_mark(const char *folder);
void xmpi_ended_clear(const char *folder);
bool xmpi_ended_is(const char *folder);

/* NONE: there are no checkpoints of the loop that it is in, which who starts it again has to know. */
void xmpi_none_mark(const char *folder, bool none);
bool xmpi_none_is(const char *folder);

#endif
