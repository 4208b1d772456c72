/* SPDX-License-Identifier: BSD-3-Clause
 * The rows are gathered and written by the program's own formula after the loop. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size), first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *u = malloc(((size_t)count + 1) * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 6;
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < count; i++)
            u[i] = 0.8 * u[i] + 0.1 * ((first + i) % 4);
    double *all = malloc((size_t)n * sizeof *all), sum = 0;
    int *counts = malloc((size_t)size * sizeof *counts), *displs = malloc((size_t)size * sizeof *displs);
    for (int r = 0; r < size; r++) {
        counts[r] = n / size + (r < n % size);
        displs[r] = r * (n / size) + (r < n % size ? r : n % size);
    }
    MPI_Gatherv(u, counts[rank], MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < n; i++)
            sum += all[i] * (i + 1);
        printf("gathered %.9g\n", sum);
    }
    MPI_Finalize();
    return 0;
}
