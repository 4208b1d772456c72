/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of the solver. */
#ifndef MULTIPLY_H
#define MULTIPLY_H

#include <stdint.h>

/* z = A v for COUNT rows of A in the CSR format; v is whole. */
void multiply(int count, const int64_t *ia, const int *ja, const double *a, const double *v,
              double *z);

/* The dot product of two vectors of N elements. */
double dot(int n, const double *x, const double *y);

/* y = y + alpha x, and y = x + beta y. */
void add_to(int n, double alpha, const double *x, double *y);
void scale_and_add(int n, double beta, const double *x, double *y);

#endif
