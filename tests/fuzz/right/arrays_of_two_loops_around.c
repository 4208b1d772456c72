/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* The same rows by other names than in the second loop, and this one comes again. */
static void iterate(int n, int count, int displ, double *u, double *v)
{
    int k = 0;
#pragma xmpi loop
    while (k < 12) {
        for (int i = 0; i < count; i++) {
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i) % 7);
            v[i] = 0.9 * v[i] + 0.01 * (displ + i) / n;
        }
        k++;
    }
}

int main(int argc, char **argv)
{
    int rank, size, n = 22;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), *v = calloc((size_t)count, sizeof *v);
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    for (int step = 0; step < 3; step++) {
        iterate(n, count, displ, u, v);
#pragma xmpi loop
        for (int m = 0; m < 12; m++)
            for (int i = 0; i < count; i++)
                v[i] = 0.9 * v[i] + 0.01 * ((displ + i + m) % 5) * u[i];
    }
    double t = 0, all = 0;
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i] * v[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
