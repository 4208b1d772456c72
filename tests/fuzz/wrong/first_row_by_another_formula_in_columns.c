/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, n = 41;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    double t = 0, all = 0;
    double *u = calloc((size_t)count + 2, sizeof *u), *v = calloc((size_t)count + 2, sizeof *v);
    for (int i = 1; i <= count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    enum { M = 6 };
    double(*a)[M] = calloc((size_t)count + 2, sizeof *a),
    (*b)[M] = calloc((size_t)count + 2, sizeof *b);
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = u[i] + 0.01 * j;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        MPI_Sendrecv(a[1], M, MPI_DOUBLE, left, 2, a[count + 1], M, MPI_DOUBLE, right, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(a[count], M, MPI_DOUBLE, right, 3, a[0], M, MPI_DOUBLE, left, 3,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 2; i < count; i++)
            for (int j = 1; j < M - 1; j++)
                b[i][j] = 0.2 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
        for (int j = 1; j < M - 1; j++)
            b[1][j] = 0.2 * (a[0][j] + a[2][j] + a[1][j - 1] + a[0][j + 1]);
        for (int c = 1; c < M - 1; c++)
            b[count][c] =
                0.2 * (a[count - 1][c] + a[count + 1][c] + a[count][c - 1] + a[count][c + 1]);
        for (int i = 1; i <= count; i++)
            for (int j = 1; j < M - 1; j++)
                a[i][j] = b[i][j];
    }
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < M; j++)
            u[i] += a[i][j];
    for (int i = 1; i <= count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
