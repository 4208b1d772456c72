/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients until the residual is small: a function divides the rows and fills the sparse
 * matrix of a square grid, all in one struct. */
#include "ladder.h"

typedef struct {
    int n, lo, hi, entries;
    int *ptr, *col;
    double *val;
} matrix_t;

static int rank, size;

static void assemble(matrix_t *a, int m)
{
    a->n = m * m;
    a->lo = (int)((long)a->n * rank / size);
    a->hi = (int)((long)a->n * (rank + 1) / size);
    int rows = a->hi - a->lo, k = 0;
    a->ptr = malloc((rows + 1) * sizeof(int));
    a->col = malloc(5 * rows * sizeof(int));
    a->val = malloc(5 * rows * sizeof(double));
    for (int r = a->lo; r < a->hi; r++) {
        int i = r / m, j = r % m;
        a->ptr[r - a->lo] = k;
        if (i > 0) { a->col[k] = r - m; a->val[k++] = -1; }
        if (j > 0) { a->col[k] = r - 1; a->val[k++] = -1; }
        a->col[k] = r; a->val[k++] = 4.0 + 0.01 * (r % 3);
        if (j < m - 1) { a->col[k] = r + 1; a->val[k++] = -1; }
        if (i < m - 1) { a->col[k] = r + m; a->val[k++] = -1; }
    }
    a->ptr[rows] = k;
    a->entries = k;
}

static double dot(const double *a, const double *b, int n)
{
    double own = 0, all;
    for (int i = 0; i < n; i++) own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void multiply(const matrix_t *a, const double *x, double *y)
{
    for (int i = 0; i < a->hi - a->lo; i++) {
        double s = 0;
        for (int k = a->ptr[i]; k < a->ptr[i + 1]; k++) s += a->val[k] * x[a->col[k]];
        y[i] = s;
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    matrix_t a;
    assemble(&a, argc > 1 ? 5 + atoi(argv[1]) / 10 : 10);
    int rows = a.hi - a.lo, *counts = malloc(size * sizeof(int)), *at = malloc(size * sizeof(int));
    double *x = calloc(rows, sizeof *x), *r = malloc(rows * sizeof *r), *p = malloc(rows * sizeof *p);
    double *q = malloc(rows * sizeof *q), *full = malloc(a.n * sizeof *full);
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    at[0] = 0;
    for (int i = 1; i < size; i++) at[i] = at[i - 1] + counts[i - 1];
    for (int i = 0; i < rows; i++) { r[i] = sin(0.01 * (a.lo + i)); p[i] = r[i]; }
    double rr = dot(r, r, rows), first = rr;
    int it = 0;
#pragma xmpi loop
    while (it < 25 && rr > 1e-9 * first) {
        MPI_Allgatherv(p, rows, MPI_DOUBLE, full, counts, at, MPI_DOUBLE, MPI_COMM_WORLD);
        multiply(&a, full, q);
        double alpha = rr / dot(p, q, rows);
        for (int i = 0; i < rows; i++) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; }
        double next = dot(r, r, rows), beta = next / rr;
        rr = next;
        for (int i = 0; i < rows; i++) p[i] = r[i] + beta * p[i];
        it++;
    }
    tell(x, rows);
    MPI_Finalize();
    return 0;
}
