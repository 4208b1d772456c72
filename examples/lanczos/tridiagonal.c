/* SPDX-License-Identifier: BSD-3-Clause */
#include "tridiagonal.h"

#include <math.h>

void tridiagonal_solve(int n, const double *alpha, const double *beta, double norm, double *y)
{
    double pivot[TRIDIAGONAL];
    pivot[0] = alpha[0];
    y[0] = norm;
    for (int k = 1; k < n; k++) {
        double factor = beta[k - 1] / pivot[k - 1];
        pivot[k] = alpha[k] - factor * beta[k - 1];
        y[k] = -factor * y[k - 1];
    }
    y[n - 1] /= pivot[n - 1];
    for (int k = n - 2; k >= 0; k--)
        y[k] = (y[k] - beta[k] * y[k + 1]) / pivot[k];
}

/* How many eigenvalues are less than X (Sturm). */
static int below(int n, const double *alpha, const double *beta, double x)
{
    int less = 0;
    double pivot = 1;
    for (int k = 0; k < n; k++) {
        pivot = alpha[k] - x - (k > 0 ? beta[k - 1] * beta[k - 1] / pivot : 0);
        if (fabs(pivot) < 1e-300)
            pivot = -1e-300;
        less += pivot < 0;
    }
    return less;
}

void tridiagonal_eigenvalues(int n, const double *alpha, const double *beta, double most,
                             double *eigenvalue)
{
    for (int k = 0; k < n; k++) {
        double low = 0, high = most;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (below(n, alpha, beta, middle) > k)
                high = middle;
            else
                low = middle;
        }
        eigenvalue[k] = (low + high) / 2;
    }
}
