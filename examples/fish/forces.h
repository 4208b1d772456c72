/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of the particles: Van der Waals forces in two dimensions. */
#ifndef FORCES_H
#define FORCES_H

/* Particles further apart than this do not feel one another. Lengths are in diameters. */
#define FORCES_REACH 2.5

/* Forces on COUNT particles, of which the first is number DISPL, by all N particles, which are at
 * POSITION (x and y of each) in a square of side SIDE: those of the potential 4 (r^-12 - r^-6),
 * cut off at FORCES_REACH, and taken for those at 0.9 where particles are nearer. FORCE gets COUNT
 * times x and y. The sums are made in the same order for any block. Returns how many pairs were
 * looked at, or -1 when there is no memory. */
double forces(int n, double side, const double *position, int displ, int count, double *force);

#endif
