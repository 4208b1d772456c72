/* SPDX-License-Identifier: BSD-3-Clause
 * Makes a network of contacts: regions of unequal sizes, households, places of work or school, and
 * leisure, where a few people meet many. */
#ifndef NETWORK_H
#define NETWORK_H

#include <stdint.h>

#include "population.h"

struct recipe {
    int persons, regions;
    uint64_t seed;
    double leisure; /* mean contacts at leisure in a region of mean size */
    double skew;    /* exponent of the power law of their numbers, > 2: the less, the more skewed */
};

/* All arrays are malloc. */
struct network {
    struct region *region;
    uint8_t *age;
    int64_t *contact; /* where the contacts of each person begin; persons + 1 elements */
    int32_t *other;
    uint8_t *kind;
};

/* 0, or -1 where there is no memory (and nothing is left). */
int network_make(const struct recipe *recipe, struct network *network);
void network_free(struct network *network);

#endif
