/* SPDX-License-Identifier: BSD-3-Clause
 * Rows are those along the longer of two sides. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, nx = 21, ny = 10;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        nx = atoi(argv[1]);
    if (argc > 2)
        ny = atoi(argv[2]);
    int n = nx > ny ? nx : ny, m = nx > ny ? ny : nx; /* cut the longer side */
    int lo = (long)n * rank / size, hi = (long)n * (rank + 1) / size, cnt = hi - lo;
    double *u = calloc((size_t)cnt * m, sizeof *u);
    for (int i = 0; i < cnt; i++)
        for (int j = 0; j < m; j++)
            u[i * m + j] = lo + i + 0.01 * j;
#pragma xmpi loop
    for (int s = 0; s < 30; s++)
        for (int i = 0; i < cnt; i++)
            for (int j = 1; j < m; j++)
                u[i * m + j] += 0.1 * (u[i * m + j - 1] - u[i * m + j]);
    double a = 0, M;
    for (int i = 0; i < cnt; i++)
        for (int j = 0; j < m; j++)
            a += u[i * m + j] * (1 + (lo + i + j) % 3);
    MPI_Reduce(&a, &M, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.8f\n", M);
    MPI_Finalize();
    return 0;
}
