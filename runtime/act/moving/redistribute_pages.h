/* SPDX-License-Identifier: BSD-3-Clause
 * Memory while rows move: pages of what has been sent serve what is received next. */
#ifndef XMPI_ACT_MOVING_REDISTRIBUTE_PAGES_H
#define XMPI_ACT_MOVING_REDISTRIBUTE_PAGES_H

#include "act/moving/storage/pages.h"
#include "act/moving/storage/redistribute_local.h"

/* Bytes of new storage that the move will fill. */
int64_t xmpi_local_fresh_bytes(const xmpi_local_t *local);

/* Bytes of storage that is received into and, of other storage, sent from, where pages of the
 * latter can serve the former once they were sent. */
int64_t xmpi_local_reusable_bytes(const xmpi_local_t *local);

/* After part PART of PARTS: the memory of what it has moved is needed no more. It goes into POOL.
 */
void xmpi_local_release(const xmpi_local_t *local, int part, int parts, xmpi_pages_pool_t *pool);

/* Before the data of a part: pages from POOL for what will be received. */
void xmpi_local_reuse(const xmpi_local_t *local, int part, int parts, xmpi_pages_pool_t *pool);

#endif
