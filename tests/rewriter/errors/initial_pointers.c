/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdlib.h>

void work(long n);

static void make(double **weights, int **columns)
{
    *weights = malloc(8 * sizeof **weights);
    *columns = malloc(8 * sizeof **columns);
}

int main(int argc, char **argv)
{
    int rank, size, *columns;
    double *weights;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma xmpi initial
    make(&weights, &columns);
#pragma xmpi loop
    for (int i = 0; i < 9; i++)
        work((long)weights[0] + columns[0]);
    MPI_Finalize();
    return 0;
}
