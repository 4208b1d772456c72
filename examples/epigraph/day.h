/* SPDX-License-Identifier: BSD-3-Clause
 * What happens once a day: counting, interventions, travel. */
#ifndef DAY_H
#define DAY_H

#include <stdio.h>

#include "spread.h"

/* The columns of a day's count, for each region: persons in each state, and */
enum { VACCINATED = STATES, NEW_INFECTIONS, COLUMNS };

/* Counts the block's persons into COUNTS (REGIONS x COLUMNS, zero before). New infections are those
 * from step SINCE on. */
void day_count(const struct block *block, const struct region *region, int regions, int since,
               int64_t *counts);

/* Interventions (Alg. 11, line 9) at the begin of DAY: vaccinates persons of the block ... */
void day_vaccinate(const struct model *model, int day, const struct block *block);

/* ... and, from the COUNTS of the day before, sets for each region to which day distancing lasts
 * (UNTIL) and which share of contacts outside home it avoids now. */
void day_distance(const struct model *model, int day, const struct region *region, int regions,
                  const int64_t *counts, int *until, double *distancing);

/* The gravity model (Viboud et al., Science 312, 2006): FLOW (REGIONS x REGIONS) becomes the
 * probability that a person of the one region travels to the other on a day. */
void day_gravity(const struct parameters *parameters, const struct region *region, int regions,
                 double *flow);

/* Travel (Alg. 11, line 11) on the day that begins with STEP: infectious travellers expose people
 * where they go, and others are exposed there, by as many as the COUNTS of the day before say. */
void day_travel(const struct model *model, int step, const struct region *region, int regions,
                const double *flow, const int64_t *counts, const double *distancing,
                const struct block *block, struct exposures *exposures);

/* Writes the COUNTS of all days as comma-separated values: a row for each region of each day, and
 * one for all of them. DAYS x REGIONS x COLUMNS. */
void day_write(FILE *file, const int64_t *counts, int days, int regions);

#endif
