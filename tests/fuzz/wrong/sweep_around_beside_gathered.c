/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 29;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int *counts = malloc(size * sizeof *counts), *displs = malloc(size * sizeof *displs);
    MPI_Allgather(&count, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&displ, 1, MPI_INT, displs, 1, MPI_INT, MPI_COMM_WORLD);
    double *y = calloc((size_t)count, sizeof *y), *x = calloc((size_t)n, sizeof *x);
    double sums[4];
    for (int i = 0; i < count; i++)
        y[i] = 1 + 0.1 * ((displ + i) % 7);
    for (int step = 0; step < 4; step++) {
        double t = 0;
        for (int i = 0; i < count; i++)
            t += y[i];
        MPI_Allreduce(&t, &sums[step], 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma xmpi loop
        for (int k = 0; k < 10; k++) {
            for (int i = 0; i < count; i++)
                y[i] = 0.5 * x[displ + i] + 0.1 * ((displ + i + k) % 5);
            MPI_Allgatherv(y, count, MPI_DOUBLE, x, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        }
        for (int i = 1; i < count; i++)
            y[i] = (y[i] + y[i - 1]) / 2;
        if (rank == 0)
            printf("%d\n", step);
    }
    if (rank == 0)
        printf("%.10g %.10g %.10g\n", sums[1], sums[2], sums[3]);
    MPI_Finalize();
    return 0;
}
