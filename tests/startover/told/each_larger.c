/* SPDX-License-Identifier: BSD-3-Clause
 * The plate is as large as the memory of all processes, by the root of their number. */
/* None: number stays: each process has as many elements of 'g', however many processes there are */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double work(int size, int rank, int m, int lines, double *g, double *h)
{
    double most = 0;
    for (int i = 0; i < lines * m; i++)
        h[i] = g[i];
    if (rank > 0)
        MPI_Sendrecv(g + m, m, MPI_DOUBLE, rank - 1, 1, h, m, MPI_DOUBLE, rank - 1, 2,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < size - 1)
        MPI_Sendrecv(g + (lines - 2) * m, m, MPI_DOUBLE, rank + 1, 2, h + (lines - 1) * m, m,
                     MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i < lines - 1; i++)
        for (int j = 0; j < m; j++) {
            g[i * m + j] = (h[(i - 1) * m + j] + h[(i + 1) * m + j]) / 2;
            most = fmax(most, fabs(g[i * m + j] - h[i * m + j]));
        }
    return most;
}

int main(int argc, char **argv)
{
    int rank, size, wide = argc > 1 ? atoi(argv[1]) : 1;
    double most = 1, all = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int m = (int)sqrt((double)wide * 4096.0 * size / sizeof(double)), lines = m / size + 3;
    double *g = calloc(m * lines, sizeof *g), *h = calloc(m * lines, sizeof *h);
    if (rank == 0)
        for (int j = 1; j < m - 1; j++)
            g[j] = 100;
#pragma xmpi loop
    for (int t = 0; t < 50; t++) {
        most = work(size, rank, m, lines, g, h);
        if (t % 5 == 0)
            MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (all < 1e-9)
            break;
    }
    if (rank == 0)
        printf("%.9e\n", all);
    free(g);
    free(h);
    MPI_Finalize();
    return 0;
}
