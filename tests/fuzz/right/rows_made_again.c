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
    for (int i = 0; i < count; i++)
        x[i][1] = (x[i][0] + u[i]) / 2;
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * (u[i] + x[i][1]);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
