/* SPDX-License-Identifier: BSD-3-Clause
 * The transfer plan: who sends which rows to whom, from two layouts, without communication. */
#ifndef XMPI_DECIDE_LAYOUT_TRANSFER_H
#define XMPI_DECIDE_LAYOUT_TRANSFER_H

#include "decide/layout/layout.h"

/* How the rows of an array are stored over the members. (As in xmpi_gen.h.) */
enum {
    XMPI_SCHEME_DISTRIBUTED = 0, /* each stores those of its block, and a halo */
    XMPI_SCHEME_REPLICATED = 1,  /* each stores all, the same everywhere */
    XMPI_SCHEME_OWNED = 2,       /* each stores all, but only those of its block are up to date */
};

/* Messages up to this size of one pair go together as one: more of them cost more than bytes do. */
enum { XMPI_SMALL_BYTES = 32 << 10 };

/* The rows that somebody who owns BLOCK stores: with HALO rows on both sides, as far as the domain
 * of ROWS has any. */
xmpi_block_t xmpi_rows_with_halo(xmpi_block_t block, int64_t halo, int64_t rows);

/* Rows FIRST to FIRST + ROWS - 1 of the domain go to or come from PEER. */
typedef struct {
    int peer;
    int64_t first;
    int64_t rows;
} xmpi_piece_t;

/* What one process does. What it keeps is a piece with itself as peer (rows 0: nothing). */
typedef struct {
    int sends, receives;
    xmpi_piece_t *send;    /* malloc; at most one piece for each peer */
    xmpi_piece_t *receive; /* malloc */
    xmpi_piece_t keep;
} xmpi_transfer_t;

/* For process ME of N: OLD[i] are the rows that process i owns before, NEW[i] those that it needs
 * after; those without rows take no part. Each row that a process needs and does not own moves to
 * it once, from its owner. Owned rows are disjoint; needed ones may overlap (halos, replicated
 * storage). */
xmpi_status_t xmpi_transfer_blocks(int n, const xmpi_block_t *old_blocks,
                                   const xmpi_block_t *new_blocks, int me,
                                   xmpi_transfer_t *transfer);

/* For a replicated array of ROWS rows: processes 0 to HOLDERS - 1 have all of it, the others up to
 * N - 1 get it; each holder serves an equal share of the rows. */
xmpi_status_t xmpi_transfer_replicate(int n, int holders, int64_t rows, int me,
                                      xmpi_transfer_t *transfer);

/* The share of ROWS that HOLDER of HOLDERS serves. */
xmpi_block_t xmpi_transfer_share(int64_t rows, int holders, int holder);

/* The part of PIECE that moves in round PART of PARTS; together they are the piece. */
xmpi_piece_t xmpi_transfer_part(xmpi_piece_t piece, int part, int parts);

/* In how many rounds a move goes in which the process that can receive most into pages that it has
 * sent can do so with REUSABLE bytes: only the first round needs new pages. A round should move so
 * much that it is worth the waiting for one another. */
int xmpi_transfer_rounds(int64_t reusable);

void xmpi_transfer_free(xmpi_transfer_t *transfer);

#endif
