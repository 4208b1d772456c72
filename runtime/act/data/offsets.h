/* SPDX-License-Identifier: BSD-3-Clause
 * Row pointers of sparse data, of 4 or 8 bytes each. */
#ifndef XMPI_ACT_DATA_OFFSETS_H
#define XMPI_ACT_DATA_OFFSETS_H

#include <stdint.h>

/* Row pointer I in OFFSETS, whose elements have BYTES bytes; and setting it. */
int64_t xmpi_offset_get(const void *offsets, int bytes, int64_t i);
void xmpi_offset_set(void *offsets, int bytes, int64_t i, int64_t value);

#endif
