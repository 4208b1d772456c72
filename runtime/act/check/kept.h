/* SPDX-License-Identifier: BSD-3-Clause
 * What a member stores of arrays that the loop changes, beside its own rows: ghost rows, and those
 * of others in owned arrays. They may be older than what their owners have by now, so that a change
 * there and back, which brings the owners' rows, is none without them. */
#ifndef XMPI_ACT_CHECK_KEPT_H
#define XMPI_ACT_CHECK_KEPT_H

#include "act/check/copy.h"

typedef struct {
    int arrays;   /* of the registry; 0: nothing is kept */
    char **array; /* rows before and behind the own ones; NULL: there are none */
} xmpi_kept_t;

/* Bytes that are kept by the owner of BLOCK. */
int64_t xmpi_kept_bytes(const xmpi_registry_t *registry, xmpi_block_t block);

/* Keeps what COPY has beside the rows of BLOCK. XMPI_ERR_MEMORY: nothing is kept. */
xmpi_status_t xmpi_kept_note(const xmpi_registry_t *registry, xmpi_block_t block,
                             const xmpi_copy_t *copy, xmpi_kept_t *kept);

/* BLOCK is the caller's again: puts what was kept into the arrays. */
void xmpi_kept_put_back(const xmpi_registry_t *registry, xmpi_block_t block,
                        const xmpi_kept_t *kept);

void xmpi_kept_free(xmpi_kept_t *kept);

#endif
