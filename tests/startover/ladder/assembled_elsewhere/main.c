/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients: the loop is in this file, and all that it goes by is made in others. */
#include "solver.h"
#include <math.h>
#include <mpi.h>
#include <stdlib.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0, all;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void axpy(double *y, double a, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] += a * x[i];
}

static void xpay(double *y, double a, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] + a * y[i];
}

int solve(const struct csr *a, const struct part *p, const double *b, double *x, int most, double *rest)
{
    int n = p->count, it;
    double *r = malloc(n * sizeof *r), *d = malloc(n * sizeof *d), *q = malloc(n * sizeof *q);
    double *all = malloc(a->n * sizeof *all);
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        r[i] = d[i] = b[i];
    }
    double rr = dot(r, r, n), bb = rr;
#pragma xmpi loop
    for (it = 0; it < most; it++) {
        MPI_Allgatherv(d, p->count, MPI_DOUBLE, all, p->counts, p->displs, MPI_DOUBLE, MPI_COMM_WORLD);
        csr_multiply(a, all, q);
        double alpha = rr / dot(d, q, p->count), old = rr;
        axpy(x, alpha, d, p->count);
        axpy(r, -alpha, q, p->count);
        rr = dot(r, r, p->count);
        if (sqrt(rr / bb) < 1e-9)
            break;
        xpay(d, rr / old, r, p->count);
    }
    *rest = sqrt(rr / bb);
    free(r);
    free(d);
    free(q);
    free(all);
    return it;
}
