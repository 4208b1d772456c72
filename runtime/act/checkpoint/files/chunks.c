/* SPDX-License-Identifier: BSD-3-Clause
 * Digests of long data. */
#include "act/checkpoint/files/chunks.h"

#include "base/data/digest.h"

uint64_t xmpi_chunks_digest(const char *data, int64_t bytes)
{
    uint64_t digest = (uint64_t)bytes;
    for (int64_t at = 0; at < bytes; at += XMPI_CHUNK) {
        int64_t rest = bytes - at;
        digest =
            xmpi_digest_bytes(data + at, (size_t)(rest < XMPI_CHUNK ? rest : XMPI_CHUNK), digest);
    }
    return digest;
}
