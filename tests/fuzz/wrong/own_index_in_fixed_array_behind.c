/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { STEPS = 14, MOST = 40 };

int main(int argc, char **argv)
{
    int rank, size, n = 37;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    int *counts = malloc(sizeof *counts * (size_t)size),
        *displs = malloc(sizeof *displs * (size_t)size);
    for (int r = 0; r < size; r++) {
        displs[r] = r * n / size;
        counts[r] = (r + 1) * n / size - displs[r];
    }
    double *u = calloc((size_t)n, sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = 1 + i % 7;
    struct {
        int steps;
        double v[MOST][2];
    } *w = calloc(1, sizeof *w);
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < count; i++)
            u[displ + i] = 0.9 * u[displ + i] + 0.01 * ((displ + i + k) % 5);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, u, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
        for (int i = 0; i < n; i++)
            w->v[i][0] = (k + i) % 3;
    }
    for (int i = 0; i < count; i++)
        w->v[displ + i][0] += 0.001 * i;
    double own = 0, all = 0;
    for (int i = 0; i < count; i++)
        own += (1 + (displ + i) % 5) * w->v[displ + i][0];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double t = all;
    for (int i = 0; i < n; i++)
        t += (1 + i % 5) * u[i];
    if (rank == 0)
        printf("%.10g\n", t);
    MPI_Finalize();
    return 0;
}
