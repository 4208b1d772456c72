/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 40, m = 6, i, j, a, b, c;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *u = malloc((count + 2) * m * sizeof *u), *v = malloc((count + 2) * m * sizeof *v);
    for (i = 0; i < count + 2; i++)
        for (j = 0; j < m; j++)
            u[i * m + j] = v[i * m + j] = (first + i) % 7 + j;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
#pragma xmpi loop
    for (int step = 0; step < 30; step++) {
        MPI_Sendrecv(u + m, m, MPI_DOUBLE, up, 0, u + (count + 1) * m, m, MPI_DOUBLE, down, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + count * m, m, MPI_DOUBLE, down, 1, u, m, MPI_DOUBLE, up, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (i = 2; i < count; i++)
            for (j = 0; j < m; j++)
                v[i * m + j] =
                    0.5 * u[i * m + j] + 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j]);
        a = 1;
        for (j = 0; j < m; j++)
            v[a * m + j] = 0.5 * u[a * m + j] + 0.25 * (u[(a - 1) * m + j] + u[(a + 1) * m + j]);
        b = count;
        for (j = 0; j < m; j++)
            v[b * m + j] = 0.5 * u[b * m + j] + 0.25 * (u[(b - 1) * m + j] + u[(b + 1) * m + j]);
        c = rank % 2 ? 1 : count;
        for (j = 0; j < m; j++)
            v[c * m + j] *= 0.5;
        for (i = 1; i <= count; i++)
            for (j = 0; j < m; j++)
                u[i * m + j] = v[i * m + j];
    }
    double sum = 0, all;
    for (i = 1; i <= count; i++)
        for (j = 0; j < m; j++)
            sum += u[i * m + j] * (1 + (first + i) % 5);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    free(u);
    free(v);
    MPI_Finalize();
    return 0;
}
