/* SPDX-License-Identifier: BSD-3-Clause
 * A struct of pointers from posix_memalign, bounds in a struct that is handed on by value. */
#include "ladder.h"

typedef struct {
    int lo, hi, n;
} bounds_t;

typedef struct {
    double *a, *b, *c;
} fields_t;

static double *take(int count)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, ((size_t)count + 2) * sizeof(double)) != 0)
        exit(1);
    memset(p, 0, ((size_t)count + 2) * sizeof(double));
    return p;
}

static void step(fields_t *f, bounds_t b)
{
    for (int i = 0; i < b.hi - b.lo; i++) {
        f->c[i] = f->a[i] + f->b[i];
        f->a[i] = 0.9 * f->b[i] + 0.01 * (b.lo + i);
        f->b[i] = 0.5 * f->c[i];
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    bounds_t b = {n * rank / size, n * (rank + 1) / size, n};
    fields_t f = {take(b.hi - b.lo), take(b.hi - b.lo), take(b.hi - b.lo)};
    for (int i = 0; i < b.hi - b.lo; i++)
        f.b[i] = b.lo + i;
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        step(&f, b);
    tell(f.a, b.hi - b.lo);
    MPI_Finalize();
    return 0;
}
