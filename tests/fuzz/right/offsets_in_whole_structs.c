/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { STEPS = 14 };
struct span {
    int begin;
    double weight;
};

int main(int argc, char **argv)
{
    int rank, size, n = 41;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double t = 0, all = 0;
    double *u = calloc((size_t)count, sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    struct span *span = malloc(sizeof *span * (size_t)n);
    for (int i = 0; i < n; i++) {
        span[i].begin = 2 * i;
        span[i].weight = 1 + 0.1 * (i % 3);
    }
    double *w = malloc(2 * sizeof *w * (size_t)count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 2; j++)
            w[2 * i + j] = displ + i + 0.5 * j;
#pragma xmpi loop
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
        for (int i = 0; i < count; i++) {
            const int at = span[displ + i].begin - span[displ].begin;
            u[i] += 0.001 * span[displ + i].weight * (w[at] + w[at + 1]);
        }
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
