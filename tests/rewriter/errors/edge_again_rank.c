/* SPDX-License-Identifier: BSD-3-Clause
 * The last row of each block but the last one is made of the ghost rows behind it once more. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 480;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    enum { W = 4 };
    double *u = calloc((size_t)(count + 2) * W, sizeof *u),
           *v = calloc((size_t)(count + 2) * W, sizeof *v);
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < W; j++)
            u[i * W + j] = (first + i + j) % 7;
#pragma xmpi loop divisible
    for (int k = 0; k < 40; k++) {
        MPI_Sendrecv(u + W, W, MPI_DOUBLE, left, 0, u + (count + 1) * W, W, MPI_DOUBLE, right, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count * W, W, MPI_DOUBLE, right, 1, u, W, MPI_DOUBLE, left, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            for (int j = 0; j < W; j++)
                v[i * W + j] = .5 * u[i * W + j] + .25 * (u[(i - 1) * W + j] + u[(i + 1) * W + j]);
        for (int i = 1; i <= count; i++)
            for (int j = 0; j < W; j++)
                u[i * W + j] = v[i * W + j];
        if (rank < size - 1)
            for (int j = 0; j < W; j++)
                u[count * W + j] += .1 * u[(count + 1) * W + j];
    }
    double sum = 0, all;
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < 4; j++)
            sum += u[i * 4 + j] * (1 + (first + i - 1) % 13);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
