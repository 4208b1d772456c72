/* SPDX-License-Identifier: BSD-3-Clause
 * Fit: the density and the speeds that explain the times of blocks best. */
#ifndef XMPI_DECIDE_DENSITY_FIT_H
#define XMPI_DECIDE_DENSITY_FIT_H

#include <stdbool.h>

#include "decide/layout/layout.h"
#include "decide/model/profile.h"

/* A member's block in a layout, and what an iteration took. Plain data. */
typedef struct {
    int pe; /* -1: none */
    xmpi_block_t block;
    double seconds, work;
    double noise; /* share of the seconds that may be chance */
    bool empty;   /* it has no work, which tells nothing of the speed */
    bool brief;   /* it was seen for so short a time that this is rather that of other things */
} xmpi_seen_block_t;

/* Layouts of MEMBERS blocks each, the oldest first. COUNTED: their work is what the rows weigh,
 * else it follows from the time and the speed. */
typedef struct {
    int layouts, members;
    bool counted;
    const xmpi_seen_block_t *block;
    const double *before; /* shares of the work before parts of the domain (decide/model/profile.h)
                             that are taken to be so where layouts do not tell; NULL: rows alike */
} xmpi_seen_t;

/* Parts of the domain of constant density, or of one that is everywhere so many times what is known
 * from before. */
typedef struct {
    int parts;
    int64_t *border; /* malloc: parts + 1 */
    double *weight;  /* malloc: of a row, by part */
} xmpi_density_parts_t;

/* By iterative proportional fitting of the density to each layout in turn, the newest last (Deming,
 * Stephan 1940): with speeds that are alike, with those that rows alike would mean, and with speeds
 * fitted from both to what remains over all; the first two are believed before the others. Where
 * the density rises or falls by a jump, PARTS has it where it would be if it was one.
 * XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_density_fit(const xmpi_seen_t *seen, xmpi_density_parts_t *parts);

void xmpi_density_parts_free(xmpi_density_parts_t *parts);

#endif
