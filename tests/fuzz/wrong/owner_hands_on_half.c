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
    int displ = rank * n / size, count = (rank + 1) * n / size - displ, j;
    double *u = calloc((size_t)count, sizeof *u), *row = calloc((size_t)n, sizeof *row), t = 0,
           all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < n; k++) {
        int owner = ((k + 1) * size - 1) / n;
        if (rank == owner)
            for (j = 0; j < n; j++)
                row[j] = u[k - displ] + j;
        MPI_Bcast(row, n / 2, MPI_DOUBLE, owner, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * row[n - 1];
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(row);
    free(u);
    MPI_Finalize();
    return 0;
}
