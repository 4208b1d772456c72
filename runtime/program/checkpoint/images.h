/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoints of movable loops: the programs of all members as they are. Who goes on from one has
 * called MPI_Init in a program that has done nothing else yet, and does not return from there: it
 * has the program of then (program/loop/movable.h). */
#ifndef XMPI_PROGRAM_CHECKPOINT_IMAGES_H
#define XMPI_PROGRAM_CHECKPOINT_IMAGES_H

#include "program/context.h"

/* Whether a program has something that no file can hold, at this point; who has says so. Collective
 * over the world. */
bool xmpi_images_are_held(xmpi_context_t *context);

/* Begins to write this member's into FOLDER; PART says which part of what it is, and is taken over.
 * Collective over the world. */
void xmpi_images_save(xmpi_context_t *context, const char *folder, const xmpi_part_file_t *part);

/* Behind MPI_Init: looks for the newest checkpoint with images that can be taken, and says why
 * others cannot; it is in context->image_part then. Ends the job where there are some, but none can
 * be taken. Collective over the world. */
void xmpi_images_look(xmpi_context_t *context);

/* The first movable loop begins: where XMPI_RESTART is wanted there was nothing to go on from. */
void xmpi_images_begin_anew(xmpi_context_t *context);

/* The program in context->image_part is that of this process from here on, with its objects of MPI;
 * what its loop has to know is in context->policy_clause and context->bound. Called outside of the
 * program (act/image/image.h). Collective over the world. */
void xmpi_images_load(xmpi_context_t *context);

/* The loop has begun: it is as far as the checkpoint, which a line says. */
void xmpi_images_go_on(xmpi_context_t *context);

#endif
