/* SPDX-License-Identifier: BSD-3-Clause
 * Row pointers, of 4 or 8 bytes each. */
#include "act/data/offsets.h"

int64_t xmpi_offset_get(const void *offsets, int bytes, int64_t i)
{
    return bytes == 4 ? ((const int32_t *)offsets)[i] : ((const int64_t *)offsets)[i];
}

void xmpi_offset_set(void *offsets, int bytes, int64_t i, int64_t value)
{
    if (bytes == 4)
        ((int32_t *)offsets)[i] = (int32_t)value;
    else
        ((int64_t *)offsets)[i] = value;
}
