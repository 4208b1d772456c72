/* SPDX-License-Identifier: BSD-3-Clause
 * The piece map: where rows of the domain lie in the storage of an array, whatever its structure.
 *
 * A piece of consecutive rows is always some strips of equal width at equal distances, so that
 * everything that moves data knows this one description only. No MPI. */
#ifndef XMPI_ACT_DATA_PIECE_MAP_H
#define XMPI_ACT_DATA_PIECE_MAP_H

#include "act/data/registry.h"
#include "decide/layout/layout.h"

/* Bytes in storage: STRIPS times WIDTH bytes, the first at OFFSET, each STRIDE behind the last. */
typedef struct {
    int64_t offset;
    int64_t width;
    int64_t stride;
    int64_t strips;
} xmpi_extent_t;

/* What a process stores of an array. */
typedef struct {
    xmpi_block_t rows;   /* that it holds */
    char *base;          /* NULL: none */
    const void *offsets; /* of ENTRIES: the row pointers of these rows */
} xmpi_storage_t;

/* The rows that somebody who owns BLOCK stores: with the halo, clipped at the ends of the domain.
 */
xmpi_block_t xmpi_stored_rows(const xmpi_array_t *array, xmpi_block_t block);

/* Where ROWS rows from FIRST on lie. The extents of a piece in the storages of two processes have
 * the same widths and strips. */
xmpi_extent_t xmpi_extent_of(const xmpi_array_t *array, const xmpi_storage_t *storage,
                             int64_t first, int64_t rows);

/* The rows whose content is BLOCK's. Ghost rows beyond the ends of the domain belong to its first
 * and its last row; with them row 0 is the first ghost row, here and in what is stored. */
xmpi_block_t xmpi_owned_rows(const xmpi_array_t *array, xmpi_block_t block);

/* Bytes of a piece, and of the whole storage. */
int64_t xmpi_extent_bytes(const xmpi_extent_t *extent);
int64_t xmpi_storage_bytes(const xmpi_array_t *array, const xmpi_storage_t *storage);

/* Copies a piece from one storage to another. */
void xmpi_extent_copy(char *to, const xmpi_extent_t *to_extent, const char *from,
                      const xmpi_extent_t *from_extent);

#endif
