/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define HERE MPI_IN_PLACE
#define ADD MPI_SUM
#define REAL MPI_DOUBLE
#define ALL MPI_COMM_WORLD
int main(int argc, char **argv)
{
    int rank, size, n = 29, count, displ;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    displ = rank * n / size;
    count = (rank + 1) * n / size - displ;
    double *u = calloc((size_t)count, sizeof *u), t = 0, all = 0;
    for (int i = 0; i < count; i++)
        u[i] = 1 + 0.1 * ((displ + i) % 7);
#pragma xmpi loop
    for (int k = 0; k < 20; k++) {
        double s = 0;
        for (int i = 0; i < count; i++)
            s += u[i];
        MPI_Allreduce(HERE, &s, 1, REAL, ADD, ALL);
        for (int i = 0; i < count; i++)
            u[i] = .9 * u[i] + 1e-3 * s;
    }
    for (int i = 0; i < count; i++)
        t += (1 + (displ + i) % 5) * u[i];
    MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9g\n", all);
    MPI_Finalize();
    return 0;
}
