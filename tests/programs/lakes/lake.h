#ifndef LAKE_H
#define LAKE_H

#include <stdlib.h>

static double *bed;

static inline void lake_init(int rows)
{
    bed = malloc(rows * sizeof *bed);
    for (int i = 0; i < rows; i++)
        bed[i] = 1;
}

static inline void lake_step(double *water, int rows)
{
    for (int i = 0; i < rows; i++) {
        bed[i] = 0.9 * bed[i] + 0.01 * water[i];
        water[i] = 0.99 * water[i] + bed[i];
    }
}

#endif
