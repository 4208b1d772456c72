/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks of the program, which go on where it goes. */
#ifndef XMPI_IMAGE_CLOCKS_H
#define XMPI_IMAGE_CLOCKS_H

/* Notes what they tell the program; lets them go on from there, in the process that it has come to;
 * they tell what is the process's again. */
void xmpi_clocks_pack(void);
void xmpi_clocks_unpack(void);
void xmpi_clocks_left(void);

/* MPI_Wtime of the program. */
double xmpi_clocks_wtime(void);

#endif
