/* SPDX-License-Identifier: BSD-3-Clause
 * Rows and the pointers to them in one piece of memory. */
#include "ladder.h"

static double **take(int rows, int columns)
{
    double **u = malloc((size_t)rows * (sizeof(double *) + (size_t)columns * sizeof(double)));
    double *data = (double *)(u + rows);
    for (int i = 0; i < rows; i++)
        u[i] = data + i * columns;
    return u;
}

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40, m = 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    double **u = take(count, m), *mine = malloc((size_t)(count * m + 1) * sizeof *mine);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m; j++)
            u[i][j] = cos((first + i) * m + j);
#pragma xmpi loop
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < count; i++)
            for (int j = 0; j < m; j++)
                u[i][j] = 0.9 * u[i][j] + 0.01 * ((first + i) % 5) * j;
    for (int i = 0; i < count; i++)
        memcpy(mine + i * m, u[i], (size_t)m * sizeof *mine);
    tell(mine, count * m);
    MPI_Finalize();
    return 0;
}
