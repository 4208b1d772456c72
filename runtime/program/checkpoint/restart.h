/* SPDX-License-Identifier: BSD-3-Clause
 * Going on from a checkpoint: the program has started as it always does, and the data of the loop
 * are put in at its first point, as in a change whose old layout is files. */
#ifndef XMPI_PROGRAM_CHECKPOINT_RESTART_H
#define XMPI_PROGRAM_CHECKPOINT_RESTART_H

#include "program/context.h"

/* Takes the newest checkpoint that can be taken, and says why others cannot. Whether there is one
 * for this loop: all have its data then. Ends the job where there are some, but none can be taken.
 * Collective over the world. */
bool xmpi_restart(xmpi_context_t *context);

#endif
