/* SPDX-License-Identifier: BSD-3-Clause
 * What MPI_Comm_rank and MPI_Comm_size have told the program, as far as the rewriter does not see
 * it: code of other files asks, too. */
#ifndef XMPI_PROGRAM_LIFE_TOLD_H
#define XMPI_PROGRAM_LIFE_TOLD_H

enum { XMPI_TOLD_MAX = 64 };

/* The program is told VALUE, the rank or size (XMPI_GEN_RANK, XMPI_GEN_SIZE) of the world, in
 * *ADDRESS. A variable with static storage is remembered; others may be gone when the value
 * changes. */
void xmpi_told(int kind, int *address, int value);

/* After a change of the world: the remembered variables that still have what was told get the new
 * RANK or SIZE. */
void xmpi_told_refresh(int rank, int size);

/* Forgets them: another program is in their places. */
void xmpi_told_forget(void);

/* The remembered variables, XMPI_TOLD_MAX at most; how many. */
int xmpi_told_variables(int **variable);

#endif
