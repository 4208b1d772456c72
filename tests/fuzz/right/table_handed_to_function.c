/* SPDX-License-Identifier: BSD-3-Clause
 * Rows in an array of fixed size are gone through by a function that is handed the table of where
 * blocks begin. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MOST 200
#define COLUMNS 4
static void stage(int k, int rank, int *starts, double u[MOST][COLUMNS])
{
    for (int i = 0; i < starts[rank + 1] - starts[rank]; i++)
        for (int j = 0; j < COLUMNS; j++) {
            u[i][j] = 0.9 * u[i][j] + 0.01 * k;
        }
}
int main(int argc, char **argv)
{
    int rank, size, n, *starts;
    double u[MOST][COLUMNS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = argc > 1 ? atoi(argv[1]) : 24;
    starts = malloc((size + 1) * sizeof(int));
    for (int r = 0; r <= size; r++)
        starts[r] = r * n / size;
    memset(u, 0, sizeof u);
    for (int i = 0; i < starts[rank + 1] - starts[rank]; i++)
        for (int j = 0; j < COLUMNS; j++)
            u[i][j] = 1 + 0.1 * (((starts[rank] + i) * 7 + j) % 11);
    double t, s = 0;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        stage(k, rank, starts, u);
        t = 0;
        for (int i = 0; i < starts[rank + 1] - starts[rank]; i++)
            for (int j = 0; j < COLUMNS; j++)
                t += u[i][j];
        MPI_Allreduce(&t, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("%.9g\n", s);
    MPI_Finalize();
    return 0;
}
