/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size;
    long seed;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = 100 * rank / size, count = 100 * (rank + 1) / size - first;
    double *u = calloc(count, sizeof *u);
#pragma xmpi initial
    seed = 12 + rank;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++) {
            seed = seed * 1103515245 % 65536;
            u[i] += seed + first + i;
        }
    free(u);
    MPI_Finalize();
    return 0;
}
