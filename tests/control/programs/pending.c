/* SPDX-License-Identifier: BSD-3-Clause
 * Waits in each iteration for the sum of the one before: its processes have a request open whenever
 * they could be moved. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { N = 64, ITERATIONS = 60 };
    int rank, size;
    double mine = 0, sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = N / size + (rank < N % size);
    int first = rank * (N / size) + (rank < N % size ? rank : N % size);
    double *x = malloc((size_t)count * sizeof *x);
    for (int i = 0; i < count; i++)
        x[i] = first + i;
#pragma xmpi loop movable
    for (int it = 0; it < ITERATIONS; it++) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++)
            x[i] = 0.5 * x[i] + it;
        mine = x[0];
        MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%.15g\n", sum);
    free(x);
    MPI_Finalize();
    return 0;
}
