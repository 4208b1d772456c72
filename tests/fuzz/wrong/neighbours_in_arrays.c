/* SPDX-License-Identifier: BSD-3-Clause
 * Where the neighbours of each row lie in the block is kept in an array for each row. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    int up = rank ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    int(*beside)[2] = malloc(((size_t)count + 2) * sizeof *beside);
    double s = 0, sum;
    for (int i = 1; i <= count; i++) {
        u[i] = (first + i) % 7;
        beside[i][0] = i - 1;
        beside[i][1] = i + 1;
    }
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, up, 0, u + count + 1, 1, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count, 1, MPI_DOUBLE, down, 1, u, 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            v[i] = 0.8 * u[i] + 0.1 * (u[beside[i][0]] + u[beside[i][1]]);
        double *w = u;
        u = v;
        v = w;
    }
    for (int i = 1; i <= count; i++)
        s += u[i] * (first + i);
    MPI_Reduce(&s, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.10g\n", sum);
    MPI_Finalize();
    return 0;
}
