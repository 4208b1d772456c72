/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void parts(int n, int size, int *counts, int *displs)
{
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
}
int main(int argc, char **argv)
{
    int rank, size, n = 28;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(sizeof(int) * size), *displs = malloc(sizeof(int) * size);
    parts(n, size, counts, displs);
    int displ = displs[rank], count = counts[rank];
    double *next = calloc((size_t)count, sizeof *next), *all = calloc(n, sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = 1 + 0.1 * (i % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < count; i++)
            next[i] = 0.5 * all[displ + i] + 0.25 * all[(displ + i + 1) % n];
        MPI_Allgatherv(next, count, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    if (rank == 0)
        for (int i = 0; i < n; i++)
            printf("%.9g\n", all[i]);
    free(next);
    free(all);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
