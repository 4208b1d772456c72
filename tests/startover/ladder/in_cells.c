/* SPDX-License-Identifier: BSD-3-Clause
 * Sizes, counts and displacements in cells, not in rows. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, m = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *counts = malloc(size * sizeof(int)), *displs = malloc(size * sizeof(int)), at = 0;
    for (int r = 0; r < size; r++) {
        counts[r] = (n / size + (r < n % size)) * m;
        displs[r] = at;
        at += counts[r];
    }
    double *all = NULL, *mine = malloc((counts[rank] + 1) * sizeof(double));
    if (rank == 0) {
        all = malloc(n * m * sizeof(double));
        for (int i = 0; i < n * m; i++)
            all[i] = i % 9;
    }
    MPI_Scatterv(all, counts, displs, MPI_DOUBLE, mine, counts[rank], MPI_DOUBLE, 0, MPI_COMM_WORLD);
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < counts[rank]; i++)
            mine[i] = 0.95 * mine[i] + 0.01 * ((displs[rank] + i) / m % 6);
    MPI_Gatherv(mine, counts[rank], MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        double sum = 0;
        for (int i = 0; i < n * m; i++)
            sum += all[i] * (i + 1);
        printf("%.9g\n", sum);
        free(all);
    }
    free(mine);
    MPI_Finalize();
    return 0;
}
