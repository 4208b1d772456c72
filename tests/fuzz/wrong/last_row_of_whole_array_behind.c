/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { STEPS = 14 };

int main(int argc, char **argv)
{
    int rank, size, n = 41;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double t = 0, all = 0;
    int *counts = malloc(sizeof *counts * (size_t)size),
        *displs = malloc(sizeof *displs * (size_t)size);
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
    double *u = calloc((size_t)n, sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = 1 + i % 7;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < count; i++)
            u[displ + i] = 0.9 * u[displ + i] + 0.01 * ((displ + i + k) % 5);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, u, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    {
        double a = u[displ + count - 1];
        for (int i = 0; i < count; i++)
            u[displ + i] += 0.01 * a;
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[displ + i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
