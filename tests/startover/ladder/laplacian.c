/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients for the Laplacian of a square grid: main divides the rows, and a function
 * fills the sparse matrix of those that it is told, entry after entry. */
#include "ladder.h"

typedef struct {
    int n, lo, hi, *ptr, *col;
    double *val;
} matrix_t;

static void assemble(matrix_t *a, int k)
{
    int rows = a->hi - a->lo, e = 0;
    a->ptr = malloc((rows + 1) * sizeof(int));
    a->col = malloc(5 * rows * sizeof(int));
    a->val = malloc(5 * rows * sizeof(double));
    a->ptr[0] = 0;
    for (int r = a->lo; r < a->hi; r++) {
        int x = r % k, y = r / k;
        if (y > 0) { a->col[e] = r - k; a->val[e++] = -1; }
        if (x > 0) { a->col[e] = r - 1; a->val[e++] = -1; }
        a->col[e] = r; a->val[e++] = 4 + 0.001 * (r % 7);
        if (x < k - 1) { a->col[e] = r + 1; a->val[e++] = -1; }
        if (y < k - 1) { a->col[e] = r + k; a->val[e++] = -1; }
        a->ptr[r - a->lo + 1] = e;
    }
}

static double dot(const double *a, const double *b, int n)
{
    double own = 0, all;
    for (int i = 0; i < n; i++) own += a[i] * b[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    int rank, size, k, steps = 0;
    matrix_t a;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    k = argc > 1 ? 5 + atoi(argv[1]) / 10 : 10;
    a.n = k * k;
    a.lo = (int)((long)a.n * rank / size);
    a.hi = (int)((long)a.n * (rank + 1) / size);
    int rows = a.hi - a.lo, *counts = malloc(size * sizeof(int)), *at = malloc(size * sizeof(int));
    assemble(&a, k);
    double *x = calloc(rows, sizeof *x), *r = malloc(rows * sizeof *r), *p = malloc(rows * sizeof *p);
    double *q = malloc(rows * sizeof *q), *all = malloc(a.n * sizeof *all);
    MPI_Allgather(&rows, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&a.lo, 1, MPI_INT, at, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < rows; i++) r[i] = p[i] = 1.0 + (a.lo + i) % 3;
    double rr = dot(r, r, rows);
#pragma xmpi loop
    while (rr > 1e-10 && steps < 60) {
        MPI_Allgatherv(p, rows, MPI_DOUBLE, all, counts, at, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < rows; i++) {
            double s = 0;
            for (int e = a.ptr[i]; e < a.ptr[i + 1]; e++) s += a.val[e] * all[a.col[e]];
            q[i] = s;
        }
        double alpha = rr / dot(p, q, rows);
        for (int i = 0; i < rows; i++) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; }
        double now = dot(r, r, rows), beta = now / rr;
        for (int i = 0; i < rows; i++) p[i] = r[i] + beta * p[i];
        rr = now;
        steps++;
    }
    tell(x, rows);
    MPI_Finalize();
    return 0;
}
