/* SPDX-License-Identifier: BSD-3-Clause
 * As many nodes on each process, however many processes there are. */
/* None: number stays: each process has as many elements of 'h', however many processes there are */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 11;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double *h = malloc((n + 2) * sizeof *h), *next = malloc((n + 2) * sizeof *next), sum = 0, all;
    h[0] = h[n + 1] = 0;
    for (int i = 1; i <= n; i++)
        h[i] = sin((double)(rank * n + i) / (size * n));
#pragma xmpi loop
    for (int t = 0; t < 60; t++) {
        if (rank > 0)
            MPI_Sendrecv(&h[1], 1, MPI_DOUBLE, rank - 1, 1, &h[0], 1, MPI_DOUBLE, rank - 1, 2,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank < size - 1)
            MPI_Sendrecv(h + n, 1, MPI_DOUBLE, rank + 1, 2, h + n + 1, 1, MPI_DOUBLE, rank + 1, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= n; i++)
            next[i] = (h[i - 1] + h[i + 1]) / 2;
        for (int i = 1; i <= n; i++)
            h[i] = next[i];
    }
    for (int i = 1; i <= n; i++)
        sum += h[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", all);
    free(h);
    free(next);
    MPI_Finalize();
    return 0;
}
