/* SPDX-License-Identifier: BSD-3-Clause
 * All rows are there, and the row before the own ones is that of the start. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *v = calloc(n, sizeof *v), *x = calloc(count, sizeof *x);
    for (int i = 0; i < n; i++)
        v[i] = i * 17 % 51;
#pragma xmpi loop divisible
    for (int k = 0; k < 40; k++) {
        for (int i = 0; i < count; i++)
            x[i] = 0.1 * (first + i) + (first + i > 0 ? 0.4 * v[first + i - 1] : 0);
        for (int i = 0; i < count; i++)
            v[first + i] = 0.5 * v[first + i] + x[i];
    }
    double sum = 0, total;
    for (int i = 0; i < count; i++)
        sum += v[first + i] * (1 + (first + i) % 13);
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", total);
    MPI_Finalize();
    return 0;
}
