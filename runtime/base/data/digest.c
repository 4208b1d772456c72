/* SPDX-License-Identifier: BSD-3-Clause
 * Digests of bytes. */
#include "base/data/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t xmpi_digest_bytes(const void *data, size_t bytes, uint64_t before)
{
    return XXH3_64bits_withSeed(data, bytes, before);
}
