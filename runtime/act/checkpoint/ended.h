/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a program has ended itself, with whatever status, or was ended: it leaves a mark in the
 * folder of its checkpoints. One that was killed cannot. */
#ifndef XMPI_ACT_CHECKPOINT_ENDED_H
#define XMPI_ACT_CHECKPOINT_ENDED_H

#include <stdbool.h>

void xmpi_ended_mark(const char *folder);
void xmpi_ended_clear(const char *folder);
bool xmpi_ended_is(const char *folder);

#endif
