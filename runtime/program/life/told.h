/* SPDX-License-Identifier: BSD-3-Clause
 * What MPI_Comm_rank and MPI_Comm_size have told the program, as far as the rewriter does not see
 * it: code of other files asks, too. */
#ifndef XMPI_PROGRAM_LIFE_TOLD_H
#define XMPI_PROGRAM_LIFE_TOLD_H

#include "program/context.h"

/* The program is told VALUE, the rank or size (XMPI_GEN_RANK, XMPI_GEN_SIZE) of the world, in
 * *ADDRESS. A variable with static storage is remembered; others may be gone when the value
 * changes. */
void xmpi_told(xmpi_context_t *context, int kind, int *address, int value);

/* After a change of the world: the remembered variables that still have what was told get the new
 * rank or size. */
void xmpi_told_refresh(xmpi_context_t *context);

#endif
