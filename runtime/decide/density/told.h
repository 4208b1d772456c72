/* SPDX-License-Identifier: BSD-3-Clause
 * Told: whether rows weigh what is said of them, by the program or by its nonzeros. When blocks
 * have changed, such weights say how the times of members should have; weights that do not are not
 * what makes rows work. Then rows are to be weighed by what blocks take, as where nobody has said
 * anything. */
#ifndef XMPI_DECIDE_DENSITY_TOLD_H
#define XMPI_DECIDE_DENSITY_TOLD_H

#include <stdbool.h>

#include "decide/density/density.h"

/* What a leader knows of it. Plain data; all zeros at first. The sums are of squares of logarithms,
 * over the blocks of the changes of late, each without what all blocks of a change have in common.
 */
typedef struct {
    bool mistaken; /* what is said of rows is not what they weigh */
    int changes;   /* of blocks */
    double blocks; /* number of their blocks */
    double said;   /* how times were to change by what is said */
    double missed; /* how they have changed otherwise */
    double uneven; /* and how otherwise than by the number of rows */
    double apart;  /* how what is said differs from the number of rows */
} xmpi_told_t;

/* DENSITY has just taken in an interval whose work is what is said of the rows. Whether it is found
 * now that they do not weigh that. */
bool xmpi_told_note(xmpi_told_t *told, const xmpi_density_t *density);

#endif
