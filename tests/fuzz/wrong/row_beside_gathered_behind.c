/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    double **x = malloc((size_t)count * sizeof *x);
    for (int i = 0; i < count; i++) {
        x[i] = malloc(2 * sizeof **x);
        x[i][0] = 1 + 0.1 * (((displ + i) * 7) % 11);
        x[i][1] = 0;
    }

#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
    }
    double *y = calloc((size_t)count, sizeof *y);
    for (int i = 1; i < count; i++)
        y[i] = (x[i][0] + x[i - 1][0]) / 2;
    int *of = malloc((size_t)size * sizeof *of), *from = malloc((size_t)size * sizeof *from);
    double *whole = malloc((size_t)n * sizeof *whole);
    MPI_Allgather(&count, 1, MPI_INT, of, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        from[r] = r == 0 ? 0 : from[r - 1] + of[r - 1];
    MPI_Allgatherv(y, count, MPI_DOUBLE, whole, of, from, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < n; i++)
        t += (1 + i % 7) * whole[i];
    if (rank == 0)
        printf("%.9g\n", t);
    t = 0;
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
