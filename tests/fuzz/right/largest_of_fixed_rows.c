/* SPDX-License-Identifier: BSD-3-Clause */
/* The largest one of the rows of an array of fixed size that the start fills. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, n = 48;
    int size;
    double v[64][2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (displ + i) % 7;
    memset(v, 0, sizeof v);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 2; j++)
            v[i][j] = 1 + (displ + i) % 5;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * k;
    }
    double own = 0, sum = 0;
    for (int i = 0; i < count; i++)
        own += u[i] * (displ + i);
    MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    double most = 0, of_all = 0;
    for (int i = 0; i < count; i++)
        if (v[i][0] > most)
            most = v[i][0];
    MPI_Reduce(&most, &of_all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %.9g, %g\n", sum, of_all);
    free(u);
    MPI_Finalize();
    return 0;
}
