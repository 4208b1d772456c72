/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double part[64];

int main(int argc, char **argv)
{
    int rank, size, n = 48;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size, count = (rank + 1) * n / size - displ;
    double t = 0, all = 0;
    double *u = calloc((size_t)count, sizeof *u);
    for (int i = 0; i < count; i++) {
        u[i] = 1 + 0.1 * ((displ + i) % 7);
    }

#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double s = 0, g1 = 0, alls[64];
        for (int i = 0; i < count; i++)
            s += u[i];
        part[rank] = s;
        MPI_Allreduce(part, alls, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        for (int r = 0; r < 64; r++)
            g1 += alls[r];
        for (int i = 0; i < count; i++)
            u[i] = 0.9 * u[i] + 0.01 * (g1 / n);
    }
    for (int i = 0; i < count; i++) {
        t += (1 + (displ + i) % 5) * u[i];
    }
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
