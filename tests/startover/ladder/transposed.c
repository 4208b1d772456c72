/* SPDX-License-Identifier: BSD-3-Clause
 * A square matrix that is transposed in every step: blocks of equal size, whose first row is the
 * rank times as many. */
#include "ladder.h"

static int n, size, rank, rows;
static double *out, *in;

static void transpose(double *a)
{
    for (int p = 0; p < size; p++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                out[(p * rows + j) * rows + i] = a[i * n + p * rows + j];
    MPI_Alltoall(out, rows * rows, MPI_DOUBLE, in, rows * rows, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int p = 0; p < size; p++)
        for (int j = 0; j < rows; j++)
            for (int i = 0; i < rows; i++)
                a[j * n + p * rows + i] = in[(p * rows + j) * rows + i];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    n = (argc > 1 ? atoi(argv[1]) : 40) / 60 * 60 + 60;
    if (n % size != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    rows = n / size;
    double *u = malloc(sizeof(double) * rows * n), *work = malloc(sizeof(double) * rows * n);
    out = malloc(sizeof(double) * rows * n);
    in = malloc(sizeof(double) * rows * n);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++)
            u[i * n + j] = (rank * rows + i) % 7 + 0.25 * (j % 5);
#pragma xmpi loop state(rows(u[n][n] from rank * rows, rows), same(step))
    for (int step = 1; step <= 12; step++) {
        for (int i = 0; i < rows * n; i++)
            work[i] = 0.9 * u[i];
        transpose(work);
        for (int i = 0; i < rows; i++)
            for (int j = 1; j < n; j++)
                work[i * n + j] += 0.1 * work[i * n + j - 1] / step;
        memcpy(u, work, sizeof(double) * rows * n);
    }
    tell(u, rows * n);
    MPI_Finalize();
    return 0;
}
