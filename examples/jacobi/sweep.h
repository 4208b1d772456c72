/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of the solver. */
#ifndef SWEEP_H
#define SWEEP_H

/* One Jacobi sweep over COUNT rows of a system of order N, of which the first is row DISPL:
 * x_new[i] becomes the solution of row i with all other unknowns as in x. A holds the rows one
 * after another, b their constant terms. Returns the greatest change |x_new - x|, INFINITY when a
 * value is not finite any more. */
double sweep(int n, int displ, int count, const double *A, const double *b, const double *x,
             double *x_new);

/* The greatest |b - A x| of the same rows, INFINITY when one is not finite. */
double residual(int n, int count, const double *A, const double *b, const double *x);

#endif
