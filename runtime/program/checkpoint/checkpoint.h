/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoints of the loop (docs/checkpoint.md): whether and when they are taken. */
#ifndef XMPI_PROGRAM_CHECKPOINT_CHECKPOINT_H
#define XMPI_PROGRAM_CHECKPOINT_CHECKPOINT_H

#include "program/context.h"

/* A loop begins: whether checkpoints of it are written, or why not. */
void xmpi_checkpoint_begin(xmpi_context_t *context);

/* The loop that was the last one begins again, inside another loop of the program's. Where the
 * program could not go on there (program/checkpoint/resume.h) there are no checkpoints from here
 * on, and a line says so. Those of its first time stay. */
void xmpi_checkpoint_again(xmpi_context_t *context);

/* At the first point of the loop, on those who do not join: what checkpoints tell of its begin is
 * kept. Whether the loop goes on from one. Collective over the world. */
bool xmpi_checkpoint_first(xmpi_context_t *context);

/* At the end of an interval: whether the last one is written, and what follows from that; nobody
 * waits. SAMPLE, of this member, tells the leader. */
void xmpi_checkpoint_look(xmpi_context_t *context, xmpi_sample_t *sample);

/* At the leader, at the end of an interval: whether one is to be taken, by the SAMPLES of all. None
 * is while anybody writes the last one, or has no room for a copy yet: all would wait for that. */
bool xmpi_checkpoint_is_due(xmpi_context_t *context, const xmpi_sample_t *samples);

/* Takes one; the program goes on while it is written. Collective over the world. */
void xmpi_checkpoint_take(xmpi_context_t *context);

/* The loop ends: waits until the last one is written. Collective. */
void xmpi_checkpoint_end(xmpi_context_t *context);

#endif
