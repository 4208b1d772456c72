/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *u = calloc((size_t)((rank + 1) * n / size - rank * n / size), sizeof *u);
    double t = 0, all = 0;
    for (int i = rank * n / size; i < (rank + 1) * n / size; i++)
        u[i - rank * n / size] = 1 + 0.1 * (i % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < (rank + 1) * n / size - rank * n / size; i++)
            u[i] = 0.9 * u[i] + 0.01 * i;
    }
    for (int i = rank * n / size; i < (rank + 1) * n / size; i++)
        t += (1 + i % 5) * u[i - rank * n / size];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", all);
    MPI_Finalize();
    return 0;
}
