/* SPDX-License-Identifier: BSD-3-Clause
 * Moves by hand that have been made: who had which rows before and after. A program often goes to
 * and fro between the same layouts, and a member that makes a move again may guess that the others
 * do so too. */
#ifndef XMPI_PROGRAM_API_KNOWN_MOVES_H
#define XMPI_PROGRAM_API_KNOWN_MOVES_H

#include <stddef.h>
#include <stdint.h>

#include "decide/layout/layout.h"

/* What a member wants: of what is registered (SHAPES, a digest), with a DOMAIN of so many rows. */
typedef struct {
    xmpi_block_t before, after;
    int64_t domain; /* -1: nothing with a domain is registered */
    uint64_t shapes;
} xmpi_wanted_t;

typedef struct {
    int members;
    xmpi_wanted_t *wanted; /* of all, in rank order */
    uint64_t digest;       /* of that; not 0 */
    uint64_t used;         /* when, in moves; 0: never */
} xmpi_known_move_t;

/* The move of MEMBERS that was made last in which RANK wanted this; NULL: none. It stays until the
 * next one is remembered. */
const xmpi_known_move_t *xmpi_known_move(int members, int rank, const xmpi_wanted_t *wanted);

/* Remembers a move that was made, within a bound of memory: instead of the one that was made the
 * longest ago. WANTED[i * STRIDE bytes] is that of rank i. Without memory it is not remembered. */
void xmpi_known_move_add(int members, const xmpi_wanted_t *wanted, size_t stride);

/* It was made again. */
void xmpi_known_move_used(const xmpi_known_move_t *move);

#endif
