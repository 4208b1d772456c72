/* SPDX-License-Identifier: BSD-3-Clause
 * Columns are divided; they lie behind each other in memory. */
#include "ladder.h"

#define AT(i, j) ((j) * ny + (i))

int main(int argc, char **argv)
{
    int rank, size, nx = argc > 1 ? atoi(argv[1]) : 40, ny = 4;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int js = rank * nx / size, je = (rank + 1) * nx / size - 1, cols = je - js + 1;
    double *a = calloc(ny * (cols + 2), sizeof(double)), *b = calloc(ny * (cols + 2), sizeof(double));
    for (int j = 1; j <= cols; j++)
        for (int i = 0; i < ny; i++)
            a[AT(i, j)] = (js + j) % 5 + 0.5 * i;
    int west = rank == 0 ? MPI_PROC_NULL : rank - 1, east = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        MPI_Sendrecv(&a[AT(0, 1)], ny, MPI_DOUBLE, west, 0, &a[AT(0, cols + 1)], ny, MPI_DOUBLE, east, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(&a[AT(0, cols)], ny, MPI_DOUBLE, east, 1, &a[AT(0, 0)], ny, MPI_DOUBLE, west, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        for (int j = 1; j <= cols; j++)
            for (int i = 0; i < ny; i++)
                b[AT(i, j)] = 0.8 * a[AT(i, j)] + 0.1 * (a[AT(i, j - 1)] + a[AT(i, j + 1)]);
        memcpy(&a[AT(0, 1)], &b[AT(0, 1)], (size_t)ny * cols * sizeof(double));
    }
    tell(&a[AT(0, 1)], ny * cols);
    MPI_Finalize();
    return 0;
}
