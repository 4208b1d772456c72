/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel of the solver. */
#include "multiply.h"

void multiply(int count, const int64_t *ia, const int *ja, const double *a, const double *v,
              double *z)
{
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int64_t k = ia[i]; k < ia[i + 1]; k++)
            sum += a[k] * v[ja[k]];
        z[i] = sum;
    }
}

double dot(int n, const double *x, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

void add_to(int n, double alpha, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += alpha * x[i];
}

void scale_and_add(int n, double beta, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] + beta * y[i];
}
