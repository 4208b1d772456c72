/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, count = n * (rank + 1) / size - first;
    int *begin = malloc((count + 1) * sizeof *begin), *at = malloc(4 * count * sizeof *at);
    double *u = calloc(count, sizeof *u);
    FILE *file = fopen("graph", "rb");
    fread(begin, sizeof *begin, count + 1, file);
    fread(at, sizeof *at, 4 * count, file);
    fclose(file);
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            for (int j = begin[i]; j < begin[i + 1]; j++)
                u[i] += at[j];
    printf("%g\n", u[0]);
    MPI_Finalize();
    return 0;
}
