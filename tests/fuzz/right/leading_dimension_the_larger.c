/* SPDX-License-Identifier: BSD-3-Clause
 * Rows are as long as the larger of two inputs. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, n = 30, nx = 10, ny = 21;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        nx = atoi(argv[1]);
    if (argc > 2)
        ny = atoi(argv[2]);
    int lo = (long)n * rank / size, hi = (long)n * (rank + 1) / size, cnt = hi - lo;
    int ld = nx > ny ? nx : ny;
    double *u = calloc((size_t)cnt * ld, sizeof *u);
    for (int i = 0; i < cnt; i++)
        for (int j = 0; j < nx; j++)
            u[i * ld + j] = lo + i + 0.01 * j;
#pragma xmpi loop
    for (int s = 0; s < 30; s++)
        for (int i = 0; i < cnt; i++)
            for (int j = 1; j < nx; j++)
                u[i * ld + j] += 0.1 * (u[i * ld + j - 1] - u[i * ld + j]);
    double m = 0, M;
    for (int i = 0; i < cnt; i++)
        for (int j = 0; j < nx; j++)
            m += u[i * ld + j] * (1 + (lo + i + j) % 3);
    MPI_Reduce(&m, &M, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.8f\n", M);
    free(u);
    MPI_Finalize();
    return 0;
}
