/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* How often a process has done something for itself; rows that it skips are not the cause. */
int main(int argc, char **argv)
{
    int rank, size;
    long updates = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = 100 * rank / size, count = 100 * (rank + 1) / size - first;
    double *u = calloc(count, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop divisible
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++) {
            if (u[i] > 50)
                continue;
            u[i] *= 1.5;
            updates++;
        }
    printf("%d made %ld updates\n", rank, updates);
    free(u);
    MPI_Finalize();
    return 0;
}
