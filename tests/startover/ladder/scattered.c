/* SPDX-License-Identifier: BSD-3-Clause
 * A buffer of rank 0 alone is filled and scattered by a function. */
#include "ladder.h"

static void scatter(double *mine, const int *counts, const int *displs, int n, int rank)
{
    double *all = NULL;
    if (rank == 0) {
        all = malloc((size_t)n * sizeof *all);
        for (int i = 0; i < n; i++)
            all[i] = (i * 7) % 10;
    }
    MPI_Scatterv(all, counts, displs, MPI_DOUBLE, mine, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(all);
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc((size_t)size * sizeof *counts), *displs = malloc((size_t)size * sizeof *displs);
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
    double *u = malloc(((size_t)counts[rank] + 1) * sizeof *u);
    scatter(u, counts, displs, n, rank);
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < counts[rank]; i++)
            u[i] = 0.7 * u[i] + 0.1 * ((displs[rank] + i) % 8);
    tell(u, counts[rank]);
    MPI_Finalize();
    return 0;
}
