/* SPDX-License-Identifier: BSD-3-Clause
 * Edges that iterations only read, and that each rank has made by its number. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { STEPS = 10 };

int main(int argc, char **argv)
{
    int rank, size, n = 14;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int *counts = malloc(size * sizeof(int)), *firsts = malloc(size * sizeof(int));
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&first, 1, MPI_INT, firsts, 1, MPI_INT, MPI_COMM_WORLD);
    int *offset = malloc((count + 1) * sizeof(int)), *edge = malloc((2 * count + 1) * sizeof(int));
    for (int i = 0; i <= count; i++)
        offset[i] = 2 * i;
    for (int i = 0; i < 2 * count; i++)
        edge[i] = (rank * 3 + i) % n;
    double *all = malloc(n * sizeof(double)), *own = malloc(count * sizeof(double) + 1), sum = 0;
    for (int i = 0; i < n; i++)
        all[i] = i * 5 % 11;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < count; i++) {
            double s = 0;
            for (int e = offset[i]; e < offset[i + 1]; e++)
                s += all[edge[e]];
            own[i] = 0.5 * all[first + i] + 0.2 * s;
        }
        MPI_Allgatherv(own, count, MPI_DOUBLE, all, counts, firsts, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    for (int i = 0; i < n; i++)
        sum += all[i] * (1 + i % 3);
    if (rank == 0)
        printf("%.9g\n", sum);
    MPI_Finalize();
    return 0;
}
