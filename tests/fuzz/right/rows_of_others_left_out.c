/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of whole arrays each process goes through all rows, and goes on at those of others. */
int main(int argc, char **argv)
{
    int rank, size, n = 40;
    double t = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int *owner = malloc((size_t)n * sizeof *owner), *counts = malloc(size * sizeof *counts),
        *displs = malloc(size * sizeof *displs);
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
    for (int r = 0; r < size; r++)
        for (int i = 0; i < counts[r]; i++)
            owner[displs[r] + i] = r;
    double *u = calloc((size_t)n, sizeof *u), *v = calloc((size_t)n, sizeof *v);
    for (int i = 0; i < n; i++)
        u[i] = v[i] = 1 + 0.1 * (i % 11);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < n; i++) {
            if (i < displ || i >= displ + count)
                continue;
            u[i] = 0.9 * u[i] + 0.01 * ((i + k) % 5);
        }
        for (int i = 0; i < n; i++)
            if (owner[i] == rank)
                v[i] = 0.8 * v[i] + 0.01 * u[i];
    }
    for (int i = 0; i < count; i++)
        t += v[displ + i];
    for (int i = 0; i < count; i++)
        t += u[displ + i] * (displ + i);
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.9g\n", all);
    free(u);
    free(v);
    free(owner);
    MPI_Finalize();
    return 0;
}
