/* SPDX-License-Identifier: BSD-3-Clause
 * Amounts of memory as people write them: 512, 4M, 1.5G. */
#ifndef XMPI_BASE_DATA_SIZE_TEXT_H
#define XMPI_BASE_DATA_SIZE_TEXT_H

#include <stdbool.h>

/* The MiB that TEXT stands for: a number, of MiB or, with K, M, G or T behind it (also KiB, k,
 * ...), of these; powers of 1024. False, and MIB is as it was: it is none. */
bool xmpi_size_parse(const char *text, double *mib);

#endif
