/* SPDX-License-Identifier: BSD-3-Clause
 * All rows on each rank, of which a table, made of gathered counts, says whose they are. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, own = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int *counts = malloc(sizeof(int) * (size_t)size), *owner = malloc(sizeof(int) * (size_t)n);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0, next = 0; r < size; r++)
        for (int i = 0; i < counts[r]; i++)
            owner[next++] = r;
    double *u = malloc(sizeof *u * (size_t)n);
    for (int i = 0; i < n; i++)
        u[i] = sin(0.3 * i);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < n; i++) {
            if (owner[i] != rank)
                continue;
            u[i] = 0.9 * u[i] + 0.1 * ((i + k) % 7);
        }
    }
    for (int i = 0; i < n; i++)
        own += owner[i] == rank;
    tell(u + first, own);
    MPI_Finalize();
    return 0;
}
