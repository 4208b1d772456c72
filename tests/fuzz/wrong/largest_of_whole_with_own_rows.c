/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size, end = (rank + 1) * n / size;
    double t = 0, all = 0;
    double *u = calloc((size_t)n, sizeof *u);
    for (int g = first; g < end; g++)
        u[g] = 1 + 0.1 * (g % 7);

#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double s = 0, g1;
        for (int g = 0; g < n; g++)
            if (u[g] > s)
                s = u[g];
        MPI_Allreduce(&s, &g1, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        for (int g = first; g < end; g++)
            u[g] = 0.7 * u[g] + 0.1 * g1 + 0.01 * (g % 3);
    }
    for (int g = first; g < end; g++)
        t += (1 + g % 5) * u[g];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
