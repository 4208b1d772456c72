/* SPDX-License-Identifier: BSD-3-Clause
 * Three loops one after another: the first iterates until there is a file "stop" in its folder, and
 * more often than the others, by whose numbers of iterations these are known; they are over at
 * once. */
#define _DEFAULT_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    enum { N = 64 };
    int rank, size, stop = 0, iterations = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = N / size + (rank < N % size);
    int first = rank * (N / size) + (rank < N % size ? rank : N % size);
    double *x = malloc((size_t)count * sizeof *x), sum = 0, all = 0;
    for (int i = 0; i < count; i++)
        x[i] = first + i;
#pragma xmpi loop
    while (!stop) {
        for (int i = 0; i < count; i++)
            x[i] = 0.5 * x[i];
        usleep(2000);
        iterations++;
        if (rank == 0)
            stop = iterations >= 20 && access("stop", F_OK) == 0;
        MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
#pragma xmpi loop
    for (int k = 0; k < 7; k++)
        for (int i = 0; i < count; i++)
            x[i] += 1;
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < count; i++)
            x[i] += 2;
    for (int i = 0; i < count; i++)
        sum += x[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s\n", all >= N * 25 ? "right" : "wrong");
    free(x);
    MPI_Finalize();
    return 0;
}
