/* SPDX-License-Identifier: BSD-3-Clause
 * The school: where the particles begin, how they go on, and the file with where they are. */
#ifndef SCHOOL_H
#define SCHOOL_H

#include "problem.h"

/* The side of the square in which N particles have room. */
double school_side(int n);

/* Puts N particles, x and y of each, near one another in one corner of the square, a little away
 * from the places of a lattice, as SEED says. */
void school_begin(int n, unsigned seed, double *position);

/* One step of length STEP of COUNT particles, of which the first is number DISPL: new velocities to
 * VELOCITY by FORCE, both of these particles alone, and where they are then to MOVED. Walls throw
 * them back. */
void school_move(double side, double step, int displ, int count, const double *position,
                 const double *force, double *velocity, double *moved);

/* Writes a line with x and y of each particle, with 17 digits. 0, or -1 with PROBLEM. */
int school_write(const char *path, int n, const double *position, struct problem *problem);

#endif
