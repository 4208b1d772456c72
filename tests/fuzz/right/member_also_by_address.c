/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct bodies {
    double *v;
    int n;
};
struct world {
    struct bodies bodies;
    double step;
};
static double push(double *v, int i, const struct world *w)
{
    return v[i] * w->step;
}
static void scale(double *const *v, int i, double by)
{
    (*v)[i] *= by;
}
int main(int argc, char **argv)
{
    int rank, size, n = 28;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    struct world *w = malloc(sizeof *w);
    w->bodies.v = calloc((size_t)count, sizeof *w->bodies.v);
    w->bodies.n = n;
    w->step = 0.9;
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        w->bodies.v[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++) {
            w->bodies.v[i] = push(w->bodies.v, i, w) + 0.01 * (displ + i);
            scale(&(w->bodies.v), i, 0.99);
        }
    for (int i = 0; i < count; i++)
        t += w->bodies.v[i] * (1 + (displ + i) % 5);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(w->bodies.v);
    free(w);
    MPI_Finalize();
    return 0;
}
