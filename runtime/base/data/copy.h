/* SPDX-License-Identifier: BSD-3-Clause
 * Copying past the caches. */
#ifndef XMPI_BASE_DATA_COPY_H
#define XMPI_BASE_DATA_COPY_H

#include <stddef.h>

/* As memcpy, for much that is not looked at soon: where it goes is not read first, which is a third
 * of what memory has to do, and the caches keep what they have. */
void xmpi_copy_past(void *to, const void *from, size_t bytes);

#endif
