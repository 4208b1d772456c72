/* SPDX-License-Identifier: BSD-3-Clause
 * Digest: a number by which bytes are told from others. Not against anybody who wants to deceive.
 */
#ifndef XMPI_BASE_DATA_DIGEST_H
#define XMPI_BASE_DATA_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* Of BYTES bytes after others that have the digest BEFORE; 0: they are the first. The same on every
 * machine of one byte order. */
uint64_t xmpi_digest_bytes(const void *data, size_t bytes, uint64_t before);

#endif
