/* SPDX-License-Identifier: BSD-3-Clause
 * What a simulation has to say in the end. */
#ifndef OUTCOME_H
#define OUTCOME_H

#include <stdint.h>

#include "population.h"

struct outcome {
    struct shape shape;
    int days, steps; /* steps in all */
    uint64_t fingerprint;
    double seconds;        /* of the loop */
    const int64_t *counts; /* of every day: DAYS x regions x COLUMNS */
};

/* Prints it, and writes the counts to file PATH, unless it is NULL. 0, or -1 with PROBLEM and
 * neither of them done. */
int outcome_write(const struct outcome *outcome, const char *path, struct problem *problem);

#endif
