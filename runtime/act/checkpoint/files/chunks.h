/* SPDX-License-Identifier: BSD-3-Clause
 * Long data in pieces of one size, so that who has them in memory and who reads them from a file
 * come to the same digest. */
#ifndef XMPI_ACT_CHECKPOINT_FILES_CHUNKS_H
#define XMPI_ACT_CHECKPOINT_FILES_CHUNKS_H

#include <stdint.h>

enum { XMPI_CHUNK = 4 << 20 };

uint64_t xmpi_chunks_digest(const char *data, int64_t bytes);

#endif
