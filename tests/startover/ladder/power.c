/* SPDX-License-Identifier: BSD-3-Clause
 * Power iteration with own rows of a matrix; the vector is whole on all ranks. */
#include "ladder.h"

int main(int argc, char **argv)
{
    int rank, size, n = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *rows = malloc(size * sizeof(int)), *start = malloc(size * sizeof(int));
    for (int p = 0, at = 0; p < size; p++) {
        start[p] = at;
        rows[p] = n / size;
        if (p >= size - n % size)
            rows[p]++;
        at += rows[p];
    }
    int mine = rows[rank], offset = start[rank];
    double *A = malloc((size_t)mine * n * sizeof(double)), *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
    for (int i = 0; i < mine; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = 1.0 / (1 + abs(offset + i - j));
    for (int j = 0; j < n; j++)
        x[j] = 1;
    double lambda = 0;
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < mine; i++) {
            y[offset + i] = 0;
            for (int j = 0; j < n; j++)
                y[offset + i] += A[i * n + j] * x[j];
        }
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, y, rows, start, MPI_DOUBLE, MPI_COMM_WORLD);
        lambda = 0;
        for (int j = 0; j < n; j++)
            lambda = fmax(lambda, fabs(y[j]));
        for (int j = 0; j < n; j++)
            x[j] = y[j] / lambda;
    }
    if (rank == 0)
        printf("%.9g\n", lambda);
    tell(x + offset, mine);
    MPI_Finalize();
    return 0;
}
