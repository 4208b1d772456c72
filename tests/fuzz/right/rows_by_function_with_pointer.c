/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *x;

static double *row(int i)
{
    return x + i * 4;
}

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
    x = malloc((size_t)count * 4 * sizeof *x);
    for (int i = 0; i < 4 * count; i++)
        x[i] = 1 + 0.1 * ((4 * displ + i) % 11);

#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
        for (int i = 0; i < count; i++)
            row(i)[0] = 0.9 * row(i)[0] + 0.1 * u[i];
        for (int i = 0; i < count; i++)
            u[i] += 0.01 * row(i)[1] + 0.001 * *row(i);
    }
    for (int i = 0; i < count; i++)
        row(i)[1] += 0.5 * row(i)[0];
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * (u[i] + x[4 * i] + x[4 * i + 1]);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
