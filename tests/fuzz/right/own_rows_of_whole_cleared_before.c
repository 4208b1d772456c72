/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, end = (rank + 1) * n / size;
    double t = 0, all = 0;
    double *u = calloc((size_t)n, sizeof *u);
    double *w = calloc((size_t)n, sizeof *w);
    double *full = calloc((size_t)n, sizeof *full);
    for (int g = first; g < end; g++)
        u[g] = 1 + 0.1 * (g % 7);

#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        memset(w, 0, n * sizeof *w);
        for (int g = first; g < end; g++)
            w[g] = 0.5 * u[g] + 0.1 * (g % 3);
        MPI_Allreduce(w, full, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int g = first; g < end; g++)
            u[g] = 0.5 * full[g] + 0.2 * full[n - 1 - g];
    }
    for (int g = first; g < end; g++)
        t += (1 + g % 5) * u[g];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
