/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>

void divide(int n, int rank, int size, int *count, int *first);
void advance(double *u, int count, int first);

int main(int argc, char **argv)
{
    int rank, size, count, first;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    divide(100, rank, size, &count, &first);
    double *u = calloc(count, sizeof *u);
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        advance(u, count, first);
    free(u);
    MPI_Finalize();
    return 0;
}
