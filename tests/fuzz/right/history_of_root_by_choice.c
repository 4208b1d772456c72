/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 has for itself is declared with a choice by the rank, filled by iterations (or before
 * them) and read behind the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 29, steps = 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u);
    double *history = rank == 0 ? malloc((size_t)steps * sizeof *history) : NULL;
    double *wanted = rank ? NULL : malloc((size_t)steps * sizeof *wanted);
    if (rank == 0)
        for (int k = 0; k < steps; k++)
            wanted[k] = k % 3;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    int lower = 0;

#pragma xmpi loop
    for (int k = 0; k < steps; k++) {
        double own = 0, all;
        for (int i = 0; i < count; i++) {
            u[i] = 0.9 * u[i] + 0.01 * ((displ + i + k) % 5);
            own += u[i];
        }
        MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            history[k] = all;
            if (all < wanted[k])
                lower++;
        }
    }

    if (rank == 0) {
        double sum = 0;
        for (int k = 0; k < steps; k++)
            sum += (1 + k % 5) * history[k];
        printf("%.10g %d\n", sum, lower);
        free(history);
        free(wanted);
    }
    free(u);
    MPI_Finalize();
    return 0;
}
