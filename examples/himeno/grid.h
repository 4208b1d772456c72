/* SPDX-License-Identifier: BSD-3-Clause
 * The part of a three-dimensional grid that a process has, with a layer of others' points around
 * it, and Jacobi's method with 19 points on it (the Himeno benchmark's kernel). */
#ifndef GRID_H
#define GRID_H

#include <mpi.h>

/* Values at all points, in the order [i][j][k]. COEFFICIENT: 4 of a, 3 of b, 3 of c; all of size[0]
 * * size[1] * size[2] floats. */
struct grid {
    int size[3];  /* points here, with the layer around them */
    int first[3]; /* of the whole grid's points: the one at [0][0][0] */
    float *pressure, *next, *source, *bound;
    float *coefficient[10];
};

/* The part of the process in COMM, whose topology divides a grid of WHOLE points, in its initial
 * state. 0; -1: there is no memory, or a process has no point (WHOLE is too small). */
int grid_make(struct grid *grid, const int whole[3], MPI_Comm comm);
void grid_free(struct grid *grid);

/* Gets the layer around the part from the neighbours, also what is at its edges. */
void grid_exchange(struct grid *grid, MPI_Comm comm);

/* One iteration for the points here: the sum of the squares of what they are off. */
double grid_relax(struct grid *grid);

#endif
