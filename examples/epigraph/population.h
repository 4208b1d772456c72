/* SPDX-License-Identifier: BSD-3-Clause
 * Populations in files: the persons of urban regions and the contacts between them.
 *
 * A file holds, in the byte order of the machine: the 8 characters of POPULATION_MAGIC; the numbers
 * of persons n, regions and contacts as 64-bit integers; for each region a struct region; for each
 * person the age (1 byte); n + 1 64-bit integers, the first contact of each person and the end; for
 * each contact the other person (32-bit integer), then for each the kind (1 byte). Contacts are
 * mutual: each is there for both persons. */
#ifndef POPULATION_H
#define POPULATION_H

#include <stdint.h>

#include "problem.h"

#define POPULATION_MAGIC "EPIGRAPH"

enum { POPULATION_MAX = 1000000000, REGIONS_MAX = 10000, AGE_MAX = 120 };

/* Where people meet. */
enum kind { AT_HOME, AT_WORK, AT_LEISURE, KINDS };

/* The persons of a region have consecutive numbers. */
struct region {
    int64_t first, persons;
    double x, y; /* km */
};

struct shape {
    int persons, regions;
    int64_t contacts;
};

/* The sizes in file PATH, which must be those of the file. 0, or -1 with PROBLEM. */
int population_shape(const char *path, struct shape *shape, struct problem *problem);

/* All regions. 0, or -1 with PROBLEM. */
int population_regions(const char *path, const struct shape *shape, struct region *region,
                       struct problem *problem);

/* The ages of COUNT persons from DISPL on. 0, or -1 with PROBLEM. */
int population_ages(const char *path, const struct shape *shape, int displ, int count, uint8_t *age,
                    struct problem *problem);

/* Where the contacts of each of these persons begin, counted from those of person DISPL, and where
 * the last one's end: COUNT + 1 elements to CONTACT. 0, or -1 with PROBLEM. */
int population_pointers(const char *path, const struct shape *shape, int displ, int count,
                        int64_t *contact, struct problem *problem);

/* The contacts of the same persons: CONTACT[COUNT] elements each. 0, or -1 with PROBLEM. */
int population_contacts(const char *path, const struct shape *shape, int displ, int count,
                        const int64_t *contact, int32_t *other, uint8_t *kind,
                        struct problem *problem);

#endif
