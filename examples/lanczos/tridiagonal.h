/* SPDX-License-Identifier: BSD-3-Clause
 * Small symmetric tridiagonal matrices: ALPHA on the diagonal, BETA beside it. */
#ifndef TRIDIAGONAL_H
#define TRIDIAGONAL_H

enum { TRIDIAGONAL = 5 }; /* the largest order */

/* Solves T y = (NORM, 0, ...), where T is positive definite and of order N. */
void tridiagonal_solve(int n, const double *alpha, const double *beta, double norm, double *y);

/* All eigenvalues, which are between 0 and MOST, in rising order. */
void tridiagonal_eigenvalues(int n, const double *alpha, const double *beta, double most,
                             double *eigenvalue);

#endif
