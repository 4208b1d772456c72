/* SPDX-License-Identifier: BSD-3-Clause
 * Layout: who computes what. There is always exactly one current layout. */
#ifndef XMPI_DECIDE_LAYOUT_LAYOUT_H
#define XMPI_DECIDE_LAYOUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* COUNT rows from row DISPL on. */
typedef struct {
    int64_t count;
    int64_t displ;
} xmpi_block_t;

/* A process (an index of the process table) that takes part in the computation. */
typedef struct {
    int process;
    xmpi_block_t block;
} xmpi_member_t;

/* The members in rank order; their blocks have each row of the domain once. In an adaptive loop
 * they follow one another (xmpi_blocks_check); what a program does by hand may have them in any
 * order. */
typedef struct {
    int64_t domain;
    int members;
    xmpi_member_t *member; /* malloc */
} xmpi_layout_t;

xmpi_status_t xmpi_layout_alloc(xmpi_layout_t *layout, int64_t domain, int members);
xmpi_status_t xmpi_layout_copy(xmpi_layout_t *to, const xmpi_layout_t *from);
void xmpi_layout_free(xmpi_layout_t *layout);

/* Moves the bounds between the blocks as little as needed for each to have at least LEAST rows:
 * with fewer rows than a halo is wide a block would not be the only neighbour, and with fewer than
 * the program names by their places its edge would be another one's. XMPI_ERR_INPUT when the domain
 * is too small for that. */
xmpi_status_t xmpi_layout_widen(xmpi_layout_t *layout, int64_t least, xmpi_error_t *error);

/* XMPI_ERR_INPUT, with the first rank that is wrong, unless N blocks follow one another from row 0
 * on and end at DOMAIN. */
xmpi_status_t xmpi_blocks_check(int64_t domain, int n, const xmpi_block_t *blocks,
                                xmpi_error_t *error);

/* XMPI_ERR_INPUT unless N blocks, in whatever order, have each row of the domain once; where an
 * empty one begins does not matter. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_blocks_cover(int64_t domain, int n, const xmpi_block_t *blocks,
                                xmpi_error_t *error);

/* Whether the blocks of LAYOUT follow one another. */
bool xmpi_layout_in_order(const xmpi_layout_t *layout);

/* Whether both have as many members, and each rank the same block. */
bool xmpi_layout_keeps_blocks(const xmpi_layout_t *one, const xmpi_layout_t *other);

/* The rows that are in both; count is 0 where none are. */
xmpi_block_t xmpi_blocks_common(xmpi_block_t one, xmpi_block_t other);

/* Sets displ of N blocks from their counts. */
void xmpi_blocks_chain(int n, xmpi_block_t *blocks);

#endif
