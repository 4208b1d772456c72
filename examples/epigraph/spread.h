/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of the simulator: one step of the persons of a process. */
#ifndef SPREAD_H
#define SPREAD_H

#include <stdint.h>

#include "exposure.h"
#include "model.h"

/* The persons of a process: COUNT from DISPL on. */
struct block {
    int displ, count;
    struct person *person;
    const int64_t *contact; /* where the contacts of each begin; COUNT + 1 elements */
    const int32_t *other;   /* with whom */
    const uint8_t *kind;    /* where */
    double *work;           /* out: what each person cost in the step */
};

/* Updates all persons, and adds whom the infectious among them expose to the infection in STEP
 * (Alg. 11, lines 3 to 8). DISTANCING holds, for each of the REGIONS, the share of contacts outside
 * home that is avoided. Returns the work done, the sum of block->work: 1 for a person, 2 more for
 * each contact of an infectious one. */
double spread(const struct model *model, int step, const struct region *region, int regions,
              const double *distancing, const struct block *block, struct exposures *exposures);

/* Infects those of the block's persons whom EXPOSURES are about. */
void infect(const struct model *model, int step, const struct exposures *exposures,
            const struct block *block);

/* The region of person WHO. */
int region_of(const struct region *region, int regions, int who);

#endif
