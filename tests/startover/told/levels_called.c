/* SPDX-License-Identifier: BSD-3-Clause
 * Levels of time in one piece of memory, to which a function leads. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#define M 8
static double *level(double *m, int k, size_t lv)
{
    return m + k * lv;
}
int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 60, steps = argc > 2 ? atoi(argv[2]) : 120;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int count = n / size + (rank < n % size),
        first = rank * (n / size) + (rank < n % size ? rank : n % size);
    int lf = rank ? rank - 1 : MPI_PROC_NULL, rt = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

    size_t lv = (size_t)(count + 2) * M;
    double *mem = calloc(2 * lv, sizeof *mem);
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < M; j++)
            mem[i * M + j] = sin(first + i) * (j + 1);
#pragma xmpi loop
    for (int t = 0; t < steps; t++) {
        double *u = level(mem, t % 2, lv), *v = level(mem, 1 - t % 2, lv);
        MPI_Sendrecv(u + M, M, MPI_DOUBLE, lf, 0, u + (count + 1) * M, M, MPI_DOUBLE, rt, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count * M, M, MPI_DOUBLE, rt, 1, u, M, MPI_DOUBLE, lf, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int i = 1; i <= count; i++)
            for (int j = 0; j < M; j++)
                v[i * M + j] = u[i * M + j] +
                               0.2 * (u[(i - 1) * M + j] + u[(i + 1) * M + j] - 2 * u[i * M + j]);
    }
    double s = 0, tot;
    for (int i = 1; i <= count; i++)
        for (int j = 0; j < M; j++)
            s += mem[(steps % 2) * lv + i * M + j] * (first + i);
    MPI_Reduce(&s, &tot, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", tot);
    MPI_Finalize();
}
