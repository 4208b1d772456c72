/* SPDX-License-Identifier: BSD-3-Clause
 * Coming to a loop inside another loop of the program's, where the newest checkpoint is of a later
 * time that it was entered: from the first live variable or outer loop on, processes go the way of
 * one that joins (they begin nothing, and have live values at once), and at the first point of the
 * loop get all data that it has registered from the checkpoint. */
#ifndef XMPI_PROGRAM_CHECKPOINT_RESUME_H
#define XMPI_PROGRAM_CHECKPOINT_RESUME_H

#include "program/context.h"

/* Behind MPI_Init: whether there is such a checkpoint to go on from, the newest that is whole and
 * undamaged. Collective over the world, which is that of the members. */
void xmpi_resume_prepare(xmpi_context_t *context);

/* Whether this process is on its way to the loop; with it, it is from here on. */
bool xmpi_resume_is_on(xmpi_context_t *context);

/* The live variable NAME, which has just been registered, gets its value if it is. */
void xmpi_resume_live(xmpi_context_t *context, const char *name);

/* It has come to the loop, and has all of its data. */
void xmpi_resume_end(xmpi_context_t *context);

/* Why a checkpoint of a later time could not be gone on from so; NULL: it could. */
const char *xmpi_resume_lacks(const xmpi_context_t *context);

#endif
