/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 103;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size),
        mine = n / size + (rank < n % size), behind = n - first - mine;
    double *x = malloc((size_t)mine * sizeof *x), mean = 0;
    for (int i = 0; i < mine; i++)
        x[i] = sin(0.3 * (n - behind - mine + i));
#pragma xmpi loop
    for (int t = 0; t < 30; t++) {
        double s = 0;
        for (int i = 0; i < mine; i++)
            s += x[i];
        MPI_Allreduce(&s, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mean /= n;
        for (int i = 0; i < mine; i++)
            x[i] += 0.02 * (mean - x[i]);
    }
    double weighted = 0, all = 0;
    for (int i = 0; i < mine; i++)
        weighted += x[i] * (rank * (n / size) + (rank < n % size ? rank : n % size) + i);
    MPI_Reduce(&weighted, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g %.9g\n", mean, all);
    MPI_Finalize();
    return 0;
}
