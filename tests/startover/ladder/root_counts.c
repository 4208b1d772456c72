/* SPDX-License-Identifier: BSD-3-Clause
 * Rank 0 alone knows the counts, and sends each rank its own. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = 0, count, first, *counts = NULL, *displs = NULL;
    double *all = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        n = argc > 1 ? atoi(argv[1]) : 40;
        counts = malloc(size * sizeof(int));
        displs = malloc(size * sizeof(int));
        for (int r = 0; r < size; r++) {
            displs[r] = r * n / size;
            counts[r] = (r + 1) * n / size - displs[r];
        }
        all = malloc(n * sizeof(double));
        for (int i = 0; i < n; i++)
            all[i] = i % 7;
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(counts, 1, MPI_INT, &count, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(displs, 1, MPI_INT, &first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    double *u = malloc((count + 1) * sizeof(double));
    MPI_Scatterv(all, counts, displs, MPI_DOUBLE, u, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.3 * ((first + i) % 3);
    MPI_Gatherv(u, count, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += all[i] * (i % 11);
        printf("%.9g\n", sum);
        free(all);
        free(counts);
        free(displs);
    }
    free(u);
    MPI_Finalize();
    return 0;
}
