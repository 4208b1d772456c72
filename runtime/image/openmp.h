/* SPDX-License-Identifier: BSD-3-Clause
 * What the program has told OpenMP, whose library is the process's. */
#ifndef XMPI_IMAGE_OPENMP_H
#define XMPI_IMAGE_OPENMP_H

/* Reads it into variables of the program, and tells it to the library that is here. */
void xmpi_openmp_pack(void);
void xmpi_openmp_unpack(void);

#endif
