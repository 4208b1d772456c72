/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 28;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), *all = calloc(64, sizeof *all);
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * (displ + i);
    int *counts = malloc(sizeof(int) * size), *displs = malloc(sizeof(int) * size);
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
    MPI_Gatherv(u, count, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < n; i++)
            printf("%.9g\n", all[i]);
    free(u);
    free(all);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
