/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of the particles. */
#include "forces.h"

#include <math.h>
#include <stdlib.h>

/* Particles sorted by the square cells, FORCES_REACH wide or wider, that they are in. */
struct cells {
    int across;
    double width;
    int *first; /* of each cell, where it begins in ORDER; one more than cells */
    int *order; /* particles, cell by cell, in each by their numbers */
};

static int clamp(int i, int most)
{
    return i < 0 ? 0 : i > most ? most : i;
}

static int cell_of(const struct cells *cells, const double *at)
{
    int most = cells->across - 1;
    return clamp((int)(at[1] / cells->width), most) * cells->across +
           clamp((int)(at[0] / cells->width), most);
}

static void release(struct cells *cells)
{
    free(cells->first);
    free(cells->order);
}

/* 0, or -1 when there is no memory. */
static int sort(struct cells *cells, int n, double side, const double *position)
{
    int across = (int)(side / FORCES_REACH);
    cells->across = across > 0 ? across : 1;
    cells->width = side / cells->across;
    int all = cells->across * cells->across;
    cells->first = calloc((size_t)all + 2, sizeof *cells->first);
    cells->order = malloc(((size_t)n + 1) * sizeof *cells->order);
    if (cells->first == NULL || cells->order == NULL) {
        release(cells);
        return -1;
    }
    for (int i = 0; i < n; i++)
        cells->first[cell_of(cells, position + 2 * i) + 2]++;
    for (int c = 0; c < all; c++)
        cells->first[c + 1] += cells->first[c];
    for (int i = 0; i < n; i++)
        cells->order[cells->first[cell_of(cells, position + 2 * i) + 1]++] = i;
    return 0;
}

/* Adds what the particle at OTHER does to the one at SELF. */
static void add_force(const double *self, const double *other, double *force)
{
    double x = self[0] - other[0], y = self[1] - other[1], square = x * x + y * y;
    if (square >= FORCES_REACH * FORCES_REACH || square == 0)
        return;
    double r2 = fmax(square, 0.81), r6 = r2 * r2 * r2;
    double strength = 24 * (2 / r6 - 1) / r6 / r2;
    force[0] += strength * x;
    force[1] += strength * y;
}

/* How many pairs. */
static double force_on(const struct cells *cells, const double *position, int i, double *force)
{
    int here = cell_of(cells, position + 2 * i), row = here / cells->across,
        column = here % cells->across;
    double pairs = 0;
    force[0] = force[1] = 0;
    for (int y = row > 0 ? row - 1 : 0; y <= row + 1 && y < cells->across; y++)
        for (int x = column > 0 ? column - 1 : 0; x <= column + 1 && x < cells->across; x++) {
            int cell = y * cells->across + x;
            for (int k = cells->first[cell]; k < cells->first[cell + 1]; k++)
                add_force(position + 2 * i, position + 2 * cells->order[k], force);
            pairs += cells->first[cell + 1] - cells->first[cell];
        }
    return pairs;
}

double forces(int n, double side, const double *position, int displ, int count, double *force)
{
    struct cells cells;
    double pairs = 0;
    if (sort(&cells, n, side, position) != 0)
        return -1;
    for (int i = 0; i < count; i++)
        pairs += force_on(&cells, position, displ + i, force + 2 * i);
    release(&cells);
    return pairs;
}
