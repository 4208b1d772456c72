/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients with a sparse matrix. */
#ifndef SOLVER_H
#define SOLVER_H

/* Which rows are whose. */
struct part {
    int rank, size, first, count;
    int *counts, *displs;
};

/* The own rows of a matrix of N rows, compressed. */
struct csr {
    int rows, first, n;
    int *ptr, *col;
    double *val;
};

void part_init(struct part *p, int n);

/* Not 0: there is no memory. */
int csr_assemble(struct csr *a, int n, const struct part *p);
void csr_multiply(const struct csr *a, const double *x, double *y);

/* Solves A x = b for the own rows; returns the number of iterations. */
int solve(const struct csr *a, const struct part *p, const double *b, double *x, int most, double *rest);

#endif
