/* SPDX-License-Identifier: BSD-3-Clause
 * A history of columns of the local block, which functions find by the local count that they are
 * handed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *column(double *block, int number, int rows)
{
    return block + (size_t)number * rows;
}

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = malloc((size_t)count * sizeof *u), s = 0, sum;
    double *history = calloc((size_t)count * 6, sizeof *history);
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#pragma xmpi loop
    for (int k = 0; k < 24; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + (first + i + k) % 3;
        double *now = column(history, k / 4, count);
        for (int i = 0; i < count; i++)
            now[i] = u[i];
    }
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < count; i++)
            s += column(history, k, count)[i] * (first + i + k);
    MPI_Reduce(&s, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", sum);
    MPI_Finalize();
    return 0;
}
