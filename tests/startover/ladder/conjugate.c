/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients with a matrix of sparse rows and global columns. */
#include "ladder.h"

typedef struct {
    int n, rank, size, lo, hi;
    int *start, *column;
    double *value;
} matrix_t;

static matrix_t make(int n)
{
    matrix_t a;
    a.n = n;
    MPI_Comm_rank(MPI_COMM_WORLD, &a.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &a.size);
    a.lo = (int)((long)n * a.rank / a.size);
    a.hi = (int)((long)n * (a.rank + 1) / a.size);
    int rows = a.hi - a.lo, entries = 0;
    a.start = malloc((rows + 1) * sizeof(int));
    a.column = malloc(3 * (rows + 1) * sizeof(int));
    a.value = malloc(3 * (rows + 1) * sizeof(double));
    for (int i = 0; i < rows; i++) {
        int g = a.lo + i;
        a.start[i] = entries;
        for (int j = g - 1; j <= g + 1; j++)
            if (j >= 0 && j < n) {
                a.column[entries] = j;
                a.value[entries++] = j == g ? 2.5 : -1.0;
            }
    }
    a.start[rows] = entries;
    return a;
}

static void multiply(const matrix_t *a, const double *x, double *y)
{
    for (int i = 0; i < a->hi - a->lo; i++) {
        y[i] = 0;
        for (int k = a->start[i]; k < a->start[i + 1]; k++)
            y[i] += a->value[k] * x[a->column[k]];
    }
}

static double dot(const double *x, const double *y, int count)
{
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += x[i] * y[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    matrix_t a = make(argc > 1 ? atoi(argv[1]) : 40);
    int rows = a.hi - a.lo;
    int *counts = malloc(a.size * sizeof(int)), *displs = malloc(a.size * sizeof(int));
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&a.lo, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    double *x = calloc(rows + 1, sizeof *x), *r = malloc((rows + 1) * sizeof *r), *p = malloc((rows + 1) * sizeof *p);
    double *q = malloc((rows + 1) * sizeof *q), *whole = malloc(a.n * sizeof *whole);
    for (int i = 0; i < rows; i++)
        r[i] = p[i] = 1 + (a.lo + i) % 3;
    double rho = dot(r, r, rows);
#pragma xmpi loop
    for (int k = 0; k < 15; k++) {
        MPI_Allgatherv(p, rows, MPI_DOUBLE, whole, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        multiply(&a, whole, q);
        double alpha = rho / dot(p, q, rows);
        for (int i = 0; i < rows; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(r, r, rows), beta = next / rho;
        for (int i = 0; i < rows; i++)
            p[i] = r[i] + beta * p[i];
        rho = next;
    }
    tell(x, rows);
    MPI_Finalize();
    return 0;
}
