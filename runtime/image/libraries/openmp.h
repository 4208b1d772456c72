/* SPDX-License-Identifier: BSD-3-Clause
 * What the program has told OpenMP, whose library is the process's. */
#ifndef XMPI_IMAGE_OPENMP_H
#define XMPI_IMAGE_OPENMP_H

#include <stdbool.h>

/* It has begun a region of several threads (or of one), and not ended it: what the library keeps of
 * that is the process's. */
bool xmpi_openmp_in_region(void);

/* The thread that asks is one that the region has brought. */
bool xmpi_openmp_in_other_thread(void);

/* Reads it into variables of the program, and tells it to the library that is here. */
void xmpi_openmp_pack(void);
void xmpi_openmp_unpack(void);

#endif
