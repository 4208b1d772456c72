/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of the solver. Every row is added up from left to right, so that a result does not
 * depend on which process computes it. */
#include <math.h>
#include <stddef.h>

#include "sweep.h"

static double dot(const double *row, const double *x, int first, int last, double sum)
{
    for (int j = first; j < last; j++)
        sum += row[j] * x[j];
    return sum;
}

/* Comparisons with NaN are false: without the second case a lost solution would look converged. */
static double greater(double value, double greatest)
{
    if (!isfinite(value))
        return INFINITY;
    return value > greatest ? value : greatest;
}

double sweep(int n, int displ, int count, const double *A, const double *b, const double *x,
             double *x_new)
{
    double change = 0;
    for (int i = 0; i < count; i++) {
        const double *row = A + (size_t)i * (size_t)n;
        int diagonal = displ + i;
        double sum = dot(row, x, 0, diagonal, 0);
        sum = dot(row, x, diagonal + 1, n, sum);
        x_new[i] = (b[i] - sum) / row[diagonal];
        change = greater(fabs(x_new[i] - x[diagonal]), change);
    }
    return change;
}

double residual(int n, int count, const double *A, const double *b, const double *x)
{
    double greatest = 0;
    for (int i = 0; i < count; i++)
        greatest = greater(fabs(b[i] - dot(A + (size_t)i * (size_t)n, x, 0, n, 0)), greatest);
    return greatest;
}
