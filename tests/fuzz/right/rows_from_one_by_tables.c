/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 37;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *from = malloc((size_t)size * sizeof *from), *to = malloc((size_t)size * sizeof *to);
    for (int i = 0; i < size; i++) {
        from[i] = i * n / size + 1;
        to[i] = (i + 1) * n / size;
    }
    double *u = malloc((size_t)(to[rank] - from[rank] + 1) * sizeof *u), sum, all = 1;
    for (int i = 0; i <= to[rank] - from[rank]; i++)
        u[i] = 1;
#pragma xmpi loop
    for (int step = 0; step < 30; step++) {
        sum = 0;
        for (int i = from[rank]; i <= to[rank]; i++) {
            u[i - from[rank]] = 0.5 * u[i - from[rank]] + 0.01 * all + 0.1 * (i % 5);
            sum += u[i - from[rank]];
        }
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%.8g\n", all);
    free(u);
    free(to);
    free(from);
    MPI_Finalize();
    return 0;
}
